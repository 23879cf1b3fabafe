import Synchronization

/// What a report that is one document gathers from the events of a run.
package protocol ReportContent: Sendable {
  /// What is kept of a run when it is over.
  associatedtype Kept: Sendable

  init(_ sources: ReportSources)
  /// Takes the next event.
  mutating func record(_ event: Event)
  var kept: Kept { get }
}

extension RunTranscript: ReportContent {
  package init(_ sources: ReportSources) {
    self.init()
    fate = sources.fate
  }

  package var kept: RunResults { RunResults(self) }
}

/// A part of a document about several runs.
package enum ReportPart<Kept: Sendable>: Sendable {
  case run(Kept)
  /// Said in place of a run that there was none, or that it is not over.
  case notice(RunNotice)
}

/// What a document is made of.
struct ReportedRuns<Kept: Sendable>: Sendable {
  /// In the order of their begin.
  var parts: [ReportPart<Kept>]
  /// What all came to; `nil` where the command has one run.
  var verdict: SeriesVerdict?
}

extension ReportKind {
  /// A kind that is one document, written when all is over.
  /// - Parameter text: Makes it of its parts; a command with one run gives one, and an end that no run tells is the last.
  static func document<Content: ReportContent>(
    _ name: String, _ summary: String, of content: Content.Type,
    text: @escaping @Sendable ([ReportPart<Content.Kept>]) -> String
  ) -> ReportKind {
    page(name, summary, of: content) { runs in
      text(runs.parts + (runs.verdict?.endNotice.map { [.notice($0)] } ?? []))
    }
  }

  /// The same of a document that tells the end of several runs in its own way.
  static func page<Content: ReportContent>(
    _ name: String, _ summary: String, of content: Content.Type,
    text: @escaping @Sendable (ReportedRuns<Content.Kept>) -> String
  ) -> ReportKind {
    ReportKind(
      name: name, summary: summary, notice: { text(ReportedRuns(parts: [.notice($0)])) },
      make: { sources, write in
        DocumentReport(Content(sources)) { try write(text(ReportedRuns(parts: [.run($0)]))) }
      },
      makeForSeveral: { write in DocumentSeries<Content> { try write(text($0)) } })
  }
}

/// The report of one run, written at its end.
final class DocumentReport<Content: ReportContent>: RunReport {
  private struct State {
    /// `nil` when it is written.
    var content: Content?
    var failure: (any Error)?
  }

  private let write: @Sendable (Content.Kept) throws -> Void
  private let state: Mutex<State>

  /// `write` gets what there is to write once, at `run.finished`.
  init(_ content: Content, writingTo write: @escaping @Sendable (Content.Kept) throws -> Void) {
    self.write = write
    state = Mutex(State(content: content))
  }

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
  private struct State {
    var parts: [ReportPart<Content.Kept>] = []
    /// The runs that were begun.
    var begun = 0
  }

  private let write: @Sendable (ReportedRuns<Content.Kept>) throws -> Void
  private let state = Mutex(State())

  /// `write` gets the parts once, in the order of their runs.
  init(writingTo write: @escaping @Sendable (ReportedRuns<Content.Kept>) throws -> Void) { self.write = write }

  func begin(run: String, sources: ReportSources) -> any RunReport {
    var sources = sources
    sources.number = state.withLock { state in
      state.begun += 1
      return state.begun
    }
    return DocumentReport(Content(sources)) { [self] kept in add(.run(kept)) }
  }

  func record(_ notice: RunNotice) { add(.notice(notice)) }

  func finish(_ verdict: SeriesVerdict) {
    let parts = state.withLock { $0.parts }
    // A write error is kept by the file, which reports it.
    try? write(ReportedRuns(parts: parts, verdict: verdict))
  }

  private func add(_ part: ReportPart<Content.Kept>) { state.withLock { $0.parts.append(part) } }
}
