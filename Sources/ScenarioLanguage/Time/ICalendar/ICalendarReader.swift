/// Reads the events of an iCalendar text; what else is in it, such as tasks and alarms, is left out.
struct ICalendarReader {
  let zone: TimeZoneRules
  var zones: TimeZoneDatabase
  private(set) var problems: [ICalendar.Problem] = []
  private(set) var problemCount = 0
  private var events: [ICalendarEvent] = []
  /// Those that are left out are counted, too.
  private var eventCount = 0
  /// The components that a line is in, with the lines they begin in.
  private var open: [(name: String, line: Int)] = []
  /// The lines of the event that is being read.
  private var lines: [ICalendarLine] = []
  private var clocks: [String: TimeZoneRules] = [:]

  init(zone: TimeZoneRules, zones: TimeZoneDatabase) {
    self.zone = zone
    self.zones = zones
  }

  mutating func read(_ bytes: [UInt8]) throws(ICalendar.Failure) {
    var isCalendar = false
    for (number, text) in ICalendarLines(bytes) {
      let line = ICalendarLine(text, number: number)
      if !isCalendar {
        guard line?.name == "BEGIN", line?.value.uppercased() == "VCALENDAR" else { throw .notCalendar(line: number) }
        isCalendar = true
      }
      guard let line else {
        // What is wrong with tasks and alarms changes no day.
        if isInEvent || open.count < 2 { report("this is no `NAME:value`", at: number) }
        continue
      }
      switch line.name {
      case "BEGIN":
        open.append((line.value.uppercased(), number))
        if isInEvent {
          lines = []
          eventCount += 1
          guard eventCount <= ICalendar.Limit.events else { throw .tooManyEvents(ICalendar.Limit.events) }
        } else if open.last?.name == "VEVENT" {
          report("an event outside of a calendar is left out", at: number)
        }
      case "END": try end(line)
      default: if isInEvent { lines.append(line) }
      }
    }
    guard isCalendar else { throw .notCalendar(line: 1) }
    if let last = open.last { throw .cutOff(line: last.line) }
  }

  private var isInEvent: Bool { open.count == 2 && open[1].name == "VEVENT" && open[0].name == "VCALENDAR" }

  private mutating func end(_ line: ICalendarLine) throws(ICalendar.Failure) {
    let name = line.value.uppercased()
    guard open.last?.name == name else {
      // Within another component something is missing; what follows would be read as part of it.
      if let last = open.last { throw .cutOff(line: last.line) }
      report("`END:\(ScalarText.shown(name))` ends nothing", at: line.number)
      return
    }
    if isInEvent, let begin = open.last?.line {
      if let event = event(beginning: begin) { events.append(event) }
      lines = []
    }
    open.removeLast()
  }

  /// Adds every day on which an event lies; one that comes again leaves out what others take the place of.
  func mark(_ days: inout ICalendarDays, budget: inout ICalendarDays.Budget) throws(ICalendar.Failure) {
    var replaced: [String: [ICalendarTime]] = [:]
    for event in events {
      if let uid = event.uid, let time = event.replaced { replaced[uid, default: []].append(time) }
    }
    for event in events where !event.isCancelled {
      let others = event.replaced == nil ? event.uid.flatMap { replaced[$0] } ?? [] : []
      try event.mark(&days, without: others, in: zone, budget: &budget)
    }
  }

  // MARK: One event

  private mutating func event(beginning number: Int) -> ICalendarEvent? {
    let isCancelled = lines.contains { $0.name == "STATUS" && $0.value.uppercased() == "CANCELLED" }
    var effect = "the event is left out"
    var first = lines.first { $0.name == "DTSTART" }
    if first == nil, isCancelled {
      // One that only says which occurrence no longer takes place needs no start of its own.
      first = lines.first { $0.name == "RECURRENCE-ID" }
      effect = "it takes the place of nothing"
    }
    guard let line = first else {
      if !isCancelled { report("an event without `DTSTART` is left out", at: number) }
      return nil
    }
    guard let start = attempt(at: line, effect, { reader throws(ICalendarValueError) in try reader.time(line) }) else {
      return nil
    }
    var event = ICalendarEvent(start: start, length: ICalendarLength(), isCancelled: isCancelled)
    for line in lines {
      switch line.name {
      case "UID": event.uid = line.value
      case "DTEND":
        event.length =
          attempt(at: line, "only the start counts") { reader throws(ICalendarValueError) in
            try ICalendarLength(from: start, to: try reader.time(line))
          } ?? ICalendarLength()
      case "DURATION":
        event.length =
          attempt(at: line, "only the start counts") { _ throws(ICalendarValueError) in try ICalendarLength(line.value)
          }
          ?? ICalendarLength()
      case "RRULE":
        let rule = attempt(at: line, "only the first day counts") { _ throws(ICalendarValueError) in
          try ICalendarRule(line.value, clock: start.clock)
        }
        if let rule { event.rules.append(rule) }
      case "EXRULE": report("`EXRULE` is not understood: nothing is left out by it", at: line.number)
      case "RDATE":
        for part in line.value.split(separator: ",") {
          let addition = attempt(at: line, "it is left out") { reader throws(ICalendarValueError) in
            try reader.addition(part, line)
          }
          if let addition { event.additions.append(addition) }
        }
      case "EXDATE":
        for part in line.value.split(separator: ",") {
          let time = attempt(at: line, "nothing is left out by it") { reader throws(ICalendarValueError) in
            try ICalendarTime(part, clock: reader.clock(of: line))
          }
          if let time { event.exceptions.append(time) }
        }
      case "RECURRENCE-ID":
        event.replaced = attempt(at: line, "it takes the place of nothing") { reader throws(ICalendarValueError) in
          try reader.time(line)
        }
        if line.parameters["RANGE"] != nil {
          report("`RANGE=THISANDFUTURE` is not understood: only this one is changed", at: line.number)
        }
      default: break
      }
    }
    return event
  }

  /// `RDATE`: a start, or `start/end` or `start/duration`.
  private mutating func addition(
    _ text: Substring, _ line: ICalendarLine
  ) throws(ICalendarValueError) -> (start: ICalendarTime, length: ICalendarLength?) {
    let parts = text.split(separator: "/", maxSplits: 1)
    let clock = clock(of: line)
    guard let first = parts.first else { throw ICalendarValueError("\(ScalarText.quoted(text)) is no date") }
    let start = try ICalendarTime(first, clock: clock)
    guard parts.count == 2 else { return (start, nil) }
    if parts[1].first == "P" || parts[1].first == "p" { return (start, try ICalendarLength(parts[1])) }
    return (start, try ICalendarLength(from: start, to: try ICalendarTime(parts[1], clock: clock)))
  }

  private mutating func time(_ line: ICalendarLine) throws(ICalendarValueError) -> ICalendarTime {
    try ICalendarTime(line.value, clock: clock(of: line))
  }

  /// The clock of a line's `TZID`; the playlist's own where it names none, or one that nobody knows.
  private mutating func clock(of line: ICalendarLine) -> TimeZoneRules {
    guard let name = line.parameters["TZID"] else { return zone }
    if let known = clocks[name] { return known }
    var rules: TimeZoneRules?
    if clocks.count < ICalendar.Limit.zones {
      // Some programs put a name of their own in front: `/example.org/Europe/Berlin`.
      let parts = name.split(separator: "/")
      rules = zones.rules(name)
      for count in [3, 2] where rules == nil && parts.count >= count {
        rules = zones.rules(parts.suffix(count).joined(separator: "/"))
      }
      if rules == nil {
        report(
          "unknown time zone \(ScalarText.quoted(name)): its times are read by the playlist's clock", at: line.number)
      }
      clocks[name] = rules ?? zone
    } else {
      report("more than \(ICalendar.Limit.zones) time zones: the playlist's clock counts for the rest", at: line.number)
    }
    return rules ?? zone
  }

  // MARK: Problems

  private mutating func attempt<Value>(
    at line: ICalendarLine, _ effect: String, _ body: (inout Self) throws(ICalendarValueError) -> Value
  ) -> Value? {
    do throws(ICalendarValueError) { return try body(&self) } catch {
      report("\(error.message): \(effect)", at: line.number)
      return nil
    }
  }

  private mutating func report(_ message: String, at line: Int) {
    problemCount += 1
    if problems.count < ICalendar.Limit.problems { problems.append(ICalendar.Problem(line: line, message: message)) }
  }
}
