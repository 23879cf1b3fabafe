import CastProtocol
import ScenarioLanguage
import Synchronization

extension ReportKind {
  package static let html = ReportKind(
    name: "html", summary: "one HTML page with a timeline, for people", notice: { HTMLPage.text(of: $0) },
    make: { sources, write in HTMLReport(sources: sources, writingTo: write) },
    makeForSeveral: { HTMLSeries(writingTo: $0) })

  /// The same page with how the run compares with earlier ones.
  package static func html(with trend: TrendMarkup) -> ReportKind {
    ReportKind(
      name: html.name, summary: html.summary, notice: html.notice,
      make: { sources, write in HTMLReport(sources: sources, trend: trend, writingTo: write) },
      makeForSeveral: html.makeForSeveral)
  }
}

/// Writes a page about a run when it is over (docs/runs.md "HTML").
package final class HTMLReport: RunReport {
  private struct State {
    var run = RunPageBuilder()
    var isWritten = false
    var failure: (any Error)?
  }

  private let sources: [String: String]
  private let trend: TrendMarkup?
  private let write: ReportKind.Write
  private let state = Mutex(State())

  /// - Parameters:
  ///   - sources: The texts of the documents, by file name.
  ///   - trend: What stands below the run.
  ///   - write: Gets the whole page once, at `run.finished`.
  package init(sources: [String: String], trend: TrendMarkup? = nil, writingTo write: @escaping ReportKind.Write) {
    self.sources = sources
    self.trend = trend
    self.write = write
  }

  package func record(_ event: Event) {
    state.withLock { state in
      guard !state.isWritten else { return }
      state.run.record(event)
      if event.type == .runFinished { finish(&state) }
    }
  }

  /// Of a run without an end there is a page, too, which says so.
  package func endOfStream() {
    state.withLock { state in
      if !state.isWritten { finish(&state) }
    }
  }

  private func finish(_ state: inout State) {
    state.isWritten = true
    let run = RunMarkup(state.run, number: 1, sources: sources)
    state.run = RunPageBuilder()
    do { try write(HTMLPage.text(of: [HTMLPage.Part(run)], trend: trend)) } catch { state.failure = error }
  }

  /// Why the page could not be written.
  package var writeError: (any Error)? { state.withLock { $0.failure } }
}

/// One page of several documents that are run one after the other.
final class HTMLSeries: SeriesReport {
  private struct State {
    var parts: [HTMLPage.Part] = []
    /// The runs that were begun.
    var begun = 0
  }

  private let write: ReportKind.Write
  private let state = Mutex(State())

  /// `write` gets the whole page once, at the end.
  init(writingTo write: @escaping ReportKind.Write) { self.write = write }

  func begin(run: String, sources: [String: String]) -> any RunReport {
    let number = state.withLock { state in
      state.begun += 1
      return state.begun
    }
    return Run(of: self, number: number, sources: sources)
  }

  func record(_ notice: RunNotice) { add(HTMLPage.Part(notice)) }

  func finish(_ verdict: SeriesVerdict) {
    let parts = state.withLock { $0.parts }
    // What cannot be written, the file itself remembers.
    try? write(HTMLPage.text(of: parts, verdict))
  }

  private func add(_ part: HTMLPage.Part) { state.withLock { $0.parts.append(part) } }

  /// The run of one document; only its markup is kept when it is over.
  private final class Run: RunReport {
    private let series: HTMLSeries
    private let number: Int
    private let sources: [String: String]
    private let run = Mutex<RunPageBuilder?>(RunPageBuilder())

    init(of series: HTMLSeries, number: Int, sources: [String: String]) {
      (self.series, self.number, self.sources) = (series, number, sources)
    }

    func record(_ event: Event) {
      let whole = run.withLock { run -> RunPageBuilder? in
        run?.record(event)
        guard event.type == .runFinished else { return nil }
        defer { run = nil }
        return run
      }
      if let whole { series.add(HTMLPage.Part(RunMarkup(whole, number: number, sources: sources))) }
    }

    func endOfStream() {
      let whole = run.withLock { run -> RunPageBuilder? in
        defer { run = nil }
        return run
      }
      if let whole { series.add(HTMLPage.Part(RunMarkup(whole, number: number, sources: sources))) }
    }

    var writeError: (any Error)? { nil }
  }
}
