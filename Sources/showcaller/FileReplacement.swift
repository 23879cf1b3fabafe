import Glibc

/// Replaces a file's content whole or not at all.
enum FileReplacement {
  /// Writes beside the file and then takes its place; its mode and, where allowed, its owner stay. A link stays a link.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    guard let resolved = realpath(path, nil) else { throw failure(path) }
    let target = String(cString: resolved)
    free(resolved)
    var status = stat()
    guard stat(target, &status) == 0 else { throw failure(path) }
    // A rename asks only whether the folder can be written; that the file itself must not be changed counts, too.
    guard status.st_mode & 0o222 != 0, access(target, W_OK) == 0 else {
      throw CommandFailure(.reportNotWritten, "cannot write \(path): it is read-only")
    }
    let temporary = "\(target).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    let problem = fill(descriptor, with: bytes, like: status)
    if problem == 0, rename(temporary, target) == 0 { return }
    let error = problem == 0 ? errno : problem
    unlink(temporary)
    errno = error
    throw failure(path)
  }

  /// Writes a file down to the disk and closes it; answers an error number, or 0.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8], like status: stat) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        let error = count == 0 ? ENOSPC : errno
        close(descriptor)
        return error
      }
    }
    // An owner can be kept by root alone; it comes before the mode, which it would change.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else {
      let error = errno
      close(descriptor)
      return error
    }
    return close(descriptor) == 0 ? 0 : errno
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(.reportNotWritten, "cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
