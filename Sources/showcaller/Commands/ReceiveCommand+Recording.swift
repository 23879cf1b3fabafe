import ArgumentParser
import CastProtocol
import CastReceiver
import ScenarioLanguage
import Synchronization
import Workspace

/// `--record` and `--replay`.
extension ReceiveCommand {
  /// - Throws: Where a recording would be written over a file of the command line, or an option says how the receiver is
  ///   to behave, which a recording says already.
  func checkRecordings() throws {
    if let file = recordings.recordFile {
      let others = [lab, rootFile].compactMap(\.self) + inputs.given.files
      if others.contains(where: { FileIdentity.areSame(file, $0) }) {
        throw ValidationError(
          "--record would overwrite \(file), which this command reads or writes: choose another file")
      }
    }
    guard recordings.replayFile != nil else { return }
    let unused: [(String, Bool)] = [
      ("--app", !apps.isEmpty), ("--app-without-media", !plainApps.isEmpty), ("--any-app", launchesAnyApp),
      ("--group", group != nil), ("--volume", volume != .attenuation), ("--consent", consent != nil),
      ("--load-reply", loadReply != .last), ("--media", !media.isEmpty), ("--fetch", !fetchedHosts.isEmpty),
      ("--screen", screen.place != nil),
    ]
    if let (name, _) = unused.first(where: \.1) {
      throw ValidationError("--replay answers from the recording alone: leave out \(name)")
    }
  }

  /// Has a receiver answer from `recording`.
  static func replay(_ recording: Recording?, in configuration: inout ReceiverConfiguration) {
    guard let recording else { return }
    let name = configuration.name
    configuration.recording = recording.of(name)
    // It says itself how long answers took.
    if recording.hasTimes { configuration.latency = .none }
    let told = UnknownRequestLines()
    configuration.unknownRequest = { request in
      if let line = told.line(for: request) { Terminal.say(TerminalText.escaped("\(name): \(line)")) }
    }
  }
}

/// What is told of requests that a recording does not know: each once, and not without end.
private final class UnknownRequestLines: Sendable {
  private static let most = 100
  private let told = Mutex<Set<String>>([])

  /// `nil` where it was told before.
  func line(for request: ReceiverStateMachine.UnknownRequest) -> String? {
    let answer = request.answer.map { "it is answered by \($0)" } ?? "it gets no answer"
    let line = "the recording has no \(request.request) (\(request.namespace.rawValue)): \(answer)"
    return told.withLock { told in
      guard told.count <= Self.most, told.insert(line).inserted else { return nil }
      return told.count <= Self.most ? line : "further unknown requests are not shown"
    }
  }
}
