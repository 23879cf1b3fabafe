import CastProtocol

/// A part of a step, as a one-line command writes it.
indirect enum Written {
  /// Typed by the user: what is wrong with it is shown on the command line.
  case word(String)
  /// Chosen by the command.
  case fixed(String)
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

/// A step with the only modifiers that one-line commands need.
struct WrittenStep {
  var verb: String
  var value: Written?
  var timeout: Written?
  var within: Written?

  init(_ verb: String, _ value: Written? = nil, timeout: Written? = nil, within: Written? = nil) {
    self.verb = verb
    self.value = value
    self.timeout = timeout
    self.within = within
  }
}
