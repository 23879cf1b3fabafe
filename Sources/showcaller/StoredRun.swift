import Workspace
import CastProtocol
import CastTransport
import Glibc
import RunReporting
import ScenarioLanguage

/// The stored events of a run, and the texts of its documents.
struct StoredRun {
  /// The newest run of a folder.
  static let newest = "latest"

  /// The file of the events; `nil`: standard input.
  let path: String?
  private var input: [UInt8] = []

  /// Finds a run by its id, its folder, or its file of events; `-` is standard input, which is read at once.
  /// - Parameter runs: The folder of runs, for an id and for ``newest``.
  /// - Throws: A failure with exit code 2 where there is none.
  init(_ name: String, in runs: String) throws(CommandFailure) {
    if name == "-" {
      path = nil
      var bytes: [UInt8] = []
      try Self.forEachChunk(of: STDIN_FILENO, called: "standard input") { bytes += $0 }
      input = bytes
      return
    }
    let path = try Self.path(of: name, in: runs)
    self.path = Self.isFolder(path) ? path + "/events.jsonl" : path
  }

  private static func path(of name: String, in runs: String) throws(CommandFailure) -> String {
    if name == newest {
      if let id = ids(in: runs).first { return "\(runs)/\(id)" }
      throw CommandFailure(
        .commandLineWrong, "there is no run in \(runs)",
        help: "`showcaller run FILE` leaves one there; --runs names another folder")
    }
    if RunID.isOne(name), isFolder("\(runs)/\(name)") { return "\(runs)/\(name)" }
    guard access(name, F_OK) == 0 else {
      throw CommandFailure(
        .commandLineWrong, "there is no run \(name), neither in \(runs) nor as a file",
        help: "name a run's id or folder, `\(newest)`, or a file of events; --runs names another folder")
    }
    return name
  }

  /// The runs of a folder that have events, newest first.
  static func ids(in runs: String) -> [String] {
    names(in: runs).filter { RunID.isOne($0) && access("\(runs)/\($0)/events.jsonl", R_OK) == 0 }.sorted(by: >)
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      withUnsafeBytes(of: &entry.pointee.d_name) {
        names.append(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
    return names
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads all events, one after the other.
  /// - Returns: What was wrong with them.
  func read(_ body: (Event) -> Void) throws(CommandFailure) -> StoredEventReader {
    var reader = StoredEventReader()
    if let path {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw Self.failure(path, errno) }
      defer { close(descriptor) }
      try Self.forEachChunk(of: descriptor, called: path) { reader.read($0, body) }
    } else {
      reader.read(input, body)
    }
    reader.end(body)
    return reader
  }

  private static func forEachChunk(
    of descriptor: Int32, called name: String, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(CommandFailure) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do { count = try Descriptor.read(descriptor, into: &chunk) } catch { throw failure(name, error.code) }
      if count == 0 { return }
      body(chunk.prefix(count))
    }
  }

  private static func failure(_ name: String, _ code: Int32) -> CommandFailure {
    CommandFailure(.commandLineWrong, "cannot read \(name): \(String(cString: strerror(code)))")
  }

  /// The texts that failures point into, by the names that events give their files: from the run's folder; where it has
  /// none, a document that is still what was run.
  func texts(_ wanted: StoredSources) -> [String: String] {
    let arguments = CommandLineText(wanted.run.arguments).source
    var texts = [arguments.name: String(decoding: arguments.bytes, as: UTF8.self)]
    let folder = path.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast() }
    let sources = ((folder ?? []) + ["sources"]).joined(separator: "/")
    let stored = Self.isFolder(sources) ? Self.names(in: sources) : []
    for file in wanted.files where texts[file] == nil {
      if let name = wanted.name(of: file, among: stored) {
        texts[file] = Self.text(of: "\(sources)/\(name)")?.text
      } else if stored.isEmpty, let hash = wanted.run.documents.first(where: { $0.file == file })?.sha256,
        let found = Self.text(of: file), found.hash == hash
      {
        texts[file] = found.text
      }
    }
    return texts
  }

  private static func text(of path: String) -> (text: String, hash: String?)? {
    guard path != "-", let file = try? SourceFile(readingFrom: path) else { return nil }
    return (String(decoding: file.bytes, as: UTF8.self), Digest.sha256(file.bytes))
  }
}
