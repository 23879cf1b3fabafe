import CastProtocol
import ScenarioLanguage
import Synchronization

/// Writes a JUnit XML document by Surefire's rules when the run is over (language.md 5.3).
package final class JUnitReport: EventSink {
  private let write: @Sendable (String) throws -> Void
  private let state = Mutex((transcript: RunTranscript(), failure: (any Error)?.none))

  /// `write` gets the whole document once, at `run.finished`.
  package init(writingTo write: @escaping @Sendable (String) throws -> Void) { self.write = write }

  package func record(_ event: Event) {
    state.withLock { state in
      state.transcript.record(event)
      guard event.type == .runFinished else { return }
      do { try write(JUnitDocument(state.transcript).text) } catch { state.failure = error }
    }
  }

  /// Why the document could not be written.
  package var writeError: (any Error)? { state.withLock { $0.failure } }
}

/// A run as a JUnit document.
struct JUnitDocument {
  private let transcript: RunTranscript
  private let suites: [JUnitSuite]

  init(_ transcript: RunTranscript) {
    self.transcript = transcript
    suites = transcript.finalScenarios.map { JUnitSuite($0, of: transcript) }
  }

  var text: String {
    func sum(_ count: (JUnitSuite) -> Int) -> String { String(suites.reduce(0) { $0 + count($1) }) }
    var root = XMLElement(
      "testsuites",
      [
        ("name", "showcaller"), ("tests", sum(\.cases.count)), ("failures", sum { $0.count(of: "failure") }),
        ("errors", sum { $0.count(of: "error") }), ("skipped", sum { $0.count(of: "skipped") }),
        ("time", transcript.finishedAt.decimalSeconds),
      ])
    root.children = suites.map(\.element)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text(indent: "") + "\n"
  }
}

extension Double {
  /// Seconds as JUnit writes them: `12.000`.
  var decimalSeconds: String { Swift.max(0, self).decimals(3, padded: true) }
}
