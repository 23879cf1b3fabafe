/// What is true of every page that we write: its tags are closed in their order, all are known, and none could fetch or
/// run anything.
package struct PageRules {
  /// What is wrong with a page.
  package struct Problem: Error, CustomStringConvertible { package var description: String }

  private static let void: Set<String> = ["meta", "link", "img", "br"]
  private static let known: Set<String> = [
    "html", "head", "meta", "title", "link", "style", "body", "main", "h1", "h2", "h3", "h4", "article", "header",
    "footer",
    "section", "div", "span", "p", "a", "b", "i", "s", "small", "code", "pre", "mark", "ul", "ol", "li", "dl", "dt",
    "dd",
    "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure", "img", "svg", "g", "rect", "line",
    "text",
    "path", "script",
  ]
  private static let start = Array("<!doctype html>\n".utf8)

  private let bytes: [UInt8]
  private var place: Int
  private var open: [String] = []
  private var scripts = 0

  /// - Throws: What is wrong.
  package static func check(_ page: String) throws {
    var rules = PageRules(bytes: Array(page.utf8), place: start.count)
    guard rules.bytes.starts(with: start) else { throw Problem(description: "no doctype") }
    while rules.place < rules.bytes.count {
      switch rules.bytes[rules.place] {
      case UInt8(ascii: "<"): try rules.tag()
      case UInt8(ascii: ">"): throw rules.problem("a stray >")
      default: rules.place += 1
      }
    }
    guard rules.open.isEmpty, rules.scripts == 1 else {
      throw Problem(description: "open: \(rules.open), \(rules.scripts) scripts")
    }
  }

  private init(bytes: [UInt8], place: Int) { (self.bytes, self.place) = (bytes, place) }

  private func problem(_ text: String) -> Problem {
    let around = bytes[max(0, place - 60)..<min(bytes.count, place + 60)]
    return Problem(description: "\(text): \(String(decoding: around, as: UTF8.self))")
  }

  private var byte: UInt8 { place < bytes.count ? bytes[place] : 0 }

  private mutating func word() -> String {
    let begin = place
    while byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
    { place += 1 }
    return String(decoding: bytes[begin..<place], as: UTF8.self)
  }

  private mutating func tag() throws {
    place += 1
    let isEnd = byte == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let name = word()
    guard Self.known.contains(name) else { throw problem("<\(name)>") }
    while byte == UInt8(ascii: " ") {
      place += 1
      let attribute = word()
      guard !attribute.isEmpty else { throw problem("no attribute") }
      guard byte == UInt8(ascii: "=") else {
        guard attribute == "open" || attribute == "hidden" else { throw problem("\(attribute) has no value") }
        continue
      }
      place += 1
      guard byte == UInt8(ascii: "\"") else { throw problem("\(attribute) has no quotes") }
      let begin = place + 1
      repeat { place += 1 } while place < bytes.count && byte != UInt8(ascii: "\"")
      try check(attribute, String(decoding: bytes[begin..<place], as: UTF8.self), of: name)
      place += 1
    }
    let isEmpty = byte == UInt8(ascii: "/")
    if isEmpty { place += 1 }
    guard byte == UInt8(ascii: ">") else { throw problem("<\(name)> does not end") }
    place += 1
    if isEnd {
      guard open.popLast() == name else { throw problem("</\(name)> closes another") }
    } else if !isEmpty, !Self.void.contains(name) {
      open.append(name)
      if name == "script" || name == "style" { try skip(to: name) }
    }
  }

  /// What is in a script or a style is no markup.
  private mutating func skip(to name: String) throws {
    if name == "script" { scripts += 1 }
    let end = Array("</\(name)>".utf8)
    while place < bytes.count, !(byte == end[0] && bytes[place...].starts(with: end)) { place += 1 }
    if place >= bytes.count { throw problem("\(name) is not closed") }
  }

  private func check(_ attribute: String, _ value: String, of name: String) throws {
    if attribute.lowercased().hasPrefix("on") || attribute == "style" { throw problem("<\(name)> has \(attribute)") }
    guard ["href", "src", "action", "srcset", "data"].contains(attribute) else { return }
    let isPicture = attribute == "src" && value.hasPrefix("data:image/png;base64,")
    let isOurs = value.hasPrefix("#") || value == "data:," || isPicture
    let isFile =
      attribute == "href" && value.hasSuffix(".png") && !value.contains(":") && !value.hasPrefix("/")
      && !value.contains("..")
    if !isOurs, !isFile { throw problem("<\(name)> leads to \(value)") }
  }
}
