import CastProtocol

extension FieldReader {
  /// Reads a scalar of a type without parts of its own, and keeps what it says.
  mutating func readScalar(_ node: inout YAMLNode, as type: FieldType, _ field: Field) -> Bool {
    guard case .scalar(let scalar) = node.content else { return false }
    if type.isID, node.substitutedAt != nil || scalar.deferred != nil {
      let at = node.place
      return report(
        ScalarProblem(.t219, "an id cannot come from a variable", help: "ids, keys and verbs are written out"),
        at: YAMLNode(node.content, span: at))
    }
    if isEmptyOrDeferred(node, type, field) { return false }
    if SecretPlaceholder.isSecret(node) {
      guard checkSecret(node, scalar.text, type, field) else { return false }
      // Whatever the secret holds, it is a text to everybody who reads the document.
      node.value = .text
      return true
    }
    if case .reference(let kind) = type { return checkReference(scalar.text, kind, node) }
    if type.kind == .text { warnOfQuotes(scalar, node) }
    context.field = field.noun ?? field.name
    context.isTyped = scalar.style == .typed
    context.allowsSuggestions = diagnostics.budget.allowsSuggestions
    do throws(ScalarProblem) { node.value = try type.read(scalar.text, in: &context) } catch {
      return report(jump(error, scalar.text, type, field) ?? error, at: node)
    }
    return true
  }

  /// `seek: -10s`, which jumps from where the film is.
  private func jump(_ problem: ScalarProblem, _ text: String, _ type: FieldType, _ field: Field) -> ScalarProblem? {
    guard type.kind == .position, problem.code == .t213, field.name == "seek" || field.noun == "seek",
      (try? DurationScalar.read(text, signed: true)) != nil
    else { return nil }
    return ScalarProblem(
      .t213, "a position has no sign: \(ScalarText.quoted(text))",
      help: "`seek: { by: \(text) }` jumps from where the film is")
  }

  /// A secret can be what is only sent: text, an address, data. Everything else must be known before.
  private mutating func checkSecret(_ node: YAMLNode, _ text: String, _ type: FieldType, _ field: Field) -> Bool {
    switch type {
    case .scalar(.text, _), .scalar(.textOrBool, _), .anyValue: return true
    case .scalar(.url, _), .reference(.mediaOrURL):
      do throws(ScalarProblem) { _ = try URLScalar.read(text) } catch { return report(error, at: node) }
      return true
    default: break
    }
    diagnostics.report(
      .error, .n407, "`${secret.\(SecretPlaceholder.name(in: text) ?? "")}` is only known to what is sent",
      at: .init(node.place, "`\(ScalarText.shown(field.name))` needs its value before"),
      footers: [.help("a variable with `env:` is known before, and printed")])
    return false
  }

  // MARK: References

  private mutating func checkReference(_ text: String, _ kind: FieldType.Reference, _ node: YAMLNode) -> Bool {
    switch kind {
    case .track, .clip, .step: return true
    case .mediaOrURL:
      if URLScalar.looksLikeURL(text) {
        do throws(ScalarProblem) { _ = try URLScalar.read(text) } catch {
          return report(timedItem(text, error) ?? error, at: node)
        }
        return true
      }
      return checkName(text, .media, node)
    case .app where text == "default" || NameScalar.isPlainAppID(text): return true
    case .daypart where text == "any_time": return true
    case .role where text == "all" || self.kind == .library: return true
    default: return checkName(text, kind, node)
    }
  }

  private mutating func checkName(_ text: String, _ kind: FieldType.Reference, _ node: YAMLNode) -> Bool {
    let known = names[kind]
    if known.places[text] != nil || names.isIncomplete || known.isIncomplete { return true }
    guard let (_, key, noun) = DefinedNames.keys.first(where: { $0.0 == kind }) else { return true }
    var suggestion = kind == .daypart ? Self.daypart(text) : timedItem(text)
    if suggestion == nil, diagnostics.budget.allowsSuggestions {
      suggestion = Suggestions.nearest(to: text, among: known.ordered)
    }
    if suggestion == nil, kind == .app {
      let isID = NameScalar.isPlainAppID(text.uppercased())
      suggestion = isID ? text.uppercased() : Suggestions.nearest(to: text, among: ["default"])
    }
    var related: [Diagnostic.Label] = []
    if let place = suggestion.flatMap({ known.places[$0] }) { related.append(.init(place, "defined here")) }
    related += node.origins
    var help: String?
    if suggestion == nil {
      help = "define it under `\(key):`"
      if kind == .media, text.contains(".") {
        help =
          "`file:\(ScalarText.shown(text))` is a file next to this document, which `run` refuses as yet; a media id is defined under `media:`"
      } else if kind == .tag {
        help =
          "devices get tags under `inventory:`, such as `lobby: { name: Lobby TV, tags: [\(ScalarText.shown(text))] }`"
      } else if kind == .app {
        help = "an app id has eight digits and capitals (`CC1AD845`); others are defined under `apps:`"
      }
    }
    let problem = Diagnostic(
      .error, .n406, "unknown \(noun) \(ScalarText.quoted(text))",
      at: .init(node.span, Suggestions.label(suggestion)), related: related,
      footers: help.map { [.help($0)] } ?? [])
    let isApp = kind == .app
    diagnostics.report(
      problem.onCommandLine(
        isApp ? "an app id has eight hexadecimal digits in capitals, such as `CC1AD845`" : nil))
    return false
  }

  // MARK: Variables

  /// Checks a variable's value against its declaration: type, choices, limits.
  mutating func checkVariable(_ value: YAMLNode, by variable: VariableDeclaration, name: String) {
    guard let type = variable.type else { return }
    let declaration = variable.fields
    // A default of nothing stands right behind its key.
    let isDefault = variable.defaultValue?.span == value.span
    let field = Field(name: name, keySpan: isDefault ? declaration.keySpan("default") : nil)
    var value = value
    guard read(&value, as: type, field: field) else { return }
    let choices = declaration.list("choices")
    if !choices.isEmpty, !choices.contains(where: { Self.isSame($0, value, as: type) }) {
      let words = choices.map { $0.text ?? text?.text(at: $0.span) ?? "…" }
      report(
        FieldType.notAChoice(value.text ?? self.text?.text(at: value.span) ?? "", "value of `\(name)`", words),
        at: value)
      return
    }
    guard let text = value.text, let number = value.value?.order else { return }
    for (key, isLow) in [("min", true), ("max", false)] {
      guard let limit = declaration.node(key),
        let bound = limit.text.flatMap({ type.value(of: $0)?.order })
      else { continue }
      if isLow ? number < bound : number > bound {
        report(
          ScalarProblem(
            .t213, "\(ScalarText.quoted(text)) is out of range",
            label: "`\(name)` is \(limit.text ?? "") or \(isLow ? "more" : "less")"), at: value)
        return
      }
    }
  }

  /// Checks what a declaration says of values: the choices are of its type, and limits are for types with an order.
  mutating func checkLimits(of variable: VariableDeclaration, name: String) {
    guard let type = variable.type else { return }
    let declaration = variable.fields
    for var choice in declaration.list("choices") {
      read(&choice, as: type, field: Field(name: "choices", keySpan: declaration.keySpan("choices")))
    }
    for key in ["min", "max"] {
      guard var limit = declaration.node(key), let span = declaration.keySpan(key) else { continue }
      guard type.kind?.spec.isOrdered == true else {
        let isUntyped = !declaration.has("type")
        diagnostics.report(
          .error, .t220, "`\(key)` is for numbers, durations and times, `\(name)` is \(type.described)",
          at: .init(span),
          footers: [
            .help(isUntyped ? "say what it is, such as `type: int`" : "`choices: […]` lists what it may be")
          ])
        continue
      }
      read(&limit, as: type, field: Field(name: key, keySpan: span))
    }
  }

  /// Whether two sound values of a type mean the same.
  private static func isSame(_ a: YAMLNode, _ b: YAMLNode, as type: FieldType) -> Bool {
    guard let left = a.text, let right = b.text else { return Matrix.isSame(a, b) }
    guard let first = type.value(of: left), let second = type.value(of: right) else { return left == right }
    if let left = first.order, let right = second.order { return left == right }
    switch (first, second) {
    case (.color, _), (.days, _): return first == second
    default: return left == right
    }
  }
}
