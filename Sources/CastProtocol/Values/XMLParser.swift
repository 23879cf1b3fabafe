/// Reads XML of other people's servers, within limits: a document type, which could grow or fetch, is refused.
package struct XMLParser {
  package static let mostBytes = 4 << 20
  package static let mostDepth = 64
  package static let mostElements = 50_000

  private let bytes: [UInt8]
  private var position = 0
  private var elements = 0
  private var open: [Open] = []
  private var root: XMLElement?

  /// An element whose end has not come yet.
  private struct Open {
    var element: XMLElement
    /// Its name with its prefix, which the end has to repeat.
    var written: String
    var text: [UInt8] = []
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Returns: The root of the document.
  /// - Throws: What is wrong, and in which line.
  package static func parse(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
    guard bytes.count <= mostBytes else {
      throw XMLError("it is longer than \(mostBytes >> 20) MiB", line: 1)
    }
    var parser = XMLParser(try utf8(bytes))
    return try parser.document()
  }

  /// The bytes as UTF-8: what says that it is Latin-1 is converted.
  private static func utf8(_ bytes: [UInt8]) throws(XMLError) -> [UInt8] {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw XMLError("it is UTF-16, which is not read", line: 1)
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if String(validating: text, as: UTF8.self) != nil { return text }
    let head = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
    guard head.hasPrefix("<?xml"), ["iso-8859-1", "windows-1252"].contains(where: head.contains) else {
      throw XMLError("it is not UTF-8", line: 1)
    }
    return Array(String(String.UnicodeScalarView(text.map { UnicodeScalar($0) })).utf8)
  }

  private mutating func document() throws(XMLError) -> XMLElement {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<") {
        try markup()
      } else {
        try characters()
      }
    }
    if let open = open.last { throw wrong("the element `\(open.written)` has no end") }
    guard let root else { throw wrong("it has no element") }
    return root
  }

  private func wrong(_ message: String) -> XMLError {
    XMLError(message, line: 1 + bytes.prefix(position).count { $0 == 0x0A })
  }

  // MARK: text

  private mutating func characters() throws(XMLError) {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = bytes[position..<end]
    if open.isEmpty {
      guard text.allSatisfy(Self.isSpace) else { throw wrong("text stands outside of the elements") }
    } else {
      let resolved = try resolve(text)
      open[open.count - 1].text += resolved
    }
    position = end
  }

  /// Text with its references replaced by what they mean.
  private func resolve(_ text: ArraySlice<UInt8>) throws(XMLError) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        throw wrong("an `&` begins no reference")
      }
      let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      guard let scalar = Self.scalar(named: name) else { throw wrong("the reference `&\(name);` is not known") }
      result += Array(String(Character(scalar)).utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func scalar(named name: String) -> UnicodeScalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.allSatisfy(\.isHexDigit) else { return nil }
      return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(UnicodeScalar.init)
    }
  }

  // MARK: markup

  private mutating func markup() throws(XMLError) {
    if takes("<!--") { return try skip(past: "-->", "a comment") }
    if takes("<?") { return try skip(past: "?>", "an instruction") }
    if takes("<![CDATA[") {
      let start = position
      try skip(past: "]]>", "a section of characters")
      guard !open.isEmpty else { throw wrong("text stands outside of the elements") }
      open[open.count - 1].text += bytes[start..<(position - 3)]
      return
    }
    if takes("<!") { throw wrong("it has a document type, which is not read") }
    if takes("</") { return try end() }
    position += 1
    try begin()
  }

  private mutating func begin() throws(XMLError) {
    elements += 1
    guard open.count < Self.mostDepth else { throw wrong("its elements are nested more than \(Self.mostDepth) deep") }
    guard elements <= Self.mostElements else { throw wrong("it has more than \(Self.mostElements) elements") }
    guard root == nil || !open.isEmpty else { throw wrong("it has a second root") }
    let written = try name()
    var element = XMLElement(Self.local(written))
    while true {
      let hadSpace = skipSpaces()
      if takes("/>") { return close(Open(element: element, written: written)) }
      if takes(">") {
        open.append(Open(element: element, written: written))
        return
      }
      guard hadSpace else { throw wrong("the element `\(written)` is not written well") }
      let (key, value) = try attribute()
      guard key != "xmlns", !key.hasPrefix("xmlns:") else { continue }
      let local = Self.local(key)
      guard element.attributes.updateValue(value, forKey: local) == nil || local != key else {
        throw wrong("the attribute `\(key)` stands twice")
      }
    }
  }

  private mutating func attribute() throws(XMLError) -> (key: String, value: String) {
    let key = try name()
    skipSpaces()
    guard takes("=") else { throw wrong("the attribute `\(key)` has no value") }
    skipSpaces()
    guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]),
      let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
    else { throw wrong("the value of `\(key)` has no quotes") }
    let text = bytes[(position + 1)..<end]
    guard !text.contains(UInt8(ascii: "<")) else { throw wrong("the value of `\(key)` has a `<`") }
    let value = String(decoding: try resolve(text), as: UTF8.self)
    position = end + 1
    return (key, value)
  }

  private mutating func end() throws(XMLError) {
    let written = try name()
    skipSpaces()
    guard takes(">") else { throw wrong("the end of `\(written)` is not written well") }
    guard let last = open.popLast(), last.written == written else {
      throw wrong("`\(written)` ends where it did not begin")
    }
    close(last)
  }

  private mutating func close(_ ended: Open) {
    var element = ended.element
    let start = ended.text.firstIndex { !Self.isSpace($0) } ?? ended.text.endIndex
    let end = ended.text.lastIndex { !Self.isSpace($0) } ?? start
    element.text = start == ended.text.endIndex ? "" : String(decoding: ended.text[start...end], as: UTF8.self)
    if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
  }

  // MARK: characters

  private mutating func name() throws(XMLError) -> String {
    let rest = bytes[position...].prefix(256)
    let name = rest.prefix { !Self.isSpace($0) && !"/>=<&\"'".utf8.contains($0) }
    guard let first = name.first, !"-.0123456789".utf8.contains(first) else { throw wrong("a name is missing") }
    position += name.count
    return String(decoding: name, as: UTF8.self)
  }

  private static func local(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  @discardableResult
  private mutating func skipSpaces() -> Bool {
    let start = position
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func takes(_ text: StaticString) -> Bool {
    let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if isThere { position += text.utf8CodeUnitCount }
    return isThere
  }

  private mutating func skip(past end: StaticString, _ what: String) throws(XMLError) {
    let count = end.utf8CodeUnitCount
    let found = end.withUTF8Buffer { wanted in
      bytes.count < count
        ? nil
        : (position...max(position, bytes.count - count)).first {
          $0 + count <= bytes.count && bytes[$0..<($0 + count)].elementsEqual(wanted)
        }
    }
    guard let found else { throw wrong("\(what) has no end") }
    position = found + count
  }
}
