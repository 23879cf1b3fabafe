/// Reads the five fields of cron.
extension CronExpression {
  private enum Field: Int, CaseIterable {
    case minute, hour, day, month, weekday

    var noun: String {
      switch self {
      case .minute: "minute"
      case .hour: "hour"
      case .day: "day"
      case .month: "month"
      case .weekday: "weekday"
      }
    }

    var limits: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .day: 1...31
      case .month: 1...12
      case .weekday: 0...7
      }
    }

    /// Names for numbers, the first for the smallest.
    var names: [String] {
      switch self {
      case .month: CivilDate.monthNames.map { $0.prefix(3).lowercased() }
      case .weekday: ["sun"] + CivilDate.dayNames
      default: []
      }
    }
    /// The name meant; `fri-mon`, which cron does not know, in two stretches.
    func suggestion(for part: Substring) -> String? {
      let ends = part.lowercased().split(separator: "-").map(String.init)
      if self == .weekday, ends.count == 2, ends.allSatisfy(names.contains) {
        return "\(ends[0])-sun,\(ends[1] == "mon" ? "mon" : "mon-\(ends[1])")"
      }
      return names.isEmpty ? nil : Suggestions.nearest(to: String(part), among: names)
    }

    var help: String {
      let range = "a number from \(limits.lowerBound) to \(limits.upperBound)"
      return switch self {
      case .month: "\(range) or a name, `*`, `a-b`, `a,b` or `*/n`: `1-6`, `jan,jul`"
      case .weekday: "\(range) (0 and 7 are Sunday) or a name, `*`, `a-b`, `a,b` or `*/n`: `mon-fri`"
      default: "\(range), `*`, `a-b`, `a,b` or `*/n`"
      }
    }
  }

  private static let usage = "minute hour day month weekday: `30 2 * * mon-fri`"
  private static let nicknames = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
  ]

  package init(_ text: String) throws(ScalarProblem) {
    guard text.utf8.count <= 200 else { throw ScalarProblem(.t217, "this cron time is too long", help: Self.usage) }
    let fields = Self.fields(of: text)
    guard fields.count == 5 else {
      let meant = Self.nicknames[text.lowercased()]
      let count = fields.count == 1 ? "only one" : fields.isEmpty ? "none" : "\(fields.count) fields"
      throw ScalarProblem(
        .t217, "a cron time has five fields",
        label: Suggestions.label(meant, else: fields.count == 6 ? "6 fields: leave seconds out" : count),
        help: Self.usage)
    }
    var values: [SmallNumbers] = []
    for field in Field.allCases {
      let (part, offset) = fields[field.rawValue]
      values.append(try Self.values(of: part, field, at: offset))
    }
    self.text = text
    minutes = Array(values[0])
    hours = Array(values[1])
    days = values[2]
    months = values[3]
    weekdays = SmallNumbers(values[4].lazy.map { ($0 + 6) % 7 })
    isDayFree = fields[2].text.utf8.first == UInt8(ascii: "*")
    isWeekdayFree = fields[4].text.utf8.first == UInt8(ascii: "*")
    isHourly = values[1].count == 24
    timeRange = fields[0].offset..<fields[1].offset + fields[1].text.unicodeScalars.count
    guard comesTrue else {
      throw ScalarProblem(
        .t217, "\(ScalarText.quoted(text)) never comes", label: "no such day in any year",
        at: fields[2].offset..<fields[3].offset + fields[3].text.unicodeScalars.count)
    }
  }

  /// The parts between blanks, with the place of each in scalars.
  private static func fields(of text: String) -> [(text: Substring, offset: Int)] {
    let scalars = text.unicodeScalars
    var fields: [(text: Substring, offset: Int)] = []
    var start: (index: String.Index, offset: Int)?
    var offset = 0
    for index in scalars.indices {
      if scalars[index] == " " || scalars[index] == "\t" {
        if let start { fields.append((text[start.index..<index], start.offset)) }
        start = nil
      } else if start == nil {
        start = (index, offset)
      }
      offset += 1
    }
    if let start { fields.append((text[start.index...], start.offset)) }
    return fields
  }

  /// The parts between separators, empty ones included.
  private static func parts(of text: Substring, between separator: UInt8) -> [Substring] {
    guard text.utf8.contains(separator) else { return [text] }
    return text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
  }

  private static func values(
    of text: Substring, _ field: Field, at offset: Int
  ) throws(ScalarProblem) -> SmallNumbers {
    var result = SmallNumbers()
    var start = offset
    for part in parts(of: text, between: UInt8(ascii: ",")) {
      let length = part.unicodeScalars.count
      if let problem = longStep(part, field, at: start..<start + length) { throw problem }
      guard let values = values(ofPart: part, field) else {
        let suggestion = field.suggestion(for: part)
        throw ScalarProblem(
          .t217, "\(ScalarText.quoted(part)) is not the \(field.noun) of a cron time",
          label: Suggestions.label(suggestion),
          at: length == 0 ? offset..<offset + text.unicodeScalars.count : start..<start + length, help: field.help)
      }
      result.formUnion(values)
      start += length + 1
    }
    return result
  }

  /// `*/90`: a step that leads out of the hour, day, month or year at once, which cron takes for `0`.
  private static func longStep(_ part: Substring, _ field: Field, at range: Range<Int>) -> ScalarProblem? {
    guard part.utf8.starts(with: "*/".utf8), let step = ScalarText.int(Substring(part.utf8.dropFirst(2)), upTo: 4),
      step > field.limits.upperBound - field.limits.lowerBound + 1
    else { return nil }
    let every: String? =
      switch field {
      case .minute where step <= 1_440: "`every: \(step)m` instead of `cron` counts across hours"
      case .hour where step <= 24: "`every: \(step)h` instead of `cron` counts across days"
      default: nil
      }
    return ScalarProblem(
      .t217, "\(ScalarText.quoted(part)) is a longer step than a cron time can go",
      label: "starts anew each time", at: range, help: every ?? field.help)
  }

  /// One entry of a list: `*`, `5`, `mon-fri`, `*/15`, `8-18/2`.
  private static func values(ofPart part: Substring, _ field: Field) -> SmallNumbers? {
    let halves = parts(of: part, between: UInt8(ascii: "/"))
    guard let base = halves.first, halves.count <= 2 else { return nil }
    var step = 1
    if halves.count == 2 {
      guard let number = ScalarText.int(halves[1], upTo: 2), number > 0 else { return nil }
      step = number
    }
    if base == "*" {
      return SmallNumbers(stride(from: field.limits.lowerBound, through: field.limits.upperBound, by: step))
    }
    let ends = parts(of: base, between: UInt8(ascii: "-"))
    // A step needs a stretch to step through.
    guard (halves.count == 1 ? 1...2 : 2...2).contains(ends.count), let low = number(ends[0], field),
      let last = ends.last, var high = number(last, field)
    else { return nil }
    // `fri-sun`: Sunday ends a stretch as 7 and begins one as 0.
    if field == .weekday, ends.count == 2, high == 0, low > 0 { high = 7 }
    guard low <= high else { return nil }
    return SmallNumbers(stride(from: low, through: high, by: step))
  }

  private static func number(_ text: Substring, _ field: Field) -> Int? {
    if let number = ScalarText.int(text, upTo: 2) { return field.limits.contains(number) ? number : nil }
    return field.names.firstIndex(of: text.lowercased()).map { field.limits.lowerBound + $0 }
  }
}

extension CronExpression: Codable {
  /// Reads the text that ``encode(to:)`` wrote.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(ScalarProblem) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// The text alone, which says all that is read from it.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ScalarSpec {
  static let cron = ScalarSpec(
    "cron", "a cron time", "minute, hour, day of the month, month, day of the week: `\"*/15 6-22 * * *\"`",
    refused: "six fields, `@daily`", pattern: #"\s*[^\s]+([ \t]+[^\s]+){4}\s*"#, examples: ["*/15 6-22 * * *"]
  ) { text, _ throws(ScalarProblem) in .cron(try CronExpression(text)) }
}
