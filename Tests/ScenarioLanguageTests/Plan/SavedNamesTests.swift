import Testing

@testable import ScenarioLanguage

/// What is known of a saved name behind steps that may not run.
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
}
