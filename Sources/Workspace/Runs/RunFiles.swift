import Glibc

/// Where the files of a stored run are.
enum RunFiles: Sendable {
  /// Events that were read already; there is nothing else.
  case input([UInt8])
  /// Beside a file of events, whatever that is called.
  case folder(events: String)
  case archive(ZipArchive, path: String)

  static let eventsName = "events.jsonl"
  static let sourcesName = "sources"

  /// Opens the archive at `path`.
  /// - Throws: Where it cannot be read.
  static func openArchive(_ path: String) throws(WorkspaceError) -> RunFiles {
    do throws(ZipArchive.Problem) {
      let archive = try ZipArchive(path)
      guard archive.size(of: eventsName) != nil else { throw ZipArchive.Problem(text: "it has no \(eventsName)") }
      // What cannot be read later would be left out without a word.
      for name in archive.names { try archive.forEachChunk(of: name) { _ in } }
      return .archive(archive, path: path)
    } catch {
      throw problem(path, error)
    }
  }

  private static func problem(_ path: String, _ problem: ZipArchive.Problem) -> WorkspaceError {
    WorkspaceError(
      .documentInvalid, "cannot read \(path): \(problem.text)",
      help: "`showcaller run export` makes archives that can be read; of another one, unpack it and name the folder")
  }

  /// The file that is read; `nil`: standard input.
  var path: String? {
    switch self {
    case .input: nil
    case .folder(let events): events
    case .archive(_, let path): path
    }
  }

  /// Reads the bytes of all events, one stretch after the other; may be called again.
  func readEvents(_ body: (ArraySlice<UInt8>) -> Void) throws(WorkspaceError) {
    switch self {
    case .input(let bytes): body(bytes[...])
    case .folder(let events):
      let file: OpenFile
      do throws(FileError) {
        file = try Files.open(events, O_RDONLY)
      } catch {
        throw Self.failure(events, error)
      }
      try Self.forEachChunk(of: file.descriptor, called: events, body)
    case .archive(let archive, let path):
      do { try archive.forEachChunk(of: Self.eventsName, body) } catch { throw Self.problem(path, error) }
    }
  }

  static func forEachChunk(
    of descriptor: Int32, called name: String, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(WorkspaceError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do { count = try Descriptor.read(descriptor, into: &chunk) } catch { throw failure(name, error) }
      if count == 0 { return }
      body(chunk.prefix(count))
    }
  }

  private static func failure(_ name: String, _ error: FileError) -> WorkspaceError {
    WorkspaceError(.commandLineWrong, "cannot read \(name): \(error.message)")
  }

  /// Whether a file beside the events is missing or empty; false also where that cannot be told.
  func lacks(_ name: String) -> Bool {
    switch self {
    case .input: return false
    case .archive(let archive, _): return archive.size(of: name) ?? 0 == 0
    case .folder(let events):
      var status = stat()
      let isThere = stat("\(Files.folder(of: events))/\(name)", &status) == 0
      return isThere ? status.st_size == 0 : errno == ENOENT
    }
  }

  /// Where the files are, for people.
  var place: String {
    switch self {
    case .input: "standard input"
    case .archive(_, let path): path
    case .folder(let events): Files.folder(of: events)
    }
  }

  /// What a file beside the events is called to people.
  func name(of name: String) -> String {
    switch self {
    case .input: name
    case .archive(_, let path): "\(name) in \(path)"
    case .folder(let events): "\(Files.folder(of: events))/\(name)"
    }
  }

  /// All of a file beside the events.
  /// - Throws: Also where there is none, or one of more than `limit` bytes.
  func contents(of name: String, limit: Int) throws(WorkspaceError) -> [UInt8] {
    switch self {
    case .input:
      throw WorkspaceError(
        .commandLineWrong, "standard input has events only", help: "name the run by its id or its folder")
    case .archive(let archive, let path):
      do { return try archive.contents(of: name, limit: limit) } catch { throw Self.problem(path, error) }
    case .folder:
      do { return try Files.read(self.name(of: name), limit: limit) } catch {
        throw Self.failure(self.name(of: name), error)
      }
    }
  }

  /// The names of the files in `sources/`; empty where there is none.
  var sourceNames: [String] {
    switch self {
    case .input: []
    case .archive(let archive, _):
      archive.names.compactMap { name in
        name.hasPrefix(Self.sourcesName + "/") ? String(name.dropFirst(Self.sourcesName.count + 1)) : nil
      }
    case .folder(let events): OpenFolder("\(Files.folder(of: events))/\(Self.sourcesName)")?.names ?? []
    }
  }

  /// A file in `sources/`; links are not followed.
  func source(named name: String, limit: Int) -> [UInt8]? {
    switch self {
    case .input: return nil
    case .archive(let archive, _): return try? archive.contents(of: "\(Self.sourcesName)/\(name)", limit: limit)
    case .folder(let events):
      guard let file = try? OpenFolder("\(Files.folder(of: events))/\(Self.sourcesName)")?.file(name) else {
        return nil
      }
      return try? file.contents(limit: limit)
    }
  }
}
