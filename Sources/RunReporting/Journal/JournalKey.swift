/// What a record of a journal is about: a row, a try of it on a device, a list of steps, a step, one of its conditions.
/// It is the same in each part of a run: `r0.2@TV#1:steps/s3~1.2/s3.1` (docs/runs.md "The journal").
package struct JournalKey: RawRepresentable, Hashable, Comparable, Sendable, EventValue {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  /// That of nothing.
  package init() { rawValue = "" }

  package static func < (first: JournalKey, second: JournalKey) -> Bool { first.rawValue < second.rawValue }

  private func adding(_ text: String) -> JournalKey { JournalKey(rawValue: rawValue + text) }

  // MARK: making

  /// A row, or a repeat of it.
  package static func row(_ index: Int, repeated number: Int? = nil) -> JournalKey {
    JournalKey(rawValue: "r\(index)" + (number.map { ".\($0)" } ?? ""))
  }

  /// The row on one of the devices that it is run on.
  package func on(device choice: String) -> JournalKey { adding("@" + Self.escaped(choice)) }

  /// One try of the row: a scenario.
  package func attempt(_ number: Int) -> JournalKey {
    JournalKey(rawValue: "\(rawValue.prefix { $0 != "#" })#\(number)")
  }

  /// A list of steps of the scenario.
  package func section(_ section: StepSection) -> JournalKey { adding(":\(section.rawValue)") }

  /// A step of the list.
  package func step(_ id: String) -> JournalKey { adding("/\(id)") }

  /// The list inside one try of the step.
  /// - Parameter pass: Which pass of a loop it is.
  package func inside(attempt: Int, pass: Int? = nil) -> JournalKey {
    adding("~\(attempt)" + (pass.map { ".\($0)" } ?? ""))
  }

  /// What the step decides in one try: which branch is taken or, behind a pass, whether it is over.
  package func decision(attempt: Int, pass: Int? = nil) -> JournalKey {
    adding("~\(attempt)?" + (pass.map(String.init) ?? ""))
  }

  /// A device in a key: there `:` ends what is the scenario's, and `#` comes before the try.
  package static func escaped(_ choice: String) -> String {
    choice.replacing("%", with: "%25").replacing(":", with: "%3A").replacing("#", with: "%23")
  }

  package static func choice(_ escaped: String) -> String {
    escaped.replacing("%23", with: "#").replacing("%3A", with: ":").replacing("%25", with: "%")
  }

  // MARK: taking apart

  /// The scenario that it is of.
  package var scenario: JournalKey { JournalKey(rawValue: String(rawValue.prefix { $0 != ":" })) }

  /// The row, and the device's choice where the row is run on several; `nil` where it names none.
  var place: (row: JournalKey, choice: String?)? {
    let parts = scenario.rawValue.prefix { $0 != "#" }.split(separator: "@", maxSplits: 1)
    guard let row = parts.first else { return nil }
    return (JournalKey(rawValue: String(row)), parts.count > 1 ? Self.choice(String(parts[1])) : nil)
  }

  /// What the keys of all steps begin with that are inside: of a scenario, or of a step.
  var innerPrefix: String { rawValue + (rawValue.contains(":") ? "~" : ":") }

  /// What the keys of all that is inside of one try of a step begin with.
  func tryPrefix(_ number: Int) -> String { "\(rawValue)~\(number)" }
}
