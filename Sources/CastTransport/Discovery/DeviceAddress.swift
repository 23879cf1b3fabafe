import Glibc

/// One address of a device, as its A or AAAA record has it.
struct DeviceAddress: Hashable, Comparable {
  /// As ``TLSClient`` takes it.
  let text: String
  /// IPv4, routable IPv6, link-local IPv6: the order in which to try.
  private let rank: Int
  private let bytes: [UInt8]

  /// - Parameters:
  ///   - bytes: Four or sixteen, in network order.
  ///   - interface: The index of the interface the answer came by; the scope of a link-local address.
  /// - Returns: `nil` for what is no address of a device: other lengths, unspecified, multicast and broadcast, and
  ///   this machine's own loopback unless the answer came from there.
  init?(_ bytes: [UInt8], interface: UInt32) {
    let name = Self.interfaceName(interface)
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    switch bytes.count {
    case 4:
      guard bytes[0] != 0, bytes[0] < 224, bytes[0] != 127 || name == "lo" else { return nil }
      guard inet_ntop(AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return nil }
      rank = 0
    case 16:
      let isSmall = bytes.dropLast().allSatisfy { $0 == 0 }
      guard bytes[0] != 0xFF, !isSmall || (bytes[15] == 1 && name == "lo") else { return nil }
      guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return nil }
      rank = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? 2 : 1
    default: return nil
    }
    let plain = Self.string(text)
    self.text = rank == 2 ? "\(plain)%\(name ?? String(interface))" : plain
    self.bytes = bytes
  }

  var isIPv4: Bool { rank == 0 }

  static func < (left: DeviceAddress, right: DeviceAddress) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    return left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static func interfaceName(_ index: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &name) != nil else { return nil }
    return Self.string(name)
  }

  /// What a C function left in a buffer.
  private static func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
