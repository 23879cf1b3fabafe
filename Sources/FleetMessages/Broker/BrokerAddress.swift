/// Where a broker is, as `mqtts://[user@]host[:port]`.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The port of MQTT with TLS (IANA `secure-mqtt`).
  package static let usualPort = 8883

  package var host: String
  package var port: Int
  package var user: String?

  package enum Problem: Error, Hashable, Sendable {
    /// `mqtt:`, `tcp:` or `ws:`.
    case notEncrypted
    /// It has a password, which would stand in the list of processes.
    case hasPassword
    case malformed

    /// A lowercase fragment.
    package var message: String {
      switch self {
      case .notEncrypted: "a broker is reached with TLS only: write `mqtts://host`"
      case .hasPassword:
        "a password does not belong into the address: leave it out and use `--broker-password env:NAME`"
      case .malformed: "write a broker as `mqtts://host`, `mqtts://host:8883` or `mqtts://user@host`"
      }
    }
  }

  package init(_ text: String) throws(Problem) {
    guard let end = text.firstRange(of: "://") else { throw .malformed }
    switch text[..<end.lowerBound] {
    case "mqtts", "ssl": break
    case "mqtt", "tcp", "ws": throw .notEncrypted
    default: throw .malformed
    }
    var rest = text[end.upperBound...]
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    user = nil
    if let at = rest.lastIndex(of: "@") {
      let name = rest[..<at]
      if name.contains(":") { throw .hasPassword }
      if name.isEmpty || name.contains(where: { $0.isWhitespace || $0.isNewline }) { throw .malformed }
      user = String(name)
      rest = rest[rest.index(after: at)...]
    }
    guard let place = Self.place(rest) else { throw .malformed }
    (host, port) = place
  }

  /// A name or an IPv4 address, or an IPv6 address in brackets, each with or without a port.
  private static func place(_ text: Substring) -> (host: String, port: Int)? {
    var (host, rest) = (text, Substring())
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
      guard host.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || isHexadecimal($0) }) else {
        return nil
      }
    } else {
      if let colon = text.firstIndex(of: ":") { (host, rest) = (text[..<colon], text[colon...]) }
      guard host.utf8.allSatisfy(TopicLevel.isPlain) else { return nil }
    }
    guard !host.isEmpty else { return nil }
    if rest.isEmpty { return (String(host), usualPort) }
    guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
    return (String(host), port)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "mqtts://\(user.map { "\($0)@" } ?? "")\(name):\(port)"
  }
}
