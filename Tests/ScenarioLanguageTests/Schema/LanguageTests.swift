import Testing

@testable import ScenarioLanguage

@Suite struct LanguageTests {
  static let maps = LanguageSchema.maps

  @Test("No key or word of the language is a YAML 1.1 truth value, number or null")
  func words() {
    let refused: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"]
    var words = LanguageSchema.verbs.map(\.name) + MatcherName.allCases.map(\.rawValue)
    for map in Self.maps {
      for key in map.keys {
        // `on` of an interrupt and of `power`, and `off`: a document's keys are texts, whatever they look like.
        if ["on", "off"].contains(key.name), ["interrupts", "power"].contains(map.topic) { continue }
        words.append(key.name)
        if case .choice(_, let values) = key.type { words += values }
        if case .words(let values, _) = key.type { words += values }
      }
    }
    #expect(words.filter { refused.contains($0.lowercased()) || Double($0) != nil } == [])
    #expect(Self.maps.count > 50)
  }

  @Test("Every map names each key once, and its groups name its keys")
  func maps() {
    for map in Self.maps {
      #expect(Set(map.keys.map(\.name)).count == map.keys.count, "\(map.place)")
      for group in map.exclusive + map.needsOneOf {
        for name in group where map.place != "a library" {
          #expect(map.contains(name) || DocumentKind(rawValue: map.topic) != nil, "\(name) in \(map.place)")
        }
      }
      for key in map.keys { #expect(!key.summary.isEmpty && key.summary.hasSuffix("."), "\(key.name)") }
    }
  }

  @Test("A verb's short form stands for one of its keys, and each judging modifier has verbs that take it")
  func verbs() {
    #expect(Set(LanguageSchema.verbs.map(\.name)).count == LanguageSchema.verbs.count)
    for verb in LanguageSchema.verbs {
      if case .keys(let spec, let short?) = verb.form { #expect(spec.contains(short.key)) }
    }
    #expect(Set(LanguageSchema.verbs.flatMap(\.modifiers)) == Set(JudgingModifier.allCases))
  }

  @Test("The status fields of text styles are those of the table")
  func styleFields() {
    let fields = StatusField.names(below: FieldPath(["text_style"]))
    #expect(fields == LanguageSchema.textStyle.keys.map(\.name).filter { $0 != "like" })
  }
}
