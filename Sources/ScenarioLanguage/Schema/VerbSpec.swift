/// One verb of a step: its short form, its long form, what may stand next to it, and what its pages say.
package final class VerbSpec: Sendable {
  /// The families of docs/language/steps.md "Steps".
  package enum Family: String, CaseIterable, Sendable { case session, media, `protocol`, time, assert, flow }

  /// What a step of the verb is to the run: whether it may be tried again, and what may stand next to it.
  enum Kind: Sendable {
    /// Acts on the device; may be tried again, and look-back begins at it.
    case action
    /// Asks others than the device; may be tried again.
    case inquiry
    /// Holds steps that may be tried again together.
    case container
    /// Holds steps that run as they come.
    case flow
    /// Waits or watches by itself.
    case expectation
    case other
  }

  /// What may stand after `verb:`.
  package enum Form: Sendable {
    /// A map of keys, a bare verb unless one is required, and perhaps a short form that stands for one of the keys.
    case keys(MapSpec, short: (key: String, type: FieldType)?)
    /// The value itself, kept under the verb's own name.
    case value(FieldType)
    /// Nothing, `{}` included.
    case bare
  }

  /// The form as a verb's file writes it.
  enum WrittenForm {
    /// `short` names the key that the short form stands for.
    case keys([KeySpec], short: String? = nil, exclusive: [[String]] = [], needsOneOf: [[String]] = [])
    case value(FieldType)
    case bare
  }

  let verb: Verb
  package let name: String
  package let family: Family
  let kind: Kind
  package let form: Form
  /// Allowed next to the verb, besides those of every step.
  package let modifiers: [JudgingModifier]
  package let summary: String
  /// What it sends; `nil` for verbs that send nothing.
  let sends: String?
  /// When its step is done.
  let done: String
  /// Steps that show it.
  let example: String
  /// The least number of entries of a list or map that is the verb's value; `nil` where it may be empty.
  package let fewest: Int?

  init(
    _ verb: Verb, _ family: Family, _ kind: Kind, _ form: WrittenForm, modifiers: [JudgingModifier] = [],
    _ summary: String,
    sends: String? = nil, done: String, example: String, fewest: Int? = nil
  ) {
    self.verb = verb
    name = verb.rawValue
    self.family = family
    self.kind = kind
    self.modifiers = JudgingModifier.allCases.filter(modifiers.contains)
    self.summary = summary
    self.sends = sends
    self.done = done
    self.example = example
    self.fewest = fewest
    switch form {
    case .bare: self.form = .bare
    case .value(let type): self.form = .value(type)
    case .keys(let keys, let short, let exclusive, let needsOneOf):
      let map = MapSpec("`\(name)`", topic: name, keys, exclusive: exclusive, needsOneOf: needsOneOf)
      self.form = .keys(map, short: short.flatMap { key in map[key].map { (key, $0.type.ofShortForm) } })
    }
  }

  /// Whether steps stand inside its steps.
  package var holdsSteps: Bool {
    switch kind {
    case .container, .flow: true
    case .action, .inquiry, .expectation, .other: false
    }
  }

  /// Whether `timeout` may stand next to the verb.
  package var takesTimeout: Bool {
    switch kind {
    case .action, .inquiry, .container, .flow: true
    case .expectation: false
    case .other: verb == .waitUntil
    }
  }

  /// Whether `- verb` alone says enough.
  package var isBareAllowed: Bool {
    switch form {
    case .bare: true
    case .value: false
    case .keys(let spec, _): spec.needsOneOf.isEmpty && !spec.keys.contains { $0.isRequired }
    }
  }
}

extension FieldType {
  /// What a key's value may be in the short form of its verb, where a map is the long form.
  fileprivate var ofShortForm: FieldType { if case .byShape(let scalar?, _, _) = self { scalar } else { self } }
}
