extension JSONValue {
  /// The value as JSON text on one line, members in order.
  package func serialized() -> String {
    var bytes: [UInt8] = []
    serialize(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as JSON text in UTF-8: no spaces, members in order, doubles as short as they read back, whole
  /// numbers without decimals, what is no number as `null`.
  package func serialize(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): bytes.append(contentsOf: value.description.utf8)
    case .double(let value): Self.serialize(value, into: &bytes)
    case .string(let value): Self.serialize(value, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        element.serialize(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): object.serialize(into: &bytes)
    }
  }

  private static func serialize(_ number: Double, into bytes: inout [UInt8]) {
    if !number.isFinite {
      bytes.append(contentsOf: "null".utf8)
    } else if let whole = Int(exactly: number), whole.magnitude < 1 << 53 {
      bytes.append(contentsOf: whole.description.utf8)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends `text` in quotes; only what JSON demands is escaped.
  fileprivate static func serialize(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0[...], into: &bytes) }
    if isDone == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0[...], into: &bytes) } }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends runs of plain bytes whole, with an escape between them where one is needed.
  private static func escape(_ units: Slice<UnsafeBufferPointer<UInt8>>, into bytes: inout [UInt8]) {
    var rest = units
    while let special = rest.firstIndex(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: rest[..<special])
      escape(rest[special], into: &bytes)
      rest = rest[(special + 1)...]
    }
    bytes.append(contentsOf: rest)
  }

  private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 0xF))
    default: bytes.append(byte)
    }
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}

extension JSONObject {
  /// The object as JSON text on one line, members in order.
  package func serialized() -> String { JSONValue.object(self).serialized() }

  /// Appends the object as JSON text; see ``JSONValue/serialize(into:)``.
  package func serialize(into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONValue.serialize(member.name, into: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.serialize(into: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
