import Testing

@testable import ScenarioLanguage

@Suite struct TopicsTests {
  @Test("Every map of the language has a page that lists its keys")
  func maps() throws {
    for map in LanguageSchema.maps {
      let page = try #require(Topics.page(map.topic), "\(map.topic)")
      let names = Set(page.sections.flatMap(\.rows).map(\.name))
      #expect(Set(map.keys.map(\.name)).subtracting(names) == [], "\(map.topic)")
    }
  }

  @Test("Every verb has a page that says when its step is done")
  func verbs() throws {
    for verb in LanguageSchema.verbs {
      let page = try #require(Topics.page(verb.name), "\(verb.name)")
      #expect(page.sections.flatMap(\.notes).contains { $0.hasPrefix("Done when ") }, "\(verb.name)")
    }
  }

  @Test("Every word of the language is explained, and no other")
  func words() {
    for word in Topics.words { #expect(Topics.page(word) != nil, "\(word)") }
    for word in ["", "laod", "custom.x", "K101"] { #expect(Topics.page(word) == nil, "\(word)") }
  }

  @Test("Whatever a page calls related has a page")
  func related() {
    for word in Topics.words {
      for other in Topics.page(word)?.related ?? [] { #expect(Topics.page(other) != nil, "\(word): \(other)") }
    }
  }

  @Test("Every listed word has an example, and every example belongs to one")
  func examples() {
    #expect(Set(Topics.names).subtracting(TopicExamples.all.map(\.topic)) == [])
    #expect(Set(TopicExamples.all.map(\.topic)).subtracting(Topics.names) == [])
    #expect(Set(TopicExamples.all.map(\.topic)).count == TopicExamples.all.count)
  }

  @Test("An example compiles", arguments: TopicExamples.all.map(\.topic))
  func example(topic: String) throws {
    #expect(Self.problems(try #require(TopicExamples.text(of: topic))) == [])
  }

  /// What is wrong with an example, beside what it does not use or judge because it shows something else.
  static func problems(_ example: String) -> [String] {
    let files = [
      "brand.yaml": Array("library: Brand\ntext_styles: { _big: { size: 150% } }\n".utf8),
      "season.yaml": Array("library: Season\nmedia: { spot: { url: https://cdn.example.com/spot.mp4 } }\n".utf8),
      "holidays.ics": Array(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nRRULE:FREQ=YEARLY\nEND:VEVENT\nEND:VCALENDAR\n".utf8),
      "film.mp4": [], "film.srt": [],
      "/run/secrets/key": Array("c2hvd2NhbGxlcg\n".utf8),
    ]
    let inputs = OwnGolden.inputs(files: files, environment: ["ACME_TOKEN": "9f2c61d0a7e84b35"])
    let outcome = PlanCompiler.compile(SourceFile(Fragment.document(example)), inputs: inputs)
    let problems = outcome.diagnostics.filter { !["N402", "P610"].contains($0.code.rawValue) }
    return problems.map { "\($0.code) \($0.message)" } + (outcome.document == nil ? ["no document"] : [])
  }
}
