import Glibc
package import ScenarioLanguage

/// Finds the documents that files and folders on a command line mean.
package struct DocumentFinder {
  /// A document, as it is called from here.
  package struct Found: Hashable, Sendable {
    /// `-` is standard input.
    package var path: String
    /// Named itself, not found in a folder.
    package var isNamed: Bool
  }

  private struct Identity: Hashable {
    var device: UInt
    var node: UInt
  }

  /// More are a mistake, such as `/`.
  private static let limit = 100_000

  /// Each file once, under the first name it was found by: in the order named, those of a folder sorted.
  package private(set) var found: [Found] = []
  /// What could not be looked into, and names that are not UTF-8.
  package private(set) var unreadable: [CheckSummary.Unreadable] = []
  /// A folder was named.
  package private(set) var hasFolder = false
  private var known: Set<Identity> = []
  private var hasInput = false

  /// A finder that has found nothing yet.
  package init() {}

  /// Adds a file, what is in a folder, or `-`.
  /// - Throws: When a folder holds more than anybody checks.
  package mutating func add(_ argument: String) throws(WorkspaceError) {
    if argument == "-" {
      if !hasInput { found.append(Found(path: "-", isNamed: true)) }
      hasInput = true
      return
    }
    var status = stat()
    guard stat(argument, &status) == 0 else {
      // Reading it says why it cannot be.
      found.append(Found(path: argument, isNamed: true))
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      hasFolder = true
      try addFolder(argument)
    } else if known.insert(Identity(device: status.st_dev, node: status.st_ino)).inserted {
      found.append(Found(path: argument, isNamed: true))
    }
  }

  private mutating func addFolder(_ root: String) throws(WorkspaceError) {
    var files: [(path: String, identity: Identity)] = []
    var folders = [root]
    while let folder = folders.popLast() {
      guard let directory = opendir(folder) else {
        unreadable.append(.init(file: folder, message: "cannot read \(folder): \(String(cString: strerror(errno)))"))
        continue
      }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        // `.` and `..` among them.
        if bytes.first == UInt8(ascii: ".") || bytes == Array("node_modules".utf8) { continue }
        let name = String(decoding: bytes, as: UTF8.self)
        let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        let isDocument = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        // By such a name, in which something else stands for what is no text, it is not found again.
        if isDocument, Array(name.utf8) != bytes {
          unreadable.append(.init(file: path, message: "cannot read \(path): its name is not UTF-8"))
          continue
        }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { continue }
        let type = status.st_mode & S_IFMT
        if type == S_IFDIR {
          // The copies in the folder of a run are no documents of anybody.
          if !RunFolders.isOfRun(path) { folders.append(path) }
        } else if isDocument {
          if type == S_IFLNK, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
          files.append((path, Identity(device: status.st_dev, node: status.st_ino)))
          if found.count + files.count > Self.limit {
            throw WorkspaceError(
              .commandLineWrong, "more than \(Self.limit) YAML files in \(root)", help: "name the folder you mean")
          }
        }
      }
    }
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for file in files where known.insert(file.identity).inserted {
      found.append(Found(path: file.path, isNamed: false))
    }
  }
}
