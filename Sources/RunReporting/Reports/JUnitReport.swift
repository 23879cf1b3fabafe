import CastProtocol
import ScenarioLanguage
import Synchronization

extension ReportKind {
  package static let junit = ReportKind(
    name: "junit", summary: "one JUnit XML document for test systems", notice: { $0.junit },
    make: { _, write in JUnitReport(writingTo: write) }, makeForSeveral: { JUnitSeries(writingTo: $0) })
}

/// Writes a JUnit XML document by Surefire's rules when the run is over (docs/runs.md "JUnit").
package final class JUnitReport: RunReport {
  private struct State {
    var transcript = RunTranscript()
    var isWritten = false
    var failure: (any Error)?
  }

  private let write: @Sendable (String) throws -> Void
  private let state = Mutex(State())

  /// `write` gets the whole document once, at `run.finished`.
  package init(writingTo write: @escaping @Sendable (String) throws -> Void) { self.write = write }

  package func record(_ event: Event) {
    state.withLock { state in
      state.transcript.record(event)
      guard event.type == .runFinished, !state.isWritten else { return }
      write(JUnitDocument(state.transcript), &state)
    }
  }

  /// Of a run without an end there is a document, too, with an error that says so.
  package func endOfStream() {
    state.withLock { state in
      guard !state.isWritten else { return }
      write(JUnitDocument(state.transcript), &state)
    }
  }

  private func write(_ document: JUnitDocument, _ state: inout State) {
    state.isWritten = true
    do { try write(document.text) } catch { state.failure = error }
  }

  /// Why the document could not be written.
  package var writeError: (any Error)? { state.withLock { $0.failure } }
}

/// A run as a JUnit document.
struct JUnitDocument {
  private let transcript: RunTranscript
  private let suites: [JUnitSuite]
  /// What is to be said besides, as an error.
  private let notice: RunNotice?

  /// - Parameter transcript: Of all events that there are.
  init(_ transcript: RunTranscript) {
    self.transcript = transcript
    notice = transcript.endNotice
    suites = transcript.finalScenarios.map { JUnitSuite($0, of: transcript) }
  }

  /// All suites, that of a notice last.
  var elements: [XMLElement] { suites.map(\.element) + [notice?.junitSuite].compactMap(\.self) }

  var counts: JUnitCounts {
    var counts = notice?.junitCounts ?? JUnitCounts()
    for suite in suites {
      counts.tests += suite.cases.count
      counts.failures += suite.count(of: "failure")
      counts.errors += suite.count(of: "error")
      counts.skipped += suite.count(of: "skipped")
    }
    counts.seconds = transcript.finishedAt
    return counts
  }

  var text: String { Self.text(of: elements, counts) }

  /// A document of these suites.
  static func text(of suites: [XMLElement], _ counts: JUnitCounts) -> String {
    var root = XMLElement("testsuites", [("name", "showcaller")] + counts.attributes)
    root.children = suites
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text(indent: "") + "\n"
  }
}

/// How many test cases came to what.
struct JUnitCounts: Hashable, Sendable {
  var tests = 0
  var failures = 0
  var errors = 0
  var skipped = 0
  var seconds = 0.0

  var attributes: [(name: String, value: String)] {
    [
      ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors)),
      ("skipped", String(skipped)), ("time", seconds.decimalSeconds),
    ]
  }

  mutating func add(_ other: JUnitCounts) {
    tests += other.tests
    failures += other.failures
    errors += other.errors
    skipped += other.skipped
    seconds += other.seconds
  }
}

extension Double {
  /// Seconds as JUnit writes them: `12.000`.
  var decimalSeconds: String { Swift.max(0, self).decimals(3, padded: true) }
}
