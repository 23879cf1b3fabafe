import ArgumentParser
import CastReceiver
import ScenarioLanguage
import Workspace

/// What of virtual receivers is kept, and what they answer from.
struct RecordingOptions: ParsableArguments {
  @Option(
    name: .customLong("record"),
    help: ArgumentHelp(
      "Keep every message of senders and receivers in this file, as lines of JSON; it holds all that they say but credentials, so tokens in addresses, too. `showcaller record` is what writes a scenario.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var recordFile: String?

  @Option(
    name: .customLong("replay"),
    help: ArgumentHelp(
      "Answer from a recording: a matching request gets the recorded answer, after the recorded delay.",
      valueName: "file"), completion: .file(extensions: ["jsonl", "json"]))
  var replayFile: String?

  func validate() throws {
    if recordFile == "-" {
      throw ValidationError("--record needs a file: --wire prints messages to standard output")
    }
    if recordFile?.isEmpty == true || replayFile?.isEmpty == true {
      throw ValidationError("the name of the recording is empty: is a variable of the shell not set?")
    }
    if let recordFile, let replayFile, FileIdentity.areSame(recordFile, replayFile) {
      throw ValidationError("--record would overwrite the recording that --replay answers from: choose another file")
    }
  }

  /// What `--replay` answers from.
  /// - Throws: Where it cannot be read, or is no recording.
  func recording() throws(WorkspaceError) -> Recording? {
    guard let replayFile else { return nil }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(replayFile, limit: Recording.byteLimit)
    } catch {
      throw WorkspaceError(
        .notReadable, "cannot read \(replayFile): \(error.message)",
        help: "`receive --record FILE` makes a recording")
    }
    do throws(Recording.Problem) {
      let recording = try Recording(parsing: bytes)
      if recording.isCut { Terminal.say("note: the last line of \(TerminalText.escaped(replayFile)) is cut off") }
      return recording
    } catch {
      let place = error.line.map { "\(replayFile):\($0)" } ?? replayFile
      throw WorkspaceError(
        .notReadable, "cannot replay \(place): \(error.message)",
        help: "a recording is what `receive --record FILE` writes: a JSON object a line")
    }
  }

  /// Opens the file of `--record`; what it holds stays until something is recorded.
  func recorder() throws(WorkspaceError) -> MessageRecorder? {
    try recordFile.map { path throws(WorkspaceError) in try MessageRecorder(path) }
  }
}
