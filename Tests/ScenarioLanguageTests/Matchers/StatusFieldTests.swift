import Testing

@testable import ScenarioLanguage

@Suite struct StatusFieldTests {
  @Test("Fields are found by path, also below a wildcard")
  func find() {
    #expect(StatusField.find(FieldPath(["player"]))?.type == .choice(StatusField.player))
    #expect(StatusField.find(FieldPath(["break", "clip_time"]))?.type == .duration)
    #expect(StatusField.find(FieldPath(["metadata", "title"]))?.type == .free)
    #expect(StatusField.find(FieldPath(["custom", "a", "b"]))?.type == .free)
    #expect(StatusField.find(FieldPath(["raw", "media", "/status/0/videoInfo"]))?.type == .free)
    #expect(StatusField.find(FieldPath(["plyer"])) == nil)
    #expect(StatusField.names(below: FieldPath(["volume"])) == ["level", "muted", "control"])
    #expect(StatusField.hasMembers(FieldPath(["custom", "a"])))
    #expect(!StatusField.hasMembers(FieldPath(["player"])))
  }

  @Test("No path stands twice in the table")
  func unique() {
    #expect(Set(StatusField.all.map(\.path.text)).count == StatusField.all.count)
  }

  @Test("A number has as many decimals as are asked for, and no sign at zero")
  func decimals() {
    #expect(18.04.decimals(1, padded: true) == "18.0")
    #expect((-0.01).decimals(1) == "0")
  }
}
