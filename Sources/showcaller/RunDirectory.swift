import CastProtocol
import Glibc
import ScenarioLanguage
import Workspace

/// What a run leaves behind: `<runs>/<run id>/` with its events, plan and sources (design.md 6).
struct RunDirectory {
  let path: String
  let events: OutputFile

  /// Makes the directory, readable by its owner only, and writes into it the plans of all rows, every file that they
  /// were read from, and what was added on the command line.
  /// - Parameter isKept: Whether later runs leave it there; ``RunFolders`` takes that back of a run that passed.
  /// - Throws: A failure with exit code 8, before the run begins.
  init(in runs: String, id: String, document: RunnableDocument, isKept: Bool) throws(CommandFailure) {
    path = "\(runs)/\(id)"
    try Self.make(path)
    try Self.make(path + "/sources")
    events = try OutputFile(path + "/events.jsonl", mode: 0o600, byteLimit: OutputFile.eventLimit, whenFull: .stops)
    events.lock()
    // A run that is killed has failed, and cannot say so.
    if isKept { try OutputFile.store("", at: path + "/" + RunFolders.mark, mode: 0o600) }
    try OutputFile.store(document.json.serialized() + "\n", at: path + "/plan.json", mode: 0o600)
    try OutputFile.store(document.inputs.json.serialized() + "\n", at: path + "/inputs.json", mode: 0o600)
    for (index, source) in document.sources.enumerated() {
      let name = source.name.split(separator: "/").last.map(String.init) ?? "document"
      let stored = path + "/sources/" + (index == 0 ? name : "\(index)-\(name)")
      try OutputFile.store(String(decoding: source.bytes, as: UTF8.self), at: stored, mode: 0o600)
    }
  }

  private static func make(_ path: String) throws(CommandFailure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
        throw CommandFailure(
          .reportNotWritten, "cannot make \(path): \(String(cString: strerror(errno)))",
          help: "run where you may write, or name another folder with --runs")
      }
    }
  }
}
