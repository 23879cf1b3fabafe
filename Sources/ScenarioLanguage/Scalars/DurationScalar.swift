/// Durations as documents write them: `500ms`, `1m30s`, `1.5s` (docs/language/values.md "Spellings").
package enum DurationScalar {
  static let units: [(name: String, milliseconds: Int)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]
  static let longest = Duration.seconds(366 * 86_400)

  /// Reads a duration; with a sign when `signed`.
  /// - Parameter allowsClock: Whether it may be written as players show it, too: `1:05`, `1:02:03`.
  package static func read(
    _ text: String, signed: Bool = false, allowsClock: Bool = false
  ) throws(ScalarProblem) -> Duration {
    guard let sign = text.first, sign == "-" || sign == "+" else {
      let time = allowsClock ? clock(text) : nil
      let value = if let time { time } else { try unsigned(text) }
      if signed {
        throw ScalarProblem(
          .t201, "a relative duration needs a sign", label: "forwards or back?",
          help: "`+\(ScalarText.shown(text))` or `-\(ScalarText.shown(text))`")
      }
      return value
    }
    let rest = String(text.dropFirst())
    guard signed else {
      let isOtherwiseRight = (try? unsigned(rest)) != nil
      throw ScalarProblem(
        .t213, "a duration has no sign: \(ScalarText.quoted(text))",
        help: isOtherwiseRight ? "write `\(rest)`" : usage)
    }
    let value = try shifted(by: 1) { () throws(ScalarProblem) in
      if allowsClock, let time = clock(rest) { return time }
      do throws(ScalarProblem) { return try unsigned(rest) } catch { throw error.signed(sign) }
    }
    return sign == "-" ? .zero - value : value
  }

  private static let usage = "units are ms, s, m, h, d, largest first: `1h30m`, `2m5.5s`"

  /// A time as players show it; `nil` for anything else.
  private static func clock(_ text: String) -> Duration? {
    // Only the first part may have another number of digits, or be 60 and more.
    guard let time = ScalarText.groups(text, separatedBy: UInt8(ascii: ":")), time.width <= 3, time.second < 60,
      time.third ?? 0 < 60
    else { return nil }
    let minutes = time.third == nil ? time.first : time.first * 60 + time.second
    return .seconds(minutes * 60 + (time.third ?? time.second))
  }

  private static func shifted(
    by offset: Int, _ body: () throws(ScalarProblem) -> Duration
  ) throws(ScalarProblem) -> Duration {
    do { return try body() } catch {
      var problem = error
      problem.range = problem.range.map { $0.lowerBound + offset..<$0.upperBound + offset }
      throw problem
    }
  }

  private static func unsigned(_ text: String) throws(ScalarProblem) -> Duration {
    if let duration = plain(text) { return duration }
    if ScalarText.decimal(text, signed: false) != nil {
      let shown = ScalarText.shown(text)
      throw ScalarProblem(
        .t201, "a duration needs a unit", label: "\(shown) what?",
        help: "`\(shown)s` for seconds, `\(shown)ms` for milliseconds, `\(shown)m` for minutes")
    }
    if let problem = sexagesimal(text) { throw problem }
    if let meant = meant(by: text) {
      throw ScalarProblem(
        .t203, "\(ScalarText.quoted(text)) is not a duration", label: Suggestions.label(meant), help: usage)
    }
    if text.isEmpty || text.utf8.count > 60 {
      throw ScalarProblem(.t203, "\(ScalarText.quoted(text)) is not a duration", help: usage)
    }
    return try sum(parts(of: text), in: text)
  }

  /// A fast way for whole numbers with their units, as nearly all durations are; `nil` leaves the text to the reader
  /// that also says what is wrong with it.
  private static func plain(_ text: String) -> Duration? {
    var bytes = text.utf8.makeIterator()
    var next = bytes.next()
    var (total, longestUnit) = (0, Int.max)
    repeat {
      var (number, digits) = (0, 0)
      while let byte = next, ScalarText.isDigit(byte), digits < 9 {
        (number, digits) = (number * 10 + Int(byte - 0x30), digits + 1)
        next = bytes.next()
      }
      let letter = next
      next = bytes.next()
      let unit: Int
      switch letter {
      case UInt8(ascii: "d"): unit = 86_400_000
      case UInt8(ascii: "h"): unit = 3_600_000
      case UInt8(ascii: "m") where next == UInt8(ascii: "s"):
        unit = 1
        next = bytes.next()
      case UInt8(ascii: "m"): unit = 60_000
      case UInt8(ascii: "s"): unit = 1_000
      default: return nil
      }
      guard digits > 0, unit < longestUnit else { return nil }
      total += number * unit
      longestUnit = unit
    } while next != nil
    let duration = Duration.milliseconds(total)
    return duration <= longest ? duration : nil
  }

  /// `1,5s`, `1h30` and `PT1H30M` as `1.5s`, `1h30m` and `1h30m`.
  private static func meant(by text: String) -> String? {
    guard (2...20).contains(text.utf8.count) else { return nil }
    var result = text
    let isISO = text.hasPrefix("PT") || text.hasPrefix("P")
    if isISO {
      result = text.dropFirst().filter { $0 != "T" }.lowercased()
    } else if text.utf8.count(where: { $0 == 0x2C }) == 1 {
      result = text.replacing(",", with: ".")
    } else if let letter = text.lastIndex(where: \.isLetter), ScalarText.isDigits(text[text.index(after: letter)...]),
      let next = ["d": "h", "h": "m", "m": "s"][text[letter]],
      text.utf8.filter({ !(0x30...0x39).contains($0) }).count == 1
    {
      result += next
    }
    // What still has another mistake is told by that one.
    guard result != text, let sum = try? sum(parts(of: result), in: result), sum > .zero else { return nil }
    return result
  }

  /// `5 min` and `1 h 30 min` as `5m` and `1h30m`.
  private static func tight(_ text: String) -> String? {
    var result = ""
    var rest = text.filter { !$0.isWhitespace }[...]
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard !number.isEmpty, let name = Suggestions.unit(String(unit)) else { return nil }
      result += number + name
    }
    return (try? unsigned(result)) == nil ? nil : result
  }

  private struct Part {
    var number: Substring
    var unit: Substring
    /// Where the unit begins, in scalars.
    var offset: Int
  }

  private static func parts(of text: String) throws(ScalarProblem) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...]
      let unit = rest.prefix { !($0.isASCII && $0.isNumber) && $0 != "." }
      rest = rest[unit.endIndex...]
      guard ScalarText.decimal(number, signed: false) != nil, !unit.isEmpty else {
        let whole = text.hasPrefix(".") ? "0" + text : text.replacing(".", with: "", maxReplacements: 1)
        let isPoint = text.hasPrefix(".") || number.hasSuffix(".")
        throw ScalarProblem(
          .t203, "\(ScalarText.quoted(text)) is not a duration",
          help: isPoint && !whole.contains("..") && (try? unsigned(whole)) != nil ? "write `\(whole)`" : usage)
      }
      if unit.contains(where: \.isWhitespace) {
        throw ScalarProblem(
          .t203, "a duration has no spaces: \(ScalarText.quoted(text))",
          help: tight(text).map { "write `\($0)`" } ?? usage)
      }
      let offset = text.unicodeScalars.distance(from: text.startIndex, to: unit.startIndex)
      parts.append(Part(number: number, unit: unit, offset: offset))
    }
    return parts
  }

  private static func sum(_ parts: [Part], in text: String) throws(ScalarProblem) -> Duration {
    var total = Duration.zero
    var lastRank = -1
    for (position, part) in parts.enumerated() {
      let range = part.offset..<part.offset + part.unit.unicodeScalars.count
      guard let rank = units.firstIndex(where: { $0.name == part.unit }) else {
        let suggestion = Suggestions.unit(String(part.unit))
        throw ScalarProblem(
          .t203, "unknown unit \(ScalarText.quoted(part.unit)) in \(ScalarText.quoted(text))",
          label: Suggestions.label(suggestion), at: range, help: usage)
      }
      guard rank > lastRank else {
        let message = rank == lastRank ? "unit `\(part.unit)` comes twice" : "the largest unit comes first"
        throw ScalarProblem(.t203, "\(message): \(ScalarText.quoted(text))", at: range, help: reordered(parts) ?? usage)
      }
      lastRank = rank
      if position < parts.count - 1, part.number.contains(".") {
        throw ScalarProblem(.t203, "only the last unit may have decimals: \(ScalarText.quoted(text))", help: usage)
      }
      guard let amount = duration(part.number, milliseconds: units[rank].milliseconds), total + amount <= longest else {
        throw ScalarProblem(.t213, "\(ScalarText.quoted(text)) is too long", label: "at most 366d")
      }
      total += amount
    }
    return total
  }

  /// `number` times a unit, exact to the ninth decimal; `nil` when it is far too large.
  private static func duration(_ number: Substring, milliseconds: Int) -> Duration? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = ScalarText.int(first, upTo: 12), whole <= 400 * 86_400_000 else {
      return nil
    }
    var result = Duration.milliseconds(whole * milliseconds)
    if parts.count == 2 {
      let digits = parts[1].prefix(9)
      guard let fraction = ScalarText.int(digits) else { return nil }
      var scale = 1
      for _ in digits { scale *= 10 }
      // In 128 bits: nine decimals of a day are more than an `Int` holds.
      result += .milliseconds(milliseconds) * fraction / scale
    }
    return result
  }

  private static func reordered(_ parts: [Part]) -> String? {
    var seen: Set<Int> = []
    var ranked: [(rank: Int, text: String)] = []
    for part in parts {
      guard let rank = units.firstIndex(where: { $0.name == part.unit }), seen.insert(rank).inserted else { return nil }
      ranked.append((rank, String(part.number + part.unit)))
    }
    return "write `\(ranked.sorted { $0.rank < $1.rank }.map(\.text).joined())`"
  }

  /// `1h2m3s`; what is zero is left out.
  private static func spelled(_ numbers: [Int], _ units: String) -> String {
    let parts = zip(numbers, units).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
    return parts.isEmpty ? "0s" : parts.joined()
  }

  /// `1:30` and `1:02:03`, which YAML 1.1 reads as numbers in base 60.
  private static func sexagesimal(_ text: String) -> ScalarProblem? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ ScalarText.int($0, upTo: 4) != nil }) else { return nil }
    let numbers = parts.compactMap { ScalarText.int($0) }
    let readings =
      numbers.count == 2
      ? [spelled(numbers, "ms"), spelled(numbers, "hm")] : [spelled(numbers, "hms")]
    var base60 = 0
    for number in numbers { base60 = base60 * 60 + number }
    return ScalarProblem(
      .t202, "`\(text)` is not a duration",
      help: "write `\(readings[0])`"
        + (readings.count > 1 && readings[0] != readings[1] ? " (or `\(readings[1])`)" : ""),
      note: "YAML 1.1 tools read \(text) as the number \(base60) (base 60); showcaller never does"
    ).onCommandLine("write `1m30s`; positions may be `1:30`, too, with two digits below 60 behind the colon")
  }
}

extension ScalarProblem {
  /// The same problem of a text with a sign: what it says to write has it, too.
  fileprivate func signed(_ sign: Character) -> ScalarProblem {
    func signed(_ text: String) -> String {
      if code == .t201 {
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
          word.hasPrefix("`") ? "`\(sign)\(word.dropFirst())" : String(word)
        }.joined(separator: " ")
      }
      if let meant = Suggestions.meant(by: text) { return Suggestions.label("\(sign)\(meant)") }
      return text.replacing("write `", with: "write `\(sign)").replacing("(or `", with: "(or `\(sign)")
    }
    var result = self
    // What is said of a part of the text, such as its unit, has no sign.
    if range == nil { result.label = code == .t201 ? "\(sign)\(label)" : signed(label) }
    result.footers = footers.map { footer in
      if case .help(let text) = footer { .help(signed(text)) } else { footer }
    }
    return result
  }
}

extension ScalarSpec {
  static let duration = ScalarSpec(
    "duration", "a duration",
    "numbers with units `ms s m h d`, largest first, each once, only the last with decimals; at most 366d: `500ms`, "
      + "`30s`, `1m30s`, `2h`, `1.5s`", refused: "`30`, `1:30`, `30 s`, `30sec`, `30s1m`",
    pattern: SchemaPatterns.duration, examples: ["30s", "1m30s", "500ms"],
    isOrdered: true, variable: .init("duration", .duration, .duration)
  ) { text, _ throws(ScalarProblem) in .duration(try DurationScalar.read(text)) }

  static let signedDuration = ScalarSpec(
    "signed duration", "a duration", "a duration with its sign: `+30s`, `-10s`", refused: "`30s`",
    pattern: "[+-]\(SchemaPatterns.duration)", examples: ["+30s", "-10s"],
    isOrdered: true, variable: .init("signed_duration", .signedDuration, .duration)
  ) { text, context throws(ScalarProblem) in
    .duration(try DurationScalar.read(text, signed: true, allowsClock: context.isTyped))
  }
}
