import CastProtocol

/// Reads the stored events of a run, line by line, however damaged they are.
package struct StoredEventReader {
  /// What is wrong with a line.
  package struct Damage: Hashable, Sendable {
    /// From 1.
    package var line: Int
    /// A fragment: `it is cut off`.
    package var text: String
  }

  /// How much of a line is read; longer ones are no events of ours.
  private let lineLimit: Int
  /// An event holds a message of a device, which may be as deep as messages are.
  private var limits: JSONValue.Limits { JSONValue.Limits(depth: 80, length: lineLimit) }
  /// How many damages are remembered; ``damageCount`` has them all.
  package static let damageLimit = 20

  /// How many events were read.
  package private(set) var count = 0
  /// Whether the last of them was `run.finished`.
  package private(set) var isFinished = false
  package private(set) var damages: [Damage] = []
  package private(set) var damageCount = 0

  private var line = 0
  private var lastNumber = 0
  /// Lines that were lost since the event of that number.
  private var lostLines = 0
  private var begun: [UInt8] = []
  private var isTooLong = false

  package init(lineLimit: Int = 32 << 20) { self.lineLimit = lineLimit }

  /// Takes the next bytes, whether or not they end with a line, and gives what they tell to `body`.
  package mutating func read(_ bytes: some Collection<UInt8>, _ body: (Event) throws -> Void) rethrows {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      rest = rest[rest.index(after: end)...]
      if let event = finishLine(isWhole: true) { try body(event) }
    }
    append(rest)
  }

  /// Takes the end of the file.
  package mutating func end(_ body: (Event) throws -> Void) rethrows {
    guard !begun.isEmpty || isTooLong else { return }
    if let event = finishLine(isWhole: false) { try body(event) }
  }

  /// What is wrong with them, a fragment each.
  package var warnings: [String] { warnings(.unknown) }

  /// The same where more is known of a run without an end.
  package func warnings(_ fate: RunFate) -> [String] {
    var warnings = damages.map { "line \($0.line): \($0.text)" }
    let rest = damageCount - damages.count
    if rest > 0 { warnings.append("\(rest) more \(rest == 1 ? "line is" : "lines are") damaged") }
    if count > 0, !isFinished { warnings.append(fate.warning) }
    return warnings
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    if begun.count + bytes.count > lineLimit { isTooLong = true }
    if !isTooLong { begun += bytes }
  }

  /// - Parameter isWhole: Whether a line end was read; else the file is over.
  private mutating func finishLine(isWhole: Bool) -> Event? {
    line += 1
    let bytes = begun
    let wasTooLong = isTooLong
    (begun, isTooLong) = ([], false)
    if wasTooLong { return damaged("it is too long to be an event") }
    if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes, limits: limits)
    } catch {
      return damaged(isWhole ? "it is no JSON" : "it is cut off")
    }
    guard let number = json["n"]?.int, json["type"]?.string != nil else { return damaged("it is no event of a run") }
    guard json["v"]?.int == EventRecord.version else {
      let version = json["v"]?.int.map { "version \($0)" } ?? "an unknown version"
      return damaged("it has \(version) of the events, and this tool reads \(EventRecord.version)")
    }
    // What is told of a lost line is not told again here.
    if number <= lastNumber {
      note("it stands behind an event with a higher number")
    } else if number &- lastNumber > 1 + lostLines {
      note("events before it are missing")
    }
    (lastNumber, lostLines) = (number, 0)
    guard let event = EventRecord(json: json)?.event else {
      // Types that this tool does not know are left out, as of every stream.
      return EventType(rawValue: json["type"]?.string ?? "") == nil ? nil : damaged("it is no event of a run")
    }
    count += 1
    isFinished = event.type == .runFinished
    return event
  }

  private mutating func damaged(_ text: String) -> Event? {
    lostLines += 1
    note(text)
    return nil
  }

  private mutating func note(_ text: String) {
    damageCount += 1
    if damages.count < Self.damageLimit { damages.append(Damage(line: line, text: text)) }
  }
}
