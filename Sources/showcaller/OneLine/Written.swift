import CastProtocol
import ScenarioLanguage

/// A part of a step, as a one-line command writes it.
indirect enum Written {
  /// Typed by the user: what is wrong with it is shown on the command line.
  case word(String)
  /// Typed by the user as `shown`, which means `text`.
  case meant(text: String, shown: String)
  /// Read from a line of a file: what is wrong with it is shown there.
  case listed(String, WordPlace)
  /// Chosen by the command.
  case fixed(String)
  /// A value that an earlier step saved.
  case saved(String)
  case json(JSONValue)
  case map([(key: String, value: Written)])
  /// Its keys are the user's, too.
  case typedMap([(key: String, value: Written)])
  case list([Written])

  /// What a user typed, or nothing.
  init?(_ word: Word?) {
    guard let word else { return nil }
    self = .word(word.text)
  }
}

/// Where something stands on the command line, or in a list of addresses.
struct WordPlace {
  /// The list; `nil`: the command line.
  var list: SourceFile?
  var line = 1
  var columns: Range<Int>
}

/// A step with the only modifiers that one-line commands need.
struct WrittenStep {
  var verb: String
  var value: Written?
  var timeout: Written?
  var within: Written?
  /// A status field to keep, under a name.
  var save: (name: String, field: String)?

  /// For commands that only tell what the device is like; it takes no time, and so no limit of its own.
  static var nothing: WrittenStep { WrittenStep("mark", .fixed("status")) }

  /// Whether it can be given a time limit.
  var takesTimeout: Bool { verb != Self.nothing.verb }

  init(_ verb: String, _ value: Written? = nil, timeout: Written? = nil, within: Written? = nil) {
    self.verb = verb
    self.value = value
    self.timeout = timeout
    self.within = within
  }
}
