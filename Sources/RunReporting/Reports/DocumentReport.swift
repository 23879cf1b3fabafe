import Synchronization

/// What a report that is one document gathers from the events of a run.
package protocol ReportContent: Sendable {
  /// What is kept of a run when it is over.
  associatedtype Kept: Sendable

  init()
  /// Takes the next event.
  mutating func record(_ event: Event)
  var kept: Kept { get }
}

extension RunTranscript: ReportContent {
  package var kept: RunResults { RunResults(self) }
}

/// A part of a document about several runs.
package enum ReportPart<Kept: Sendable>: Sendable {
  case run(Kept)
  /// Said in place of a run that there was none, or that it is not over.
  case notice(RunNotice)
}

extension ReportKind {
  /// A kind that is one document, written when all is over.
  /// - Parameter text: Makes it; a command with one run gives one part.
  static func document<Content: ReportContent>(
    _ name: String, _ summary: String, of content: Content.Type,
    text: @escaping @Sendable ([ReportPart<Content.Kept>]) -> String
  ) -> ReportKind {
    ReportKind(
      name: name, summary: summary, notice: { text([.notice($0)]) },
      make: { _, write in DocumentReport<Content> { try write(text([.run($0)])) } },
      makeForSeveral: { write in DocumentSeries<Content> { try write(text($0)) } })
  }
}

/// The report of one run, written at its end.
final class DocumentReport<Content: ReportContent>: RunReport {
  private struct State {
    /// `nil` when it is written.
    var content: Content? = Content()
    var failure: (any Error)?
  }

  private let write: @Sendable (Content.Kept) throws -> Void
  private let state = Mutex(State())

  /// `write` gets what there is to write once, at `run.finished`.
  init(writingTo write: @escaping @Sendable (Content.Kept) throws -> Void) { self.write = write }

  func record(_ event: Event) {
    state.withLock { state in
      state.content?.record(event)
      if event.type == .runFinished { finish(&state) }
    }
  }

  /// Of a run without an end there is a document, too, that says so.
  func endOfStream() { state.withLock { finish(&$0) } }

  private func finish(_ state: inout State) {
    guard let content = state.content else { return }
    state.content = nil
    do { try write(content.kept) } catch { state.failure = error }
  }

  /// Why the document could not be written.
  var writeError: (any Error)? { state.withLock { $0.failure } }
}

/// One document about several runs, written when all are over.
final class DocumentSeries<Content: ReportContent>: SeriesReport {
  private let write: @Sendable ([ReportPart<Content.Kept>]) throws -> Void
  private let parts = Mutex<[ReportPart<Content.Kept>]>([])

  /// `write` gets the parts once, in the order of their runs.
  init(writingTo write: @escaping @Sendable ([ReportPart<Content.Kept>]) throws -> Void) { self.write = write }

  func begin(run: String, sources: [String: String]) -> any RunReport {
    DocumentReport<Content> { [self] kept in add(.run(kept)) }
  }

  func record(_ notice: RunNotice) { add(.notice(notice)) }

  func finish(_ verdict: SeriesVerdict) {
    if let notice = verdict.endNotice { add(.notice(notice)) }
    let all = parts.withLock { $0 }
    // A write error is kept by the file, which reports it.
    try? write(all)
  }

  private func add(_ part: ReportPart<Content.Kept>) { parts.withLock { $0.append(part) } }
}
