import Testing

@testable import ScenarioLanguage

/// Which of several documents `--tag` and `--only` mean.
@Suite struct DocumentSelectionTests {
  private static let documents = [
    DocumentHeader(file: "qa/ads.yaml", kind: .scenario, id: "ads", tags: ["smoke", "ads"]),
    DocumentHeader(file: "qa/film.yaml", kind: .scenario, id: "long-film", tags: ["slow"]),
    DocumentHeader(file: "qa/radio.yml", kind: .scenario, id: "radio", tags: ["smoke", "slow"]),
    DocumentHeader(file: "hello.yaml", kind: .scenario, id: "hello"),
  ]

  static let choices: [(tags: [String], only: [String], chosen: [String])] = [
    ([], [], ["ads", "long-film", "radio", "hello"]),
    (["smoke"], [], ["ads", "radio"]),
    (["smoke", "slow"], [], ["ads", "long-film", "radio"]),
    (["!slow"], [], ["ads", "hello"]),
    (["smoke", "!slow"], [], ["ads"]),
    (["!smoke", "!slow"], [], ["hello"]),
    (["smok"], [], []),
    (["sm*"], [], []),
    ([], ["ads"], ["ads"]),
    ([], ["film"], ["long-film"]),
    ([], ["film.yaml"], ["long-film"]),
    ([], ["qa/film.yaml"], ["long-film"]),
    ([], ["long-film", "hello"], ["long-film", "hello"]),
    ([], ["qa/*"], ["ads", "long-film", "radio"]),
    ([], ["*.yml"], ["radio"]),
    ([], ["?????"], ["radio", "hello"]),
    ([], ["ad"], []),
    (["smoke"], ["*film*", "ads"], ["ads"]),
  ]

  @Test("A document is chosen that has a wanted tag, none of those refused, and one of the names", arguments: choices)
  func chooses(_ example: (tags: [String], only: [String], chosen: [String])) {
    let selection = DocumentSelection(tags: example.tags, only: example.only)
    #expect(Self.documents.filter { selection.chooses($0) }.map(\.id) == example.chosen)
  }

  static let unreadable: [(tags: [String], only: [String], isChosen: Bool, isMeant: Bool)] = [
    (["smoke"], [], true, true), (["!slow"], [], true, true), (["smoke"], ["z*"], true, true),
    (["smoke"], ["ads"], false, false), ([], ["ads"], false, false), ([], ["z"], true, false), ([], [], true, false),
  ]

  @Test("A document whose tags cannot be read may be meant, unless other names are given", arguments: unreadable)
  func unreadableTags(_ example: (tags: [String], only: [String], isChosen: Bool, isMeant: Bool)) {
    var document = DocumentHeader(file: "qa/z.yaml", kind: nil, id: "z")
    document.hasReadableTags = false
    let selection = DocumentSelection(tags: example.tags, only: example.only)
    #expect(selection.chooses(document) == example.isChosen && selection.mayMean(document) == example.isMeant)
  }

  @Test("A name that no document has is known, with the one that was perhaps meant")
  func strangeNames() {
    let strange = DocumentSelection(only: ["ads", "radoi"]).strangeName(among: Self.documents)
    #expect(strange?.name == "radoi" && strange?.nearest == "radio")
    #expect(DocumentSelection(only: ["ads", "*"]).strangeName(among: Self.documents) == nil)
  }

  @Test("A wanted tag that no document has is known; one that is refused need not be there")
  func strangeTags() {
    let strange = DocumentSelection(tags: ["smoke", "slwo", "!none"]).strangeTags(among: Self.documents)
    #expect(strange.map(\.tag) == ["slwo"] && strange.map(\.nearest) == ["slow"])
    #expect(DocumentSelection.tags(of: Self.documents) == ["ads", "slow", "smoke"])
  }

  static let empty: [DocumentSelection] = [.init(tags: [""]), .init(tags: ["a", "!"]), .init(only: [""])]

  @Test("Tags and names that are empty are no choice", arguments: empty)
  func problems(selection: DocumentSelection) {
    #expect(selection.problem != nil)
    #expect(DocumentSelection(tags: ["a", "!b"], only: ["c"]).problem == nil)
  }

  static let headers: [(text: String, kind: DocumentKind?, id: String, tags: [String]?)] = [
    ("scenario: A\ntags: [smoke, ads]\nid: first\n", .scenario, "first", ["smoke", "ads"]),
    ("language: 1\nscenario: A\ntags:\n  - smoke\n", .scenario, "a", ["smoke"]),
    ("scenario: A\nnothing: [known\n", nil, "a", nil),
    ("scenario: A\nnothing: known\ntags: [smoke]\nsteps: none\n", .scenario, "a", ["smoke"]),
    ("playlist: A\n", .playlist, "a", []), ("library: A\n", .library, "a", []),
    ("- a\n", nil, "a", nil), ("", nil, "a", nil), ("scenario: A\ntags: smoke\n", .scenario, "a", nil),
    ("scenario: A\ntags:\n", .scenario, "a", nil), ("scenario: A\ntags: [a, [b]]\n", .scenario, "a", nil),
    ("scenario: A\ntags: []\n", .scenario, "a", []),
  ]

  @Test("A header is read whatever else is wrong with a document", arguments: headers)
  func header(_ example: (text: String, kind: DocumentKind?, id: String, tags: [String]?)) {
    let header = DocumentHeader(SourceFile(name: "qa/a.yaml", bytes: Array(example.text.utf8)))
    #expect(header.file == "qa/a.yaml" && header.kind == example.kind, "\(header)")
    #expect(header.id == example.id, "\(header)")
    #expect(header.hasReadableTags == (example.tags != nil), "\(header)")
    if let tags = example.tags { #expect(header.tags == tags, "\(header)") }
  }
}
