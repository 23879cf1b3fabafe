extension TimeScalar {
  /// RFC 3339 with an offset, as seconds since 1970.
  package static func timestamp(_ text: String) throws(ScalarProblem) -> Double {
    switch Moment(text) {
    case .at(let seconds): return seconds
    case .wrong(let label):
      throw ScalarProblem(
        .t214, "\(ScalarText.quoted(text)) is not a moment in time", label: label,
        help: "date, time and offset: `2026-12-24T18:30:00+01:00`, or `Z` for UTC")
    }
  }

  /// A timestamp taken apart.
  fileprivate enum Moment {
    /// Unix time.
    case at(Double)
    /// Why it is none, in a few words or none.
    case wrong(String)

    init(_ text: String) {
      let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "Tt".contains($0) }
      guard text.utf8.count <= 40 else {
        self = .wrong("")
        return
      }
      guard let date = day(halves[0]), let year = date.year else {
        let isSpaced = text.utf8.count > 10 && day(text.prefix(10))?.year != nil && text.dropFirst(10).first == " "
        self = .wrong(missingDay(String(halves[0])) ?? (isSpaced ? "a `T` stands between date and time" : ""))
        return
      }
      guard halves.count == 2 else {
        self = .wrong("no time and no offset")
        return
      }
      let clock = halves[1].prefix(8)
      guard clock.utf8.count == 8, let second = seconds(clock), second < 86_400 else {
        let isShort = (seconds(clock.prefix(5)) ?? 86_400) < 86_400 && clock.dropFirst(5).first != ":"
        self = .wrong(isShort ? "the time needs its seconds" : "no such time of day")
        return
      }
      let midnight = CivilDate(year: year, month: date.month, day: date.day).at(second: 0)
      self.init(midnight + second, rest: halves[1].dropFirst(8))
    }

    /// - Parameter rest: Decimals of the second and the offset.
    private init(_ wall: WallTime, rest: Substring) {
      var rest = rest
      var fraction = 0.0
      if rest.first == "." {
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(1 + digits.count)
        fraction = Double("0.\(digits)") ?? 0
        if digits.isEmpty {
          self = .wrong("")
          return
        }
      }
      if rest == "Z" || rest == "z" {
        self = .at(Double(wall) + fraction)
      } else if let sign = rest.first, "+-".contains(sign), rest.utf8.count == 6,
        let offset = seconds(rest.dropFirst()), offset < 86_400
      {
        self = .at(Double(sign == "-" ? wall + offset : wall - offset) + fraction)
      } else {
        self = .wrong(rest.isEmpty ? "no offset" : "the offset is `+01:00`, `-05:00` or `Z`")
      }
    }
  }
}

extension ScalarSpec {
  static let timestamp = ScalarSpec(
    "timestamp", "a moment in time", "date, time and offset: `2026-12-24T18:30:00+01:00`, `Z` for UTC",
    refused: "without an offset",
    pattern: #"\#(SchemaPatterns.date)[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"#,
    examples: ["2026-12-24T18:30:00+01:00"], isOrdered: true, variable: .init("timestamp", .timestamp)
  ) { text, _ throws(ScalarProblem) in .moment(try TimeScalar.timestamp(text)) }
}
