package import ScenarioLanguage

/// A moment as a command line says it.
package enum MomentText: Hashable, Sendable {
  case now
  /// A time of today, in seconds since midnight.
  case today(second: Int)
  /// What the clocks of the playlist show.
  case wall(WallTime)
  /// The moment itself, in Unix seconds.
  case time(Int)

  /// What a command line may say, for help.
  package static let usage =
    "write `\"2026-12-24 18:30\"` with its quotes, `18:30` for today, `2026-12-24T18:30:00+01:00`, or `now`"

  /// `now`, `18:30`, `2026-12-24 18:30`, `2026-12-24T18:30:15`, and both with an offset: `+01:00` or `Z`.
  package init?(written text: String) {
    if text == "now" {
      self = .now
    } else if let second = try? TimeScalar.time(text) {
      self = .today(second: second)
    } else if let wall = MomentView.wall(written: text) {
      self = .wall(wall)
    } else if let (reading, offset) = Self.withoutOffset(text), let wall = MomentView.wall(written: reading) {
      self = .time(wall - offset)
    } else {
      return nil
    }
  }

  /// `2026-12-24T18:30:00` and 3600 of `2026-12-24T18:30:00.25+01:00`.
  private static func withoutOffset(_ text: String) -> (reading: String, offset: Int)? {
    // The dashes of the date are no signs.
    guard let sign = text.lastIndex(where: { "Zz+-".contains($0) }), text.utf8.count <= 40,
      text.distance(from: text.startIndex, to: sign) > 10
    else { return nil }
    let written = text[text.index(after: sign)...]
    var offset = 0
    if "Zz".contains(text[sign]) {
      guard written.isEmpty else { return nil }
    } else {
      guard let seconds = try? TimeScalar.time(String(written)), seconds < 86_400 else { return nil }
      offset = text[sign] == "-" ? -seconds : seconds
    }
    let parts = text[..<sign].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // Parts of a second are nothing to a playlist.
    if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) { return nil }
    return (String(parts[0]), offset)
  }
}

extension MomentView {
  /// - Parameter now: In Unix seconds.
  package init(_ program: Program, at moment: MomentText, now: Int) {
    switch moment {
    case .now: self.init(program, atTime: now)
    case .time(let time): self.init(program, atTime: time)
    case .wall(let wall): self.init(program, at: wall)
    case .today(let second):
      self.init(program, at: CivilDate(at: program.zone.wallTime(at: now)).at(second: second))
    }
  }
}
