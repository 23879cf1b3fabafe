/// Addresses of documents as editors write them, and paths of files.
package enum DocumentAddress {
  /// The path of a `file:` address of this computer; `nil` for any other.
  package static func path(of address: String) -> String? {
    guard address.utf8.count <= 8_192, let rest = address.dropPrefix("file://") else { return nil }
    let path = rest.hasPrefix("/") ? rest : rest.dropPrefix("localhost") ?? ""
    guard path.hasPrefix("/") else { return nil }
    return decoded(path)
  }

  /// The `file:` address of an absolute path.
  package static func address(of path: String) -> String {
    var result = "file://"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        result += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return result
  }

  /// `nil` where an escape is none, or what comes out is no path.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        break
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension StringProtocol {
  func dropPrefix(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? Substring(dropFirst(prefix.count)) : nil
  }
}
