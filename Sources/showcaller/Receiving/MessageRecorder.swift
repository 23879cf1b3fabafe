import CastProtocol
import CastReceiver
import RunReporting
import ScenarioLanguage
import Workspace

/// Writes what senders and virtual receivers say to each other to the file of `receive --record`.
struct MessageRecorder: Sendable {
  private let lines: KeptLines
  private let time = TimeSource(ContinuousClock())
  private let start: Duration

  init(_ path: String) throws(WorkspaceError) {
    lines = try KeptLines(path) { error in
      Terminal.say("error: \(TerminalText.escaped(error.message)); nothing more is recorded")
    }
    start = time.now
    // Receivers tell from their event loops, which nobody may hold up.
    StandardError.queue()
  }

  /// Begins the file: what it held is gone.
  func begin() {
    add(RecordedMessage.heading(begun: UTCTime(unixSeconds: Surroundings.process.unixTime()).text))
  }

  /// Leaves all as it was: nothing is recorded after all.
  func abandon() { lines.abandon() }

  /// What is told of the receiver `name`.
  /// - Parameter other: Is told, too.
  func tap(
    for name: String, besides other: (@Sendable (ReceiverWireEvent) -> Void)?
  ) -> @Sendable (ReceiverWireEvent) -> Void {
    { event in
      other?(event)
      add(RecordedMessage.line(event, of: name, at: time.now - start))
    }
  }

  private func add(_ line: JSONValue) {
    lines.add(line.serialized()) { #"{"event":"lost","messages":\#($0)}"# }
  }

  /// Waits for what is not written yet.
  /// - Throws: Where the recording is not whole.
  func finish() throws {
    if let problem = lines.close() { throw CommandFailure(.reportNotWritten, problem) }
  }
}
