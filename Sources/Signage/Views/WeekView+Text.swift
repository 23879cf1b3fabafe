import ScenarioLanguage

extension WeekView {
  /// So many columns at most.
  private static let width = 80
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  /// What `week` prints, lines of at most 80 columns; a newline at the end.
  /// - Parameter isColored: Whether gaps and quiet hours are marked by colour as well.
  package func text(isColored: Bool) -> String {
    let key = Key(stretches)
    var lines = [heading, ""]
    lines += grid(key, isColored)
    lines += [""] + legend(key) + [""]
    lines += details(key)
    lines += summary
    return lines.map { Self.cut(TerminalText.escaped($0), isColored) }.map(paint(isColored)).joined(separator: "\n")
      + "\n"
  }

  private var heading: String {
    guard let first = days.first?.date, let last = days.last?.date else { return "" }
    return "\(program.plan.title), \(ClockText.day(first)) to \(ClockText.day(last)), \(program.zoneName)"
  }

  /// One mark for each thing that is on.
  private struct Key {
    var decisions: [Decision] = []
    private var marks: [Decision: Character] = [:]

    init(_ stretches: [Program.Stretch]) {
      for stretch in stretches where marks[stretch.decision] == nil {
        decisions.append(stretch.decision)
        marks[stretch.decision] = "?"
      }
      decisions.sort { Self.rank($0) < Self.rank($1) }
      var free = WeekView.letters.makeIterator()
      for decision in decisions {
        marks[decision] =
          switch decision.content {
          case .quiet: "."
          case .nothing: "!"
          case .fallback where !decision.isQuiet: "~"
          case .rule, .fallback: free.next() ?? "#"
          }
      }
    }

    private static func rank(_ decision: Decision) -> Int {
      let order =
        switch decision.content {
        case .rule(let index): index
        case .fallback: 1 << 40
        case .quiet: 1 << 41
        case .nothing: 1 << 42
        }
      return order * 2 + (decision.isQuiet ? 1 : 0)
    }

    func mark(_ decision: Decision) -> Character { marks[decision] ?? "?" }
  }

  // MARK: The grid

  private static let margin = 12

  private func grid(_ key: Key, _ isColored: Bool) -> [String] {
    let hours = stride(from: 0, through: 21, by: 3).map { "\($0)".padding(to: 6) }.joined() + "24"
    return [String(repeating: " ", count: Self.margin) + hours]
      + days.map { day in
        let cells = (0..<48).map { cell(day, $0, key) }
        return ClockText.shortDay(day.date).padding(to: Self.margin) + String(cells)
      }
  }

  /// What is on in one half hour of the clock: `+` for several things, a blank where clocks skip it.
  private func cell(_ day: Day, _ index: Int, _ key: Key) -> Character {
    let walls = day.date.at(second: index * 1_800)..<day.date.at(second: (index + 1) * 1_800)
    var marks: Set<Character> = []
    for stretch in day.stretches {
      let pieces = ClockPieces(program.zone, in: stretch.range).pieces
      let isSeen = pieces.contains { range, offset in
        (range.lowerBound + offset..<range.upperBound + offset).overlaps(walls)
      }
      if isSeen { marks.insert(key.mark(stretch.decision)) }
    }
    return marks.count > 1 ? "+" : marks.first ?? " "
  }

  private func legend(_ key: Key) -> [String] {
    var lines = key.decisions.map { decision in
      var text = "\(key.mark(decision))  \(program.name(of: decision))"
      if decision.content != .nothing { text += ": \(program.screen(of: decision))" }
      return "\(text) (line \(decision.decidedBy.line))"
    }
    let unseen = program.plan.program.enumerated().filter { index, _ in
      !key.decisions.contains { $0.content == .rule(index) }
    }
    for (_, rule) in unseen { lines.append("   not in these days: \(rule.during.text) (line \(rule.span.line))") }
    return lines
  }

  // MARK: The days

  /// The times of each day, those alike together.
  private func details(_ key: Key) -> [String] {
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

  private func times(of day: Day, _ key: Key) -> [String] {
    let clock = ClockText(zone: program.zone)
    return day.stretches.map { stretch in
      let isLast = stretch.range.upperBound == day.range.upperBound
      let end = isLast ? "24:00" : clock.reading(stretch.range.upperBound)
      let mark = key.mark(stretch.decision)
      var name = program.name(of: stretch.decision)
      if stretch.decision.isQuiet, name != "quiet" { name += ", in quiet hours" }
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
      lines.append(
        "Interrupt \(interrupt.when): \(count) \(count == 1 ? "time" : "times") (line \(interrupt.span.line))")
    }
    let dark = gaps.reduce(0) { $0 + $1.range.count }
    lines.append(
      dark == 0 ? "No gaps." : "Nothing is on screen for \(Duration.seconds(dark).spelled): the hours marked with !")
    lines += clockChanges.map { clock.sentence(on: $0) + "." }
    if clockChanges.isEmpty, let next = nextClockChange { lines.append("\(clock.sentence(on: next)).") }
    return lines
  }

  // MARK: Lines

  private static func cut(_ line: String, _ isColored: Bool) -> String {
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
