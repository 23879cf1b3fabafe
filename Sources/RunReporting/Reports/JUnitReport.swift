import CastProtocol
import ScenarioLanguage
import Synchronization

extension ReportKind {
  package static let junit = ReportKind(
    name: "junit", summary: "one JUnit XML document for test systems", notice: { $0.junit },
    make: { _, write in JUnitReport(writingTo: write) })
}

/// Writes a JUnit XML document by Surefire's rules when the run is over (docs/runs.md "JUnit").
package final class JUnitReport: RunReport {
  private struct State {
    var transcript = RunTranscript()
    /// Unix seconds of the newest event.
    var time = 0.0
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
      state.time = event.wallTime
      guard event.type == .runFinished, !state.isWritten else { return }
      write(JUnitDocument(state.transcript), &state)
    }
  }

  /// Of a run without an end there is a document, too, with an error that says so.
  package func endOfStream() {
    state.withLock { state in
      guard !state.isWritten else { return }
      let file = state.transcript.run.documents.first?.file ?? ""
      write(JUnitDocument(state.transcript, .notFinished(file, at: state.time)), &state)
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
  private let notice: RunNotice?

  /// - Parameter notice: What is to be said besides, as an error.
  init(_ transcript: RunTranscript, _ notice: RunNotice? = nil) {
    self.transcript = transcript
    self.notice = notice
    suites = transcript.finalScenarios.map { JUnitSuite($0, of: transcript) }
  }

  var text: String {
    func sum(_ count: (JUnitSuite) -> Int, and noticed: Int = 0) -> String {
      String(suites.reduce(notice == nil ? 0 : noticed) { $0 + count($1) })
    }
    let counts = [
      ("tests", sum(\.cases.count, and: 1)), ("failures", sum { $0.count(of: "failure") }),
      ("errors", sum({ $0.count(of: "error") }, and: 1)), ("skipped", sum { $0.count(of: "skipped") }),
      ("time", transcript.finishedAt.decimalSeconds),
    ]
    return Self.text(of: suites.map(\.element) + [notice?.junitSuite].compactMap(\.self), counts: counts)
  }

  /// A document of these suites.
  static func text(of suites: [XMLElement], counts: [(String, String)]) -> String {
    var root = XMLElement("testsuites", [("name", "showcaller")] + counts)
    root.children = suites
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text(indent: "") + "\n"
  }
}

extension Double {
  /// Seconds as JUnit writes them: `12.000`.
  var decimalSeconds: String { Swift.max(0, self).decimals(3, padded: true) }
}
