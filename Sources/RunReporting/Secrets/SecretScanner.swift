import CastProtocol

/// Finds values in texts, also percent-encoded, in base64 and escaped for JSON.
///
/// A short value would be found everywhere, so only those of eight bytes and more are looked for.
package struct SecretScanner: Sendable {
  package static let shortest = 8

  private struct Needle: Hashable, Sendable {
    var bytes: [UInt8]
    var placeholder: [UInt8]
    /// How many values have this form.
    var uses = 1
  }

  /// Longest first, by their first byte.
  private var needles: [UInt8: [Needle]] = [:]

  package mutating func add(_ value: String, shownAs placeholder: String) {
    guard value.utf8.count >= Self.shortest else { return }
    for form in Self.forms(of: Array(value.utf8)) where form.count >= Self.shortest {
      guard let first = form.first else { continue }
      let needle = Needle(bytes: form, placeholder: Array(placeholder.utf8))
      if let index = needles[first, default: []].firstIndex(where: { $0.bytes == form }) {
        needles[first]?[index].uses += 1
        continue
      }
      needles[first, default: []].append(needle)
      needles[first]?.sort { $0.bytes.count > $1.bytes.count }
    }
  }

  /// Looks for a value no longer that was added as often as it is removed.
  package mutating func remove(_ value: String) {
    guard value.utf8.count >= Self.shortest else { return }
    for form in Self.forms(of: Array(value.utf8)) where form.count >= Self.shortest {
      guard let first = form.first, let index = needles[first]?.firstIndex(where: { $0.bytes == form })
      else { continue }
      needles[first]?[index].uses -= 1
      if needles[first]?[index].uses == 0 { needles[first]?.remove(at: index) }
      if needles[first]?.isEmpty == true { needles[first] = nil }
    }
  }

  /// How many texts are looked for.
  package var count: Int { needles.values.reduce(0) { $0 + $1.count } }

  /// The text with every value that is in it replaced; of values that overlap no part is left.
  package func hidden(_ text: String) -> String {
    if needles.isEmpty || text.utf8.count < Self.shortest { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    /// What is before it is in the result, or hidden.
    var done = 0
    var last: [UInt8] = []
    for position in bytes.indices {
      guard let needle = needles[bytes[position]]?.first(where: { bytes[position...].starts(with: $0.bytes) }),
        position + needle.bytes.count > done
      else { continue }
      if position >= done {
        result += bytes[done..<position]
        result += needle.placeholder
      } else if needle.placeholder != last {
        result += needle.placeholder
      }
      (done, last) = (position + needle.bytes.count, needle.placeholder)
    }
    if done == 0 { return text }
    result += bytes[done...]
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Forms

  private static func forms(of value: [UInt8]) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = [value]
    // encodeURIComponent, encodeURI, RFC 3986, and forms that write a space as `+`.
    for kept in ["-._~", "-._~!'()*", "-._~!'()*;,/?:@&=+$#", "-._"] {
      for digits in ["0123456789ABCDEF", "0123456789abcdef"] {
        let encoded = percentEncoded(value, keeping: kept, digits: Array(digits.utf8))
        forms.insert(encoded)
        forms.insert(replacing("%20", by: "+", in: encoded))
      }
    }
    for alphabet in ["+/", "-_"] {
      for offset in 0..<3 { forms.insert(base64(value, offset: offset, last: Array(alphabet.utf8))) }
    }
    return forms.union(JSONSpelling.all(of: String(decoding: value, as: UTF8.self)))
  }

  private static func percentEncoded(_ value: [UInt8], keeping kept: String, digits: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in value {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || kept.utf8.contains(byte)
      if isPlain {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return result
  }

  private static func replacing(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position...].starts(with: old.utf8) {
        result += new.utf8
        position += old.utf8.count
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  /// What base64 of a text holds for the value that begins `offset` bytes behind a multiple of three: without the
  /// characters that depend on its neighbours.
  private static func base64(_ value: [UInt8], offset: Int, last: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + last
    let bytes = [UInt8](repeating: 0, count: offset) + value
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
      bits &= (1 << UInt32(count)) - 1
    }
    return Array(result.dropFirst((offset * 8 + 5) / 6))
  }
}
