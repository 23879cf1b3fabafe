import Glibc

extension HealthFacts {
  /// Looks at all but the daemon, which answers over the network.
  /// - Parameter ports: Where somebody wants to listen.
  package static func read(in surroundings: Surroundings, ports: [(number: Int, user: String)]) -> HealthFacts {
    var facts = HealthFacts()
    facts.interfaces = readInterfaces()
    facts.isInContainer = Files.kind(of: "/.dockerenv") != nil || Files.kind(of: "/run/.containerenv") != nil
    facts.ports = ports.map { Port(number: $0.number, user: $0.user, problem: problem(ofPort: $0.number)) }
    facts.firewalls = readFirewalls()
    facts.isClockSynchronised = readSynchronisation()
    facts.time = surroundings.unixTime()
    let time = SystemTime(surroundings)
    facts.hasZones = time.zoneData("Europe/Paris") != nil
    facts.localZone = time.localZone
    facts.knowsLocalZone = time.localZone.map { time.zoneData($0) != nil } ?? true
    facts.stateFolder = surroundings.stateFolder
    if let folder = facts.stateFolder { (facts.stateProblem, facts.freeBytes) = readState(folder) }
    return facts
  }

  /// The IPv4 addresses of this computer.
  package static var addresses: [String] { readInterfaces().map(\.address) }

  private static func readInterfaces() -> [Interface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [Interface] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let flags = Int32(bitPattern: entry.ifa_flags)
      func has(_ flag: Int) -> Bool { flags & Int32(flag) != 0 }
      found.append(
        Interface(
          name: String(cString: entry.ifa_name),
          address: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
          network: network(of: address, entry.ifa_netmask), isUp: has(Int(IFF_UP)), isLoopback: has(Int(IFF_LOOPBACK)),
          hasMulticast: has(Int(IFF_MULTICAST))))
    }
    return found
  }

  /// - Parameter mask: Which bits of the address are the network's; without it the address alone is.
  private static func network(of address: UnsafePointer<sockaddr>, _ mask: UnsafePointer<sockaddr>?) -> String {
    func number(_ address: UnsafePointer<sockaddr>) -> UInt32 {
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) }
    }
    let bits = mask.map(number) ?? .max
    let start = number(address) & bits
    let bytes = [24, 16, 8, 0].map { "\(start >> UInt32($0) & 0xFF)" }
    return "\(bytes.joined(separator: "."))/\(bits.nonzeroBitCount)"
  }

  private static func problem(ofPort port: Int) -> PortProblem? {
    guard let number = UInt16(exactly: port) else { return .other("there is no such port") }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return .other(FileError.last.message) }
    defer { close(descriptor) }
    // As a server does: what was closed a moment ago is free.
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isBound { return nil }
    switch errno {
    case EADDRINUSE: return .inUse
    case EACCES: return .notAllowed
    default: return .other(FileError.last.message)
    }
  }

  private static func readFirewalls() -> [Firewall] {
    Firewall.allCases.filter { firewall in
      switch firewall {
      case .ufw:
        let text = (try? Files.read("/etc/ufw/ufw.conf", limit: 64 << 10)) ?? []
        return String(decoding: text, as: UTF8.self).split(separator: "\n").contains("ENABLED=yes")
      case .firewalld: return Files.kind(of: "/run/firewalld") != nil
      }
    }
  }

  private static func readSynchronisation() -> Bool? {
    // systemd-timesyncd, chrony and ntpd each leave a trace; the kernel's own word is not in the library of Swift.
    if Files.kind(of: "/run/systemd/timesync/synchronized") != nil { return true }
    if Files.kind(of: "/run/chrony/chronyd.pid") != nil || Files.kind(of: "/run/ntpd.pid") != nil { return true }
    return Files.kind(of: "/run/systemd/timesync") == nil ? nil : false
  }

  private static func readState(_ folder: String) -> (problem: String?, freeBytes: Int?) {
    do throws(FileError) {
      try Files.makeFolders(folder)
      let probe = "\(folder)/.doctor"
      try Files.replace([], at: probe, mode: 0o600)
      unlink(probe)
    } catch {
      return (error.message, nil)
    }
    var space = statvfs()
    guard statvfs(folder, &space) == 0 else { return (nil, nil) }
    return (nil, Int(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize)))
  }
}
