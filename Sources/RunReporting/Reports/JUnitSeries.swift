import Synchronization

/// One JUnit document of several documents that are run one after the other: the suites of all.
final class JUnitSeries: SeriesReport {
  private struct State {
    var suites: [XMLElement] = []
    var counts = JUnitCounts()

    mutating func add(_ elements: [XMLElement], _ counts: JUnitCounts) {
      suites += elements
      self.counts.add(counts)
    }
  }

  private let write: ReportKind.Write
  private let state = Mutex(State())

  /// `write` gets the whole document once, at the end.
  init(writingTo write: @escaping ReportKind.Write) { self.write = write }

  func begin(run: String, sources: [String: String]) -> any RunReport { Part(of: self) }

  func record(_ notice: RunNotice) { state.withLock { $0.add([notice.junitSuite], notice.junitCounts) } }

  func finish(_ verdict: SeriesVerdict) {
    let text = state.withLock { JUnitDocument.text(of: $0.suites, $0.counts) }
    // What cannot be written, the file itself remembers.
    try? write(text)
  }

  private func add(_ document: JUnitDocument) {
    let (suites, counts) = (document.elements, document.counts)
    state.withLock { $0.add(suites, counts) }
  }

  /// The run of one document; only its suites are kept when it is over.
  private final class Part: RunReport {
    private let series: JUnitSeries
    private let transcript = Mutex<RunTranscript?>(RunTranscript())

    init(of series: JUnitSeries) { self.series = series }

    func record(_ event: Event) {
      let whole = transcript.withLock { transcript -> RunTranscript? in
        transcript?.record(event)
        guard event.type == .runFinished else { return nil }
        defer { transcript = nil }
        return transcript
      }
      if let whole { series.add(JUnitDocument(whole)) }
    }

    var writeError: (any Error)? { nil }
  }
}
