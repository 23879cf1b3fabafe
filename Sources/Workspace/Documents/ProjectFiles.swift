import Glibc
package import ScenarioLanguage

/// The files that a document may include: those of its project, and of the folders that `--allow-path` names.
///
/// Nothing leads out: not `..`, not a link, not one that is put in place while we look.
package struct ProjectFiles: Sendable {
  private static let byteLimit = 1 << 20
  /// A file of this name ends a project in its folder, whatever that lies in.
  static let mark = ".showcaller-project"

  /// Real paths, the project's own first.
  private let roots: [String]

  /// The files of the project around a document.
  /// - Parameters:
  ///   - document: The path that the document was read from; `<stdin>` counts as one in the working directory.
  ///   - allowed: Further folders.
  /// - Throws: Where one of those is no folder.
  package init(of document: String, allowing allowed: [String]) throws(WorkspaceError) {
    let folder = (try? Files.realPath(of: Files.folder(of: document))) ?? "/"
    var roots = [Self.project(around: folder)]
    for path in allowed {
      guard let real = try? Files.realPath(of: path), Files.kind(of: real) == .folder else {
        throw WorkspaceError(.commandLineWrong, "`--allow-path \(path)` is no folder")
      }
      roots.append(real)
    }
    self.roots = roots
  }

  /// The file that `path` names in a document called `includer`.
  package func read(_ path: String, includedBy includer: String) -> Result<SourceFile, FileProblem> {
    guard !path.utf8.contains(0), let last = path.split(separator: "/").last, last != "..", last != ".",
      !path.hasSuffix("/")
    else {
      return .failure(path.isEmpty || path.utf8.contains(0) ? .notFound : .notRegular("a folder"))
    }
    let written = Files.folder(of: includer) + "/" + path
    let folder: String
    do throws(FileError) {
      folder = try Files.realPath(of: Files.folder(of: written))
    } catch {
      return .failure(error.code == EACCES ? .unreadable(error.message) : .notFound)
    }
    guard let root = roots.first(where: { Self.isInside(folder, $0) }) else {
      return .failure(.outside(root: roots[0]))
    }
    do throws(FileError) {
      let bytes = try Self.open(String(last), in: folder, below: root).contents(limit: Self.byteLimit)
      return .success(SourceFile(name: Self.name(of: path, includedBy: includer), bytes: bytes))
    } catch {
      return .failure(FileProblem(error))
    }
  }

  /// The real path of a file that a document names, which may be large: it is not read here.
  /// - Throws: Where there is none, or it lies outside of the project.
  package func path(of path: String, namedIn document: String) throws(WorkspaceError) -> String {
    let written = Files.folder(of: document) + "/" + path
    guard !path.utf8.contains(0), let real = try? Files.realPath(of: written) else {
      throw WorkspaceError(.notReadable, "there is no file \(written)")
    }
    guard roots.contains(where: { Self.isInside(real, $0) }) else {
      throw WorkspaceError(
        .notReadable, "it lies outside of \(roots[0])", help: "move it into the folder of the document's project")
    }
    return real
  }

  /// Opens a regular file by walking down from the root, so that a link put into the way meanwhile is refused.
  private static func open(_ name: String, in folder: String, below root: String) throws(FileError) -> OpenFile {
    var directory = try Files.open(root, O_RDONLY | O_DIRECTORY)
    for part in folder.dropFirst(root.count).split(separator: "/") {
      directory = try Files.open(
        String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: directory.descriptor)
    }
    // Looked at before it is opened: opening a device can do things.
    let kind = try directory.kind(of: name)
    guard kind == .regular else { throw .irregular(kind) }
    return try Files.open(name, O_RDONLY | O_NOFOLLOW, in: directory.descriptor)
  }

  // MARK: Paths

  /// The nearest folder upwards that has a `.git`, or our own mark, else the folder itself.
  private static func project(around folder: String) -> String {
    var candidate = folder
    while true {
      var status = stat()
      if lstat(candidate + "/.git", &status) == 0 || lstat("\(candidate)/\(mark)", &status) == 0 { return candidate }
      guard let slash = candidate.lastIndex(of: "/"), slash != candidate.startIndex else { return folder }
      candidate = String(candidate[..<slash])
    }
  }

  private static func isInside(_ path: String, _ root: String) -> Bool {
    path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
  }

  /// What a file is called that a document names by `path`.
  static func name(of path: String, includedBy includer: String) -> String {
    joined(Files.folder(of: includer), path)
  }

  /// A path below a folder, as short as people would write it.
  private static func joined(_ folder: String, _ path: String) -> String {
    var parts = folder == "." ? [] : folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "." {
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
