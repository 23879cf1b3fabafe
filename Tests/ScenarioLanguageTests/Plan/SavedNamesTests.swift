import Testing

@testable import ScenarioLanguage

/// What is known of a saved name, and what is said of one that may have no value.
@Suite struct SavedNamesTests {
  private static let place = SourceSpan(file: "lobby.yaml", line: 1, column: 1, endLine: 1, endColumn: 2)
  private static let doubt = SavedNames.Uncertainty(kind: .branch, label: .init(place))

  /// What two ways through a step leave: the type that is known of `p`, if any.
  private static func joined(
    _ ways: [[(String, String)]], isExhaustive: Bool, before: [(String, String)] = []
  ) -> StatusField.ValueType? {
    var names = SavedNames()
    for (name, field) in before { names.save(name, field: FieldPath(parsing: field), at: place) }
    var saved: [[String: SavedNames.Value]] = []
    for way in ways {
      names.enter()
      for (name, field) in way { names.save(name, field: FieldPath(parsing: field), at: place) }
      saved.append(names.leave())
    }
    names.merge(saved, isExhaustive: isExhaustive, doubt: doubt)
    return names.type(of: "p")
  }

  @Test("A name that every way saves is known, with its type where all agree")
  func everyWay() {
    #expect(Self.joined([[("p", "position")], [("p", "duration")]], isExhaustive: true) == .free)
    #expect(Self.joined([[("p", "position")], [("p", "break.time")]], isExhaustive: true) == .duration)
    #expect(Self.joined([[("p", "position")]], isExhaustive: true) == .duration)
  }

  @Test("A name that one way leaves out, or that no way may save, is not known")
  func oneWay() {
    #expect(Self.joined([[("p", "position")], [("q", "position")]], isExhaustive: true) == nil)
    #expect(Self.joined([[("p", "position")], [("p", "position")]], isExhaustive: false) == nil)
    #expect(Self.joined([[], []], isExhaustive: true) == nil)
  }

  @Test("What was known before stays known, whatever the ways do")
  func before() {
    #expect(Self.joined([[], []], isExhaustive: true, before: [("p", "rate")]) == .number)
    #expect(Self.joined([[("p", "position")], []], isExhaustive: true, before: [("p", "rate")]) == .number)
  }

  @Test("leave() forgets what was saved since enter(), one level at a time")
  func nested() {
    var names = SavedNames()
    names.enter()
    names.save("a", field: FieldPath(["rate"]), at: Self.place)
    names.enter()
    names.save("b", field: FieldPath(["rate"]), at: Self.place)
    #expect(names.leave().keys.sorted() == ["b"])
    #expect(names.type(of: "a") == .number)
    #expect(names.type(of: "b") == nil)
    #expect(names.leave().keys.sorted() == ["a"])
    #expect(names.type(of: "a") == nil)
    #expect(names.leave().isEmpty)
  }

  // MARK: Reading

  private static func node(_ text: String) -> YAMLNode {
    let span = SourceSpan(file: "lobby.yaml", line: 9, column: 1, endLine: 9, endColumn: 2)
    return YAMLNode(.scalar(.init(text: text, style: .plain)), span: span)
  }

  /// Whether `read` accepts a name, and what it says of it.
  private static func reading(
    _ name: String, in names: SavedNames, _ read: (SavedNames) -> (String, YAMLNode, DiagnosticCollector) -> Bool
  ) -> [String] {
    let problems = DiagnosticCollector()
    let isAccepted = read(names)(name, node(name), problems)
    #expect(isAccepted == !problems.hasErrors)
    return problems.diagnostics.map(\.words)
  }

  private static func isKnown(_ names: SavedNames) -> (String, YAMLNode, DiagnosticCollector) -> Bool {
    { names.isKnown($0, at: $1, reportingTo: $2) }
  }

  private static func isReadable(_ names: SavedNames) -> (String, YAMLNode, DiagnosticCollector) -> Bool {
    { names.isReadable($0, at: $1, reportingTo: $2) }
  }

  @Test(
    "A name that may have no value says which steps may not run, where it is saved, and how to be sure",
    arguments: [
      (SavedNames.Uncertainty.Kind.branch, "in one branch only", "save it in every branch, or before them"),
      (.condition, "by a step that may be skipped", "save it in a step without `if`"),
      (.skip, "by a step that is skipped", "save it in a step without `skip`"),
      (.loop, "in a loop that may not run", "save it before the loop or behind it"),
    ])
  func doubt(kind: SavedNames.Uncertainty.Kind, where place: String, cure: String) throws {
    var names = SavedNames()
    names.enter()
    names.save("p", field: FieldPath(["position"]), at: Self.place)
    let why = SourceSpan(file: "lobby.yaml", line: 2, column: 1, endLine: 2, endColumn: 2)
    names.merge([names.leave()], isExhaustive: false, doubt: .init(kind: kind, label: .init(why, "perhaps")))
    let problems = DiagnosticCollector()
    #expect(!names.isKnown("p", at: Self.node("p"), reportingTo: problems))
    #expect(problems.diagnostics.map(\.words) == ["N408: `p` is saved \(place) | may have no value | help: \(cure)"])
    #expect(try #require(problems.diagnostics.first).related.map(\.span) == [Self.place, why])
    // A step that always runs takes the doubt away.
    names.save("p", field: FieldPath(["rate"]), at: Self.place)
    #expect(Self.reading("p", in: names, Self.isKnown) == [])
  }

  @Test("A loop that always runs leaves what its steps save, one that may not run leaves a doubt about all of it")
  func loops() {
    for isExhaustive in [true, false] {
      var names = SavedNames()
      names.enter()
      names.define("item", .init(type: .text))
      names.enter()
      names.save("p", field: FieldPath(["position"]), at: Self.place)
      // A doubt of the steps inside stays one outside.
      names.merge([names.leave()], isExhaustive: true, doubt: Self.doubt)
      var kept = names.leave()
      kept["item"] = nil
      names.merge([kept], isExhaustive: isExhaustive, doubt: .init(kind: .loop, label: .init(Self.place)))
      #expect(names.type(of: "p") == (isExhaustive ? .duration : nil))
      #expect(names.type(of: "item") == nil)
    }
  }

  @Test("A name that is saved further down is told from one that nobody saves")
  func early() {
    var names = SavedNames()
    names.declare("later", at: Self.place)
    names.declare("later", at: Self.node("").span)
    let unknown = "N401: undefined variable `lator` | did you mean `later`?"
    #expect(
      Self.reading("later", in: names, Self.isKnown) == ["N407: `later` is used before it is saved | no value yet"])
    #expect(
      Self.reading("later.id", in: names, Self.isReadable) == [
        "N407: `later` is used before it is saved | no value yet"
      ])
    #expect(Self.reading("lator", in: names, Self.isReadable) == [unknown])
    #expect(
      Self.reading("xyz", in: names, Self.isReadable) == [
        "N401: undefined variable `xyz` | help: declare it under `vars:`, or `save:` it before"
      ])
    #expect(Self.reading("attempt", in: names, Self.isKnown) == [])
    names.placeholders = ["xyz"]
    #expect(Self.reading("xyz.a", in: names, Self.isReadable) == [])
  }

  static let members: [(name: String, type: StatusField.ValueType?)] = [
    ("b", .structure(noneAllowed: true)), ("b.id", .text), ("b.time", .duration), ("b.nothing", .free),
    ("n.x", .free), ("c", nil),
  ]
  @Test("A part of a saved structure has the type of its field; of other values nothing is known", arguments: members)
  func member(name: String, type: StatusField.ValueType?) {
    var names = SavedNames()
    names.save("b", field: FieldPath(["break"]), at: Self.place)
    names.define("n", .init(type: .free))
    #expect(names.type(of: name) == type)
  }

  static let uses: [(saved: String, wanted: StatusField.ValueType, words: [String])] = [
    ("position", .duration, []), ("position", .durationOrLive, []), ("position", .free, []),
    ("queue.count", .number, []),
    ("raw.media.x", .bool, []), ("position", .number, ["T220: `p` is a duration, `use` is a number | wrong type"]),
    ("volume.muted", .text, ["T220: `p` is true or false, `use` is text | wrong type"]),
  ]
  @Test("A value read by name fits where its type is of the same sort, and free data fits anywhere", arguments: uses)
  func fitting(saved: String, wanted: StatusField.ValueType, words: [String]) {
    var names = SavedNames()
    names.save("p", field: FieldPath(parsing: saved), at: Self.place)
    let problems = DiagnosticCollector()
    #expect(names.check("p", fits: wanted, of: "use", at: Self.node("p"), reportingTo: problems) == words.isEmpty)
    #expect(problems.diagnostics.map(\.words) == words)
  }

  @Test("What a program wrote is a text where it is kept as one, and data that may be a number otherwise")
  func reply() {
    func codes(_ output: String) -> [String] {
      Compiling.codes(Compiling.scenario("seek: ${reply}", before: ["exec: { command: [x], output: \(output) }"]))
    }
    #expect(codes("json") == ["P610"], "nothing but that it judges nothing")
    #expect(codes("text") == ["T220"])
    #expect(codes("none") == ["N401"])
  }
}
