import Glibc

/// The one way to files: descriptors that no program inherits, calls that go on after a signal, limits, and files that are
/// replaced whole or not at all.
package enum Files {
  /// Opens `path`, below `folder` where one is given; never waits for the other end of a pipe, and never makes a terminal
  /// ours.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0, in folder: Int32 = AT_FDCWD
  ) throws(FileError) -> OpenFile {
    while true {
      let descriptor = openat(folder, path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
      if descriptor >= 0 { return OpenFile(adopting: descriptor) }
      guard errno == EINTR else { throw .last }
    }
  }

  /// All of a regular file.
  ///
  /// - Parameter followsLink: Whether the last part of `path` may be a link.
  /// - Throws: Also for what is no regular file and for one of more than `limit` bytes.
  package static func read(_ path: String, limit: Int, followsLink: Bool = true) throws(FileError) -> [UInt8] {
    try open(path, followsLink ? O_RDONLY : O_RDONLY | O_NOFOLLOW).contents(limit: limit)
  }

  /// Opens a regular file to be read piece by piece.
  /// - Throws: Also for what is no regular file.
  package static func openRegular(_ path: String) throws(FileError) -> OpenFile {
    let file = try open(path, O_RDONLY)
    let kind = FileKind(try file.status())
    guard kind == .regular else { throw .irregular(kind) }
    return file
  }

  /// What stands at `path`, behind links; `nil` where nothing does.
  package static func kind(of path: String) -> FileKind? {
    var status = stat()
    return stat(path, &status) == 0 ? FileKind(status) : nil
  }

  /// Makes a folder and those it lies in; one that is there stays as it is.
  package static func makeFolders(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      // Some file systems answer "read-only" or "is a folder" for a file that exists already.
      guard mkdir(made, mode) == 0 || errno == EEXIST || errno == EISDIR else { throw .last }
    }
  }

  /// Makes a file that holds `bytes` and nothing else, or empties one and fills it: a reader may see a part
  /// of it meanwhile.
  ///
  /// - Parameter mode: The permissions of a new file, less what the umask takes.
  package static func store(_ bytes: [UInt8], at path: String, mode: UInt32) throws(FileError) {
    let file = try open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    try file.write(bytes)
    try file.close()
  }

  /// Gives a file or folder another place in the same file system, where nothing is yet.
  package static func move(_ path: String, to place: String) throws(FileError) {
    guard rename(path, place) == 0 else { throw .last }
  }

  /// The path without links.
  package static func realPath(of path: String) throws(FileError) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What is before the last `/`; `.` without one.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether a file, there or not any more, has its place in `folder` or below it.
  package static func isPlace(of path: String, below folder: String) -> Bool {
    guard kind(of: folder) == .folder, let root = try? realPath(of: folder) else { return false }
    var above = self.folder(of: path)
    while kind(of: above) == nil, above != ".", above != "/" { above = self.folder(of: above) }
    guard let place = try? realPath(of: above) else { return false }
    return place == root || place.hasPrefix(root == "/" ? root : root + "/")
  }
}
