import CastProtocol
import Testing

@testable import ToolServers

@Suite struct EditorFeatureTests {
  private static let a = "file:///p/a.yaml"
  private static let text = """
    scenario: S
    device: TV
    include: [lib.yaml]
    media:
      film: { url: https://e.com/a.mp4 }
    steps:
      - load: film
      - log: "${name}"
      - load: other
      - expect: { player: plaing }
    """
  private static let library = "library: L\nvars: { name: x }\nmedia:\n  other: { url: https://e.com/b.mp4 }\n"

  private static func talk(_ text: String = text) throws -> EditorTalk {
    var talk = try EditorTalk(files: ["/p/lib.yaml": library])
    talk.open(a, text)
    return talk
  }

  @Test(
    "A definition is found in the document, in what it includes, and as a file",
    arguments: [
      (6, 11, "file:///p/a.yaml", 4, 2), (7, 12, "file:///p/lib.yaml", 1, 8), (8, 12, "file:///p/lib.yaml", 3, 2),
      (2, 12, "file:///p/lib.yaml", 0, 0),
    ])
  func definitions(line: Int, character: Int, file: String, toLine: Int, toCharacter: Int) throws {
    var talk = try Self.talk()
    let found = try talk.ask("textDocument/definition", EditorTalk.at(Self.a, line, character))
    #expect(found["uri"]?.string == file)
    #expect(found["range"]?["start"]?["line"]?.int == toLine)
    #expect(found["range"]?["start"]?["character"]?.int == toCharacter)
  }

  @Test("What is no name has no definition", arguments: [(0, 3), (6, 4), (99, 0)])
  func noDefinition(line: Int, character: Int) throws {
    var talk = try Self.talk()
    #expect(try talk.ask("textDocument/definition", EditorTalk.at(Self.a, line, character)).isNull)
  }

  @Test(
    "A hover has the page of `explain` of the verb, the key, the field or the code under it",
    arguments: [
      (6, 5, "the media"), (4, 10, "the key `url` of a media"), (9, 15, "the status field `player`"),
      (9, 24, "T205: "), (5, 2, "the key `steps` of a scenario"),
    ])
  func hovers(line: Int, character: Int, part: String) throws {
    var talk = try Self.talk()
    let hover = try talk.ask("textDocument/hover", EditorTalk.at(Self.a, line, character))
    let value = hover["contents"]?["value"]?.string ?? ""
    #expect(value.lowercased().contains(part.lowercased()), "\(value)")
    #expect(hover["contents"]?["kind"]?.string == "markdown")
  }

  @Test("A client that shows no Markdown gets none")
  func plainHover() throws {
    var talk = try EditorTalk(capabilities: ["textDocument": ["hover": ["contentFormat": ["plaintext"]]]])
    talk.open(Self.a, "scenario: S\n")
    let hover = try talk.ask("textDocument/hover", EditorTalk.at(Self.a, 0, 2))
    #expect(hover["contents"]?["kind"]?.string == "plaintext")
    #expect(hover["contents"]?["value"]?.string?.contains("```") == false)
  }

  @Test("Completion replaces the word that is being typed")
  func completion() throws {
    var talk = try Self.talk("scenario: S\ndevice: TV\nsteps:\n  - expect: { player: pla")
    let list = try talk.ask("textDocument/completion", EditorTalk.at(Self.a, 3, 25))
    let item = list["items"]?.array?.first { $0["label"]?.string == "playing" }
    #expect(item?["textEdit"]?["newText"]?.string == "playing")
    #expect(item?["textEdit"]?["range"]?["start"]?["character"]?.int == 22)
    #expect(item?["textEdit"]?["range"]?["end"]?["character"]?.int == 25)
  }

  @Test("A quick fix writes what was meant, and only where that cures the problem")
  func fixes() throws {
    var talk = try Self.talk()
    let range: JSONValue = ["start": ["line": 9, "character": 22], "end": ["line": 9, "character": 22]]
    let actions = try talk.ask(
      "textDocument/codeAction",
      ["textDocument": ["uri": .string(Self.a)], "range": range, "context": ["diagnostics": []]])
    let edit = actions.array?.first?["edit"]?["changes"]?[Self.a]?.array?.first
    #expect(edit?["newText"]?.string == "playing")
    #expect(edit?["range"]?["start"]?["character"]?.int == 22)
    #expect(edit?["range"]?["end"]?["character"]?.int == 28)
  }

  @Test("Formatting is what `fmt` does; what it refuses stays as it is, and says why")
  func formatting() throws {
    var talk = try Self.talk("scenario:   S\nsteps:\n    - play\n")
    let edits = try talk.ask("textDocument/formatting", ["textDocument": ["uri": .string(Self.a)], "options": [:]])
    #expect(edits.array?.first?["newText"]?.string == "scenario: S\nsteps:\n  - play\n")
    talk.open(Self.a, "scenario: [\n", version: 2)
    let answer = talk.answer(to: "textDocument/formatting", ["textDocument": ["uri": .string(Self.a)]])
    #expect(answer["error"]?["code"]?.int == -32_803)
    #expect(answer["error"]?["message"]?.string?.contains("it stays as it is") == true)
  }
}
