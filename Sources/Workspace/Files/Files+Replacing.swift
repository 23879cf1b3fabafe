import Glibc

extension Files {
  /// Makes `path`, or replaces what is there, whole or not at all: an existing file keeps its mode and, where allowed, its
  /// owner; a new one gets `mode` less the umask. A link stays a link, also one to a file that is not there yet.
  ///
  /// - Parameter isDurable: Whether it is on the disk, too, when this returns.
  package static func replace(
    _ bytes: [UInt8], at path: String, mode: UInt32, isDurable: Bool = true
  ) throws(FileError) {
    let target: String
    do throws(FileError) {
      target = try realPath(of: path)
    } catch {
      guard error.code == ENOENT else { throw error }
      return try put(bytes, at: destination(of: path), like: nil, mode: mode, isDurable: isDurable)
    }
    try put(bytes, at: target, like: status(of: target), mode: 0o600, isDurable: isDurable)
  }

  /// Replaces the content of a file that is there, as ``replace(_:at:mode:isDurable:)`` does.
  /// - Throws: Also where the file must not be written, though its folder may.
  package static func rewrite(_ bytes: [UInt8], at path: String) throws(FileError) {
    let target = try realPath(of: path)
    let status = try status(of: target)
    // A rename asks only whether the folder can be written; that the file itself must not be changed counts, too.
    guard status.st_mode & 0o222 != 0, access(target, W_OK) == 0 else { throw .readOnly }
    try put(bytes, at: target, like: status, mode: 0o600, isDurable: true)
  }

  /// Where a file is made that is opened at `path`: behind all links whose targets are not there yet.
  package static func destination(of path: String) throws(FileError) -> String {
    var path = path
    // As many as the system follows.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &buffer, buffer.count)
      if count < 0 {
        if errno == EINVAL || errno == ENOENT { return path }
        throw .last
      }
      // A name that is no text cannot be told apart from another one.
      guard let link = String(validating: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) else {
        throw .system(EILSEQ)
      }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    throw .system(ELOOP)
  }

  private static func status(of path: String) throws(FileError) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    return status
  }

  /// Writes beside `target` and then takes its place.
  private static func put(
    _ bytes: [UInt8], at target: String, like status: stat?, mode: UInt32, isDurable: Bool
  ) throws(FileError) {
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let temporary = folder + TemporaryFiles.newName()
    let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    do throws(FileError) {
      // The clock of the disk decides, which may be another computer's.
      TemporaryFiles.clear(in: folder.isEmpty ? "." : folder, olderThan: try file.status().st_mtim.tv_sec)
      try file.write(bytes)
      if let status {
        // An owner can be kept by root alone; it comes before the mode, which it would change.
        _ = fchown(file.descriptor, status.st_uid, status.st_gid)
        guard fchmod(file.descriptor, status.st_mode & 0o7777) == 0 else { throw .last }
      }
      if isDurable, fsync(file.descriptor) != 0 { throw .last }
      try file.close()
      guard rename(temporary, target) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
  }
}
