import Glibc

/// Whether two paths name one file, there or not there yet.
package enum FileIdentity {
  /// Whether what is written to one is written to the other.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    if let one = status(first), let other = status(second) {
      // Devices such as /dev/null take what many write.
      return one.st_dev == other.st_dev && one.st_ino == other.st_ino && one.st_mode & S_IFMT != S_IFCHR
    }
    if first == second { return true }
    guard let one = place(first), let other = place(second) else { return false }
    return one == other
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return (path == "-" ? fstat(STDOUT_FILENO, &status) : stat(path, &status)) == 0 ? status : nil
  }

  /// Where a file that is not there will be.
  private static func place(_ path: String) -> String? {
    guard let path = try? Files.destination(of: path) else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, name != ".", name != ".." else { return nil }
    guard let folder = try? Files.realPath(of: Files.folder(of: path)) else { return nil }
    return folder + "/" + name
  }
}
