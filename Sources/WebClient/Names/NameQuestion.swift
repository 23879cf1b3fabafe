import Glibc

/// A question to a name server, and what an answer to it says (RFC 1035 4).
///
/// Written here because two record types are all we ask for: the libraries there are bring a C library or a server along.
struct NameQuestion: Hashable, Sendable {
  enum Kind: UInt16, Hashable, Sendable, CaseIterable {
    /// IPv4.
    case a = 1
    /// IPv6.
    case aaaa = 28

    fileprivate var byteCount: Int { self == .a ? 4 : 16 }
  }

  struct Answer: Hashable, Sendable {
    /// The server's code: 0 for success, 3 for a name that does not exist.
    var code: Int
    var addresses: [String]
    /// It was cut to fit, and has to be asked for over TCP.
    var isCut: Bool
  }

  let id: UInt16
  let kind: Kind
  /// In lower case, without a point at the end.
  let name: String

  /// - Returns: `nil` for what can be no name: an empty part, one over 63 bytes, or more than 253 in all.
  init?(_ name: String, _ kind: Kind, id: UInt16) {
    let plain = (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
    let parts = plain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard plain.utf8.count <= 253, parts.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
    self.name = plain
    self.kind = kind
    self.id = id
  }

  /// As it is sent: recursion is wanted.
  var bytes: [UInt8] {
    var bytes = Self.big(id) + [1, 0] + Self.big(1) + [0, 0, 0, 0, 0, 0]
    for part in name.utf8.split(separator: UInt8(ascii: ".")) { bytes += [UInt8(part.count)] + part }
    return bytes + [0] + Self.big(kind.rawValue) + Self.big(1)
  }

  /// What a message says; `nil` where it is no answer to this question, or damaged.
  func answer(in message: [UInt8]) -> Answer? {
    var reader = NameMessageReader(message)
    guard let id = reader.number(), id == self.id, let flags = reader.number(), flags & 0xF800 == 0x8000,
      reader.number() == 1, let count = reader.number(), reader.skip(4), reader.name() == name,
      reader.number() == kind.rawValue, reader.number() == 1
    else { return nil }
    var answer = Answer(code: Int(flags & 0xF), addresses: [], isCut: flags & 0x0200 != 0)
    // Nothing of a cut answer counts.
    if answer.isCut { return answer }
    var aliases: [String: String] = [:]
    var found: [(owner: String, address: String)] = []
    for _ in 0..<min(count, Self.mostRecords) {
      guard let owner = reader.name(), let type = reader.number(), let space = reader.number(), reader.skip(4),
        let length = reader.number()
      else { return nil }
      let end = reader.place + Int(length)
      if space == 1, type == 5 {
        guard let target = reader.name(), reader.place == end else { return nil }
        aliases[owner] = target
      } else if space == 1, type == kind.rawValue {
        guard let bytes = reader.bytes(Int(length)), bytes.count == kind.byteCount else { return nil }
        found.append((owner, Self.text(of: bytes)))
      } else {
        guard reader.skip(Int(length)) else { return nil }
      }
    }
    var owner = name
    var steps = 0
    while let next = aliases[owner], steps < Self.mostAliases { (owner, steps) = (next, steps + 1) }
    answer.addresses = found.filter { $0.owner == owner }.map(\.address)
    return answer
  }

  private static let mostRecords: UInt16 = 200
  private static let mostAliases = 16

  private static func big(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  /// As the system writes addresses.
  private static func text(of bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
      return ""
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Reads a message of a name server from its beginning on; never beyond its end.
private struct NameMessageReader {
  private let message: [UInt8]
  private(set) var place = 0

  init(_ message: [UInt8]) { self.message = message }

  mutating func number() -> UInt16? {
    guard let two = bytes(2) else { return nil }
    return UInt16(two[0]) << 8 | UInt16(two[1])
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= message.count - place else { return nil }
    defer { place += count }
    return Array(message[place..<(place + count)])
  }

  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  /// A name in lower case, with what it refers to put in (RFC 1035 4.1.4).
  mutating func name() -> String? {
    var parts: [String] = []
    var size = 0
    var at = place
    var end: Int?
    while true {
      guard at < message.count else { return nil }
      let length = Int(message[at])
      if length == 0 {
        place = end ?? at + 1
        return parts.joined(separator: ".")
      }
      if length & 0xC0 == 0xC0 {
        guard at + 1 < message.count else { return nil }
        let target = (length & 0x3F) << 8 | Int(message[at + 1])
        // Only back, so that it ends.
        guard target < at else { return nil }
        end = end ?? at + 2
        at = target
        size += 1
      } else {
        guard length < 64, at + 1 + length <= message.count else { return nil }
        parts.append(String(decoding: message[(at + 1)...(at + length)], as: UTF8.self).lowercased())
        at += 1 + length
        size += 1 + length
      }
      // Longer names are none, and references count, too.
      guard size <= 255 else { return nil }
    }
  }
}
