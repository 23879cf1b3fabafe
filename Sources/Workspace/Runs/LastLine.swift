import CastProtocol
import Glibc
package import RunReporting
package import ScenarioLanguage
import Synchronization

/// What the last command line of `run` named, and how its process ended: what the folders of its runs do not tell, and
/// all there is of one that began none (docs/runs.md "The folder of a run").
package struct LastLine: Hashable, Sendable {
  /// Its file in the folder of runs; hidden, as it is no run.
  package static let file = ".last.json"
  private static let byteLimit = 16 << 20

  /// Files and folders, as they were named; none with `--last-failed` alone.
  package var files: [String]
  package var selection: DocumentSelection
  /// How the process ended.
  package var exitCode: Int
  /// The first run that it began; `nil` where it began none.
  package var first: String?
  /// The newest run of the folder at its end: with a newer one, it is not the last command line any more.
  package var newest: String?

  package init(
    files: [String], selection: DocumentSelection = DocumentSelection(), exitCode: Int, first: String? = nil,
    newest: String? = nil
  ) {
    self.files = files
    self.selection = selection
    self.exitCode = exitCode
    self.first = first
    self.newest = newest
  }

  /// Reads what was written there; `nil` where nothing was.
  /// - Throws: Where the file is damaged: nobody can say then whether something is to be run again.
  package init?(in runs: String) throws(WorkspaceError) {
    let path = "\(runs)/\(Self.file)"
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(path, limit: Self.byteLimit)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw Self.damaged(path, error.message)
    }
    guard let json = try? JSONValue(parsing: bytes, limits: .init(depth: 4, length: Self.byteLimit)), json["v"] == 1,
      let files = Self.texts(json["files"]), let tags = Self.texts(json["tags"]), let only = Self.texts(json["only"]),
      let exit = json["exit"]?.int
    else { throw Self.damaged(path, "it is not what a run writes") }
    self.init(
      files: files, selection: DocumentSelection(tags: tags, only: only), exitCode: exit, first: json["first"]?.string,
      newest: json["newest"]?.string)
  }

  private static func texts(_ json: JSONValue?) -> [String]? {
    guard let values = json?.array else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  private static func damaged(_ path: String, _ why: String) -> WorkspaceError {
    WorkspaceError(
      .commandLineWrong, "cannot tell how the last command line ended: cannot use \(path): \(why)",
      help: "run the documents without --last-failed; that writes it anew")
  }

  /// Writes it, whole or not at all; where that cannot be, the file is emptied, so that no older one counts.
  /// - Throws: Where it is not there then.
  package func store(in runs: String) throws(WorkspaceError) {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    var json: JSONObject = [
      "v": 1, "files": list(files), "tags": list(selection.tags), "only": list(selection.only), "exit": .int(exitCode),
    ]
    json["first"] = first.map(JSONValue.string)
    json["newest"] = newest.map(JSONValue.string)
    let path = "\(runs)/\(Self.file)"
    do throws(FileError) {
      try Files.replace(
        Array((JSONValue.object(json).serialized() + "\n").utf8), at: path, mode: 0o600, isDurable: false)
    } catch {
      try? Files.store([], at: path, mode: 0o600)
      throw WorkspaceError(writing: path, error)
    }
  }
}

/// Notes what a command line of `run` comes to, for the next one.
package final class LastLineRecord: Sendable {
  private let wish: ChosenDocuments.Wish
  private let runs: String
  private let surroundings: Surroundings
  private let first = Mutex<String?>(nil)

  /// - Parameter runs: The folder of runs.
  package init(of wish: ChosenDocuments.Wish, in runs: String, surroundings: Surroundings) {
    self.wish = wish
    self.runs = runs
    self.surroundings = surroundings
  }

  /// A run has begun; of several documents, that of the first.
  package func began(_ run: String) { first.withLock { $0 = $0 ?? run } }

  /// The process is about to end. A folder of runs is not made for that: without one there is no older run to be taken
  /// for this. What a `--last-failed` was to run again and did not begin still is.
  package func end(_ exit: RunExit) {
    let first = first.withLock { $0 }
    guard Files.kind(of: runs) == .folder, first != nil || !wish.isLastFailed else { return }
    let line = LastLine(
      files: wish.files, selection: wish.selection, exitCode: Int(exit.rawValue), first: first,
      newest: StoredRun.ids(in: runs).first)
    do throws(WorkspaceError) {
      try line.store(in: runs)
    } catch {
      surroundings.messages.say("warning: \(TerminalText.escaped(error.message)); --last-failed does not know this run")
    }
  }
}
