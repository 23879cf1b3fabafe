import ScenarioLanguage

extension WeekView {
  /// What `week --ics` prints: an iCalendar object (RFC 5545) with an event for each stretch, its times in UTC.
  /// - Parameter now: Unix time in seconds, for the stamps that say when the calendar was made.
  package func calendar(now: Int) -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//showcaller//week//EN", "CALSCALE:GREGORIAN"]
    for stretch in stretches {
      let decision = stretch.decision
      let start = ClockText.utc(stretch.range.lowerBound)
      lines += [
        "BEGIN:VEVENT",
        "UID:\(start)-\(Self.escaped(program.plan.id))@showcaller",
        "DTSTAMP:\(ClockText.utc(Program.clamped(now)))",
        "DTSTART:\(start)",
        "DTEND:\(ClockText.utc(stretch.range.upperBound))",
        "SUMMARY:\(Self.escaped(program.summary(of: decision)))",
        "DESCRIPTION:\(Self.escaped("\(program.plan.file): \(decision.decidedBy.text)"))",
        "CATEGORIES:\(program.kind(of: decision))",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
      ]
    }
    lines.append("END:VCALENDAR")
    return lines.map(Self.folded).joined()
  }

  /// A value of type TEXT (RFC 5545 3.3.11); controls, which no text may have, and marks that turn text around are
  /// left out.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case _ where scalar.isDisplayControl: continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A line in pieces of at most 75 octets, none of which cuts a character (RFC 5545 3.1).
  static func folded(_ line: String) -> String {
    var result = ""
    var used = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if used + size > 75 {
        result += "\r\n "
        used = 1
      }
      result.unicodeScalars.append(scalar)
      used += size
    }
    return result + "\r\n"
  }
}
