import Glibc
import ScenarioLanguage

/// What this computer knows about dates and zones, for documents to be checked against.
enum SystemTime {
  private static let folder = "/usr/share/zoneinfo/"

  /// Today, by the computer's own clock.
  static var today: CivilDate? {
    var now = time(nil)
    var parts = tm()
    guard localtime_r(&now, &parts) != nil else { return nil }
    return CivilDate(year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  }

  /// A file of the zone database; the name comes checked from the compiler.
  @Sendable static func zoneData(_ name: String) -> [UInt8]? {
    let descriptor = open(folder + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (0...TimeZoneRules.byteLimit).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }

  /// The name of the computer's own zone: what TZ says, else where /etc/localtime points.
  static var localZone: String? {
    if let name = Terminal.environment("TZ"), !name.isEmpty {
      return name.hasPrefix(":") ? String(name.dropFirst()) : name
    }
    guard let target = realpath("/etc/localtime", nil) else { return nil }
    defer { free(target) }
    let path = String(cString: target)
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
  }
}
