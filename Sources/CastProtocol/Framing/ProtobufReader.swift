/// Reads the fields of one protobuf message of a peer, without copying. Source: docs/security.md S3.
///
/// As strict as the library that it is tested against: no field number 0, no varint over ten bytes, nothing that ends
/// early, no group that nothing opened.
struct ProtobufReader {
  /// What follows a tag.
  enum Format: UInt8 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case groupStart = 3
    case groupEnd = 4
    case fixed32 = 5
  }

  struct Tag {
    var field: Int
    var format: Format
  }

  /// How deep groups, which nobody sends, may be nested.
  private static let depthLimit = 9
  private static let malformed = ProtocolError.malformedMessage("not a cast message")

  private let buffer: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ buffer: UnsafeBufferPointer<UInt8>) { self.buffer = buffer }

  private var available: Int { buffer.count - position }

  /// The tag of the next field; `nil` at the end.
  mutating func nextTag() throws(ProtocolError) -> Tag? {
    if available == 0 { return nil }
    let start = position
    let tag = try self.tag()
    // A tag is a number of 32 bits, in five bytes at most.
    if position - start > 5 || tag.format == .groupEnd { throw Self.malformed }
    return tag
  }

  private mutating func tag() throws(ProtocolError) -> Tag {
    let number = try varint()
    guard number < UInt64(UInt32.max), number > 7, let format = Format(rawValue: UInt8(number & 7)) else {
      throw Self.malformed
    }
    return Tag(field: Int(number >> 3), format: format)
  }

  mutating func varint() throws(ProtocolError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < buffer.count, shift < 70 {
      let byte = buffer[position]
      position += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Self.malformed
  }

  mutating func bytes() throws(ProtocolError) -> UnsafeBufferPointer<UInt8> {
    let count = try varint()
    guard count <= UInt64(available) else { throw Self.malformed }
    let start = position
    position += Int(count)
    return UnsafeBufferPointer(rebasing: buffer[start..<position])
  }

  mutating func string() throws(ProtocolError) -> String { try Self.string(bytes()) }

  static func string(_ bytes: UnsafeBufferPointer<UInt8>) throws(ProtocolError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed }
    return text
  }

  /// Passes over what follows `tag`.
  mutating func skip(_ tag: Tag) throws(ProtocolError) { try skip(tag, depth: 0) }

  private mutating func skip(_ tag: Tag, depth: Int) throws(ProtocolError) {
    switch tag.format {
    case .varint: _ = try varint()
    case .fixed64: try skip(8)
    case .fixed32: try skip(4)
    case .bytes: _ = try bytes()
    case .groupEnd: throw Self.malformed
    case .groupStart:
      guard depth < Self.depthLimit else { throw Self.malformed }
      while true {
        let inner = try self.tag()
        if inner.format == .groupEnd {
          guard inner.field == tag.field else { throw Self.malformed }
          return
        }
        try skip(inner, depth: depth + 1)
      }
    }
  }

  private mutating func skip(_ count: Int) throws(ProtocolError) {
    guard available >= count else { throw Self.malformed }
    position += count
  }
}

/// Writes the fields of a protobuf message whose numbers are below 16.
enum ProtobufWriter {
  static func append(_ field: Int, _ small: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(field << 3))
    bytes.append(small)
  }

  static func append(_ field: Int, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(field << 3 | 2))
    var count = UInt64(content.count)
    while count > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: count) | 0x80)
      count >>= 7
    }
    bytes.append(UInt8(count))
    bytes.append(contentsOf: content)
  }

  /// How long a field of `count` bytes is.
  static func length(of count: Int) -> Int {
    var length = 2 + count
    var rest = count >> 7
    while rest > 0 {
      length += 1
      rest >>= 7
    }
    return length
  }
}
