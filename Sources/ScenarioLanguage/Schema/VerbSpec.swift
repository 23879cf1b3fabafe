/// One verb of a step: its short form, its long form, and what may stand next to it.
package struct VerbSpec: Sendable {
  /// The families of docs/language/steps.md "Steps".
  package enum Family: String, Sendable { case session, media, `protocol`, time, assert, flow }

  /// What may stand after `verb:`.
  package enum Form: Sendable {
    /// A map of keys, a bare verb unless one is required, and perhaps a short form that stands for one of the keys.
    case keys(MapSpec, short: (key: String, type: FieldType)?)
    /// The value itself, kept under the verb's own name.
    case value(FieldType)
    /// Nothing, `{}` included.
    case bare
  }

  package let name: String
  package let family: Family
  package let form: Form
  /// Allowed next to the verb, besides those of every step.
  package let modifiers: [String]
  package let summary: String
  /// How many entries a list or map has at least that is the verb's value; `nil` where it may be empty.
  package private(set) var fewest: Int?

  init(
    _ name: String, _ family: Family, _ form: Form, modifiers: [String] = [],
    _ summary: String
  ) {
    self.name = name
    self.family = family
    self.form = form
    self.modifiers = modifiers
    self.summary = summary
  }

  /// The verb as one whose list or map has entries.
  func holding(atLeast count: Int = 1) -> VerbSpec {
    var verb = self
    verb.fewest = count
    return verb
  }

  /// Whether steps stand inside its steps.
  package var holdsSteps: Bool { ["group", "use", "choose", "repeat", "for_each", "parallel"].contains(name) }

  /// Whether `timeout` may stand next to the verb.
  package var takesTimeout: Bool {
    switch family {
    case .session, .media, .protocol: true
    case .time: name == "wait_until"
    case .assert: false
    case .flow: holdsSteps || name == "exec"
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
