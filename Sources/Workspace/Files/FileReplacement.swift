package import Glibc

/// Replaces a file's content whole or not at all.
package enum FileReplacement {
  /// Writes beside the file and then takes its place; its mode and, where allowed, its owner stay. A link stays a link.
  package static func write(_ bytes: [UInt8], to path: String) throws(WorkspaceError) {
    guard let target = realPath(of: path) else { throw failure(path, errno) }
    var status = stat()
    guard stat(target, &status) == 0 else { throw failure(path, errno) }
    // A rename asks only whether the folder can be written; that the file itself must not be changed counts, too.
    guard status.st_mode & 0o222 != 0, access(target, W_OK) == 0 else {
      throw WorkspaceError(.notWritten, "cannot write \(path): it is read-only")
    }
    let error = put(bytes, at: target, like: status)
    if error != 0 { throw failure(path, error) }
  }

  /// Makes `path`, or replaces what is there: an existing file keeps its mode and owner, a new one gets `mode` less the
  /// umask. A link stays a link, also one to a file that is not there yet.
  ///
  /// - Parameter isDurable: Whether it is on the disk, too, when this returns.
  /// - Returns: An error number, or 0.
  package static func put(_ bytes: [UInt8], at path: String, mode: mode_t, isDurable: Bool = true) -> Int32 {
    guard let target = realPath(of: path) else {
      guard errno == ENOENT else { return errno }
      guard let target = destination(of: path) else { return errno }
      return put(bytes, at: target, like: nil, mode: mode, isDurable: isDurable)
    }
    var status = stat()
    guard stat(target, &status) == 0 else { return errno }
    return put(bytes, at: target, like: status, isDurable: isDurable)
  }

  private static func put(
    _ bytes: [UInt8], at target: String, like status: stat?, mode: mode_t = 0o600, isDurable: Bool = true
  ) -> Int32 {
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    TemporaryFiles.clear(in: folder.isEmpty ? "." : folder)
    let temporary = folder + TemporaryFiles.newName()
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, status == nil ? mode : 0o600)
    guard descriptor >= 0 else { return errno }
    var problem = DescriptorWriter(descriptor: descriptor).writeNow(bytes) ?? 0
    if problem == 0, let status {
      // An owner can be kept by root alone; it comes before the mode, which it would change.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      if fchmod(descriptor, status.st_mode & 0o7777) != 0 { problem = errno }
    }
    if problem == 0, isDurable, fsync(descriptor) != 0 { problem = errno }
    if close(descriptor) != 0, problem == 0 { problem = errno }
    if problem == 0, rename(temporary, target) != 0 { problem = errno }
    if problem != 0 { unlink(temporary) }
    return problem
  }

  /// Where a file is made that is opened at `path`: behind all links whose targets are not there yet.
  /// - Returns: `nil`, with an error number in `errno`, where no file can be.
  package static func destination(of path: String) -> String? {
    var path = path
    // As many as the system follows.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &buffer, buffer.count)
      if count < 0 { return errno == EINVAL || errno == ENOENT ? path : nil }
      // A name that is no text cannot be told apart from another one.
      guard let link = String(validating: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) else {
        errno = EILSEQ
        return nil
      }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    errno = ELOOP
    return nil
  }

  private static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func failure(_ path: String, _ error: Int32) -> WorkspaceError {
    WorkspaceError(.notWritten, "cannot write \(path): \(String(cString: strerror(error)))")
  }
}

/// Files that stand beside another for as long as it takes to write them.
enum TemporaryFiles {
  private static let (start, end) = (".showcaller-", ".tmp")
  /// Nobody takes so long to write one.
  private static let lifetime = 600

  /// A name that no other process chooses, whatever its number.
  static func newName() -> String {
    var system = SystemRandomNumberGenerator()
    let digits = String(system.next() as UInt64, radix: 16)
    return start + String(repeating: "0", count: max(0, 16 - digits.count)) + digits + end
  }

  /// Removes what processes left behind that were ended at the wrong moment.
  static func clear(in folder: String) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let now = time(nil)
    while let entry = readdir(stream) {
      let name = entry.pointee.name
      guard isOurs(name) else { continue }
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
        now - status.st_mtim.tv_sec > lifetime
      else { continue }
      unlinkat(dirfd(stream), name, 0)
    }
  }

  private static func isOurs(_ name: String) -> Bool {
    guard name.utf8.count == start.utf8.count + 16 + end.utf8.count, name.hasPrefix(start), name.hasSuffix(end) else {
      return false
    }
    return name.dropFirst(start.count).dropLast(end.count).allSatisfy { $0.isHexDigit }
  }
}
