import Glibc
package import ScenarioLanguage

/// The files that a document may include: those of its project, and of the folders that `--allow-path` names.
///
/// Nothing leads out: not `..`, not a link, not one that is put in place while we look.
package struct ProjectFiles: Sendable {
  private static let byteLimit = 1 << 20

  /// Real paths, the project's own first.
  private let roots: [String]

  /// The files of the project around a document.
  /// - Parameters:
  ///   - document: The path that the document was read from; `<stdin>` counts as one in the working directory.
  ///   - allowed: Further folders.
  package init(of document: String, allowing allowed: [String]) throws(WorkspaceError) {
    let folder = Self.real(Self.folder(of: document)) ?? "/"
    var roots = [Self.project(around: folder)]
    for path in allowed {
      guard let real = Self.real(path), Self.isFolder(real) else {
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
    let shown = Self.joined(Self.folder(of: includer), path)
    let written = Self.folder(of: includer) + "/" + path
    guard let folder = Self.real(Self.folder(of: written)) else {
      return .failure(errno == EACCES ? .unreadable(Self.systemMessage(errno)) : .notFound)
    }
    guard let root = roots.first(where: { Self.isInside(folder, $0) }) else {
      return .failure(.outside(root: roots[0]))
    }
    return Self.open(String(last), in: folder, below: root).flatMap { descriptor in
      defer { close(descriptor) }
      return Self.contents(of: descriptor, limit: Self.byteLimit).map { SourceFile(name: shown, bytes: $0) }
    }
  }

  // MARK: Opening

  /// Opens a regular file by walking down from the root, so that a link put into the way meanwhile is refused.
  private static func open(_ name: String, in folder: String, below root: String) -> Result<Int32, FileProblem> {
    var directory = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return .failure(.unreadable(systemMessage(errno))) }
    defer { close(directory) }
    for part in folder.dropFirst(root.count).split(separator: "/") {
      let next = openat(directory, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else { return .failure(problem(errno)) }
      close(directory)
      directory = next
    }
    // Looked at before it is opened: opening a device can do things.
    var status = stat()
    guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .failure(problem(errno)) }
    if let what = irregular(status) { return .failure(what) }
    let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return descriptor >= 0 ? .success(descriptor) : .failure(problem(errno))
  }

  /// What an open file holds, at most `limit` bytes.
  static func contents(of descriptor: Int32, limit: Int) -> Result<[UInt8], FileProblem> {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(problem(errno)) }
    if let what = irregular(status) { return .failure(what) }
    if status.st_size > limit { return .failure(.tooLarge(limit)) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(problem(errno)) }
      if count == 0 { return .success(bytes) }
      bytes += chunk.prefix(count)
    }
    return .failure(.tooLarge(limit))
  }

  private static func irregular(_ status: stat) -> FileProblem? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: .notRegular("a folder")
    case S_IFLNK: .symbolicLink
    case S_IFIFO: .notRegular("a pipe")
    case S_IFSOCK: .notRegular("a socket")
    default: .notRegular("a device")
    }
  }

  package static func problem(_ code: Int32) -> FileProblem {
    switch code {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case ELOOP: .symbolicLink
    default: .unreadable(systemMessage(code))
    }
  }

  private static func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

  // MARK: Paths

  /// The nearest folder upwards that has a `.git`, else the folder itself.
  private static func project(around folder: String) -> String {
    var candidate = folder
    while true {
      var status = stat()
      if lstat(candidate + "/.git", &status) == 0 { return candidate }
      guard let slash = candidate.lastIndex(of: "/"), slash != candidate.startIndex else { return folder }
      candidate = String(candidate[..<slash])
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func isInside(_ path: String, _ root: String) -> Bool {
    path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
  }

  /// The path without links; `nil` with `errno` where there is none.
  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What is before the last `/`; `.` without one.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
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
