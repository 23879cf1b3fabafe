import Glibc

/// Files that stand beside another for as long as it takes to write them.
enum TemporaryFiles {
  private static let (start, end) = (".showcaller-", ".tmp")
  /// Nobody takes so many seconds to write one.
  static let lifetime = 600

  /// A name that no other process chooses, whatever its number.
  static func newName() -> String {
    var system = SystemRandomNumberGenerator()
    let digits = String(system.next() as UInt64, radix: 16)
    return start + String(repeating: "0", count: max(0, 16 - digits.count)) + digits + end
  }

  /// Removes what processes left behind that were ended at the wrong moment.
  /// - Parameter now: Unix seconds, by the clock of the disk.
  static func clear(in folder: String, olderThan now: Int) {
    guard let folder = OpenFolder(folder) else { return }
    for name in folder.names where isOurs(name) {
      guard let status = folder.status(of: name), FileKind(status) == .regular,
        now - status.st_mtim.tv_sec > lifetime
      else { continue }
      folder.remove(name, isFolder: false)
    }
  }

  /// Whether a name is one of these.
  static func isOurs(_ name: String) -> Bool {
    guard name.utf8.count == start.utf8.count + 16 + end.utf8.count, name.hasPrefix(start), name.hasSuffix(end) else {
      return false
    }
    return name.dropFirst(start.count).dropLast(end.count).allSatisfy { $0.isHexDigit }
  }
}
