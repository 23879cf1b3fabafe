import ScenarioLanguage

extension WeekView {
  /// The most columns of a line.
  private static let width = 80

  /// What `week` prints, lines of at most 80 columns; a newline at the end.
  /// - Parameter isColored: Whether gaps and quiet hours are marked by colour as well.
  package func text(isColored: Bool) -> String {
    let key = WeekKey(stretches)
    var lines = [heading, ""]
    lines += grid(key)
    lines += [""] + legend(key) + [""]
    lines += details(key)
    lines += summary
    return lines.map { Self.cut(TerminalText.escaped($0)) }.map(paint(isColored)).joined(separator: "\n")
      + "\n"
  }

  private var heading: String {
    guard let first = days.first?.date, let last = days.last?.date else { return "" }
    return "\(program.plan.title), \(ClockText.day(first)) to \(ClockText.day(last)), \(program.zoneName)"
  }

  // MARK: The grid

  private static let margin = 12

  private func grid(_ key: WeekKey) -> [String] {
    let hours = stride(from: 0, through: 21, by: 3).map { "\($0)".padding(to: 6) }.joined() + "24"
    return [String(repeating: " ", count: Self.margin) + hours]
      + days.map { day in
        let shown = readings(of: day, key)
        let cells = (0..<48).map { index in
          Self.cell(day.date.at(second: index * 1_800)..<day.date.at(second: (index + 1) * 1_800), shown)
        }
        return ClockText.shortDay(day.date).padding(to: Self.margin) + String(cells)
      }
  }

  /// What is on at which readings of the clock; where clocks go back they overlap.
  private func readings(of day: Day, _ key: WeekKey) -> [(walls: Range<WallTime>, mark: Character)] {
    let pieces = ClockPieces(program.zone, in: day.range).pieces
    return day.stretches.flatMap { stretch in
      let mark = key.mark(stretch.decision)
      return pieces.compactMap { range, offset in
        let seen = range.clamped(to: stretch.range)
        return seen.isEmpty ? nil : (seen.lowerBound + offset..<seen.upperBound + offset, mark)
      }
    }
  }

  /// The mark of a half hour: `+` for several things, a blank where clocks skip it.
  private static func cell(
    _ walls: Range<WallTime>, _ shown: [(walls: Range<WallTime>, mark: Character)]
  ) -> Character {
    let marks = shown.filter { $0.walls.overlaps(walls) }.map(\.mark)
    guard let first = marks.first else { return " " }
    return marks.allSatisfy { $0 == first } ? first : "+"
  }

  private func legend(_ key: WeekKey) -> [String] {
    var lines = key.decisions.map { decision in
      let text = "\(key.mark(decision))  line \(decision.decidedBy.line), \(program.name(of: decision))"
      return decision.content == .nothing ? text : "\(text): \(program.screen(of: decision))"
    }
    let unseen = program.plan.program.enumerated().filter { index, _ in
      !key.decisions.contains { $0.content == .rule(index) }
    }
    for (_, rule) in unseen { lines.append("   line \(rule.span.line), not in these days: \(rule.during.text)") }
    return lines
  }

  // MARK: The days

  /// The times of each day, those alike together.
  private func details(_ key: WeekKey) -> [String] {
    let texts = days.map { times(of: $0, key) }
    var lines: [String] = []
    var index = 0
    while index < days.count {
      var last = index
      while last + 1 < days.count, texts[last + 1] == texts[index] { last += 1 }
      let first = ClockText.shortDay(days[index].date)
      lines.append(last == index ? first : "\(first) to \(ClockText.shortDay(days[last].date))")
      lines += texts[index] + [""]
      index = last + 1
    }
    return lines
  }

  private func times(of day: Day, _ key: WeekKey) -> [String] {
    let clock = ClockText(zone: program.zone)
    return day.stretches.map { stretch in
      let isLast = stretch.range.upperBound == day.range.upperBound
      let end = isLast ? "24:00" : clock.reading(stretch.range.upperBound)
      let mark = key.mark(stretch.decision)
      var name = program.name(of: stretch.decision)
      if stretch.decision.goesOnQuietly { name += ", in quiet hours" }
      return "  \(clock.reading(stretch.range.lowerBound))-\(end)  \(mark)  \(name)"
    }
  }

  private var summary: [String] {
    let clock = ClockText(zone: program.zone)
    var lines: [String] = []
    let range = (days.first?.range.lowerBound ?? 0)..<(days.last?.range.upperBound ?? 0)
    let counts = program.cuts(in: range).reduce(into: [:]) { counts, cut in counts[cut.interrupt, default: 0] += 1 }
    for (index, interrupt) in program.plan.interrupts.enumerated() {
      let count = counts[index] ?? 0
      let times = "\(count) \(count == 1 ? "time" : "times")"
      lines.append("Interrupt of line \(interrupt.span.line), \(times): \(interrupt.when)")
    }
    let dark = gaps.reduce(0) { $0 + $1.range.count }
    lines.append(
      dark == 0 ? "No gaps." : "Nothing is on screen for \(Duration.seconds(dark).spelled): the hours marked with !")
    lines += clockChanges.map { clock.sentence(on: $0) + "." }
    if clockChanges.isEmpty, let next = nextClockChange { lines.append("\(clock.sentence(on: next)).") }
    return lines
  }

  // MARK: Lines

  private static func cut(_ line: String) -> String {
    guard DisplayWidth.of(line.unicodeScalars) > width else { return line }
    var text = ""
    var used = 0
    for character in line {
      used += DisplayWidth.of(character.unicodeScalars)
      if used >= width { break }
      text.append(character)
    }
    return text + "…"
  }

  /// Rows of the grid with gaps in red and quiet hours dim.
  private func paint(_ isColored: Bool) -> (String) -> String {
    let starts = Set(days.map { ClockText.shortDay($0.date) })
    return { line in
      guard isColored, line.count == Self.margin + 48,
        starts.contains(where: { line.hasPrefix($0.padding(to: Self.margin)) })
      else { return line }
      return line.prefix(Self.margin)
        + line.dropFirst(Self.margin).map { cell in
          switch cell {
          case "!": "\u{1B}[31m!\u{1B}[0m"
          case ".": "\u{1B}[2m.\u{1B}[0m"
          default: String(cell)
          }
        }.joined()
    }
  }
}

extension String {
  /// With blanks at its end up to a width in characters.
  func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
