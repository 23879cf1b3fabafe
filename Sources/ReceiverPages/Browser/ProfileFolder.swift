import Glibc

/// The folder that one browser keeps its profile in, as long as it runs.
///
/// A lock on a file in it says that its process lives; what a killed process left is removed by the next one.
final class ProfileFolder: Sendable {
  private static let prefix = "showcaller-browser-"
  private static let lockName = "showcaller.lock"
  /// After so many seconds a folder without a lock is one that nobody uses.
  private static let lockless = 86_400

  let path: String
  private let lock: Int32

  /// Makes one in `folder`; `nil` with `errno` where that cannot be.
  init?(in folder: String) {
    var template = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    lock = open("\(path)/\(Self.lockName)", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      if lock >= 0 { close(lock) }
      Self.remove(path)
      errno = reason
      return nil
    }
  }

  deinit { close(lock) }

  func remove() { Self.remove(path) }

  /// Removes the folders of this user in `folder` whose processes are gone.
  static func removeAbandoned(in folder: String) {
    for name in names(in: folder) where name.hasPrefix(prefix) {
      let path = "\(folder)/\(name)"
      var facts = stat()
      guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else { continue }
      let lock = open("\(path)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      if lock < 0 {
        // It is just being made, or an earlier version of this program made it.
        if errno == ENOENT, time(nil) - facts.st_mtim.tv_sec > lockless { remove(path) }
        continue
      }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      // A browser that is being started may have a copy of it.
      flock(lock, LOCK_UN)
      close(lock)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let list = opendir(folder) else { return [] }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Removes a folder and what is in it; links are not followed.
  static func remove(_ folder: String) {
    for name in names(in: folder) {
      let path = "\(folder)/\(name)"
      var facts = stat()
      if lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { remove(path) } else { unlink(path) }
    }
    rmdir(folder)
  }
}
