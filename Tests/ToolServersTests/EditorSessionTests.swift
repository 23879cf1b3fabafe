import CastProtocol
import ScenarioLanguage
import Testing

@testable import ToolServers

@Suite struct EditorSessionTests {
  private static let a = "file:///p/a.yaml"
  private static let wrong = "scenario: S\ndevice: TV\nsteps:\n  - paly\n"
  private static let right = "scenario: S\ndevice: TV\nsteps:\n  - play\n  - expect: { player: playing }\n"

  @Test("A session begins with initialize, ends with shutdown and exit, and answers by the protocol in between")
  func life() throws {
    var talk = try EditorTalk()
    #expect(talk.told[0]["result"]?["capabilities"]?["positionEncoding"]?.string == "utf-16")
    #expect(talk.answer(to: "initialize", [:])["error"]?["code"]?.int == -32_600)
    #expect(talk.answer(to: "textDocument/rename", [:])["error"]?["code"]?.int == -32_601)
    #expect(talk.answer(to: "textDocument/hover", [:])["error"]?["code"]?.int == -32_602)
    #expect(talk.answer(to: "textDocument/hover", EditorTalk.at(Self.a, 0, 0))["error"]?["code"]?.int == -32_602)
    let count = talk.told.count
    talk.notify("$/whatever", [:])
    talk.notify("textDocument/didChange", [:])
    #expect(talk.told.count == count)
    #expect(try talk.ask("shutdown", .null).isNull)
    #expect(talk.answer(to: "textDocument/hover", [:])["error"]?["code"]?.int == -32_600)
    talk.notify("exit", .null)
    #expect(talk.code == 0)
  }

  @Test("Before initialize nothing is answered but with an error; exit without shutdown is 1")
  func before() {
    var session = EditorSession(toolVersion: "1", exitCode: { _ in 3 }) { _, _ in .init() }
    _ = session.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#.utf8))
    guard case .send(let answer)? = session.step()?.first else { return #expect(Bool(false)) }
    #expect(answer["error"]?["code"]?.int == -32_002)
    _ = session.receive(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8))
    guard case .end(let code)? = session.step()?.first else { return #expect(Bool(false)) }
    #expect(code == 1)
  }

  @Test(
    "What is no message is answered with an error that has its id, where there is one",
    arguments: [
      ("{", -32_700, "null"), ("[]", -32_600, "null"), ("{}", -32_600, "null"),
      (#"{"jsonrpc":"2.0","id":7}"#, -32_600, "7"),
      (#"{"jsonrpc":"1.0","id":"a","method":"x"}"#, -32_600, "\"a\""),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, -32_600, "null"),
    ])
  func noMessage(text: String, code: Int, id: String) throws {
    var talk = try EditorTalk()
    talk.receive(text: text)
    #expect(talk.told.last?["error"]?["code"]?.int == code)
    #expect(talk.told.last?["id"]?.serialized() == id)
  }

  @Test("A request that is taken back while it waits is answered as cancelled; others are not touched")
  func cancelling() throws {
    var talk = try EditorTalk()
    talk.open(Self.a, Self.right)
    let hover =
      #"{"jsonrpc":"2.0","id":90,"method":"textDocument/hover","params":"# + EditorTalk.at(Self.a, 3, 5).serialized()
      + "}"
    talk.receive(text: hover, answering: false)
    talk.receive(text: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":90}}"#, answering: false)
    talk.receive(text: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":91}}"#, answering: false)
    talk.work()
    #expect(talk.told.last { $0["id"]?.int == 90 }?["error"]?["code"]?.int == -32_800)
    talk.receive(text: hover.replacing("90", with: "91"))
    #expect(talk.told.last { $0["id"]?.int == 91 }?["result"] != nil)
  }

  @Test("Problems are published with the places of the newest text, and go when they are mended")
  func publishing() throws {
    var talk = try EditorTalk()
    talk.open(Self.a, Self.wrong)
    #expect(talk.problems(Self.a) == ["K101 3:4-3:8"])
    let problem = talk.told.last?["params"]?["diagnostics"]?.array?[0]
    #expect(problem?["message"]?.string?.contains("did you mean `play`?") == true)
    #expect(problem?["source"]?.string == "showcaller")
    talk.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.a), "version": 2],
        "contentChanges": [
          [
            "range": ["start": ["line": 3, "character": 4], "end": ["line": 3, "character": 8]],
            "text": "play\n  - expect: { player: playing }",
          ]
        ],
      ])
    #expect(talk.problems(Self.a) == [])
    #expect(talk.told.last?["params"]?["version"]?.int == 2)
    talk.open(Self.a, Self.wrong, version: 3)
    talk.notify("textDocument/didClose", ["textDocument": ["uri": .string(Self.a)]])
    #expect(talk.problems(Self.a) == [])
    #expect(talk.session.documents.isEmpty)
    #expect(talk.session.published.isEmpty)
  }

  @Test("Columns are counted in what the client asked for")
  func encodings() throws {
    let text = "scenario: S\ndevice: TV\nsteps: [{ log: \"😀é\", paly: 1 }]\n"
    for (encoding, column) in [("utf-8", 25), ("utf-16", 22), ("utf-32", 21)] {
      var talk = try EditorTalk(capabilities: ["general": ["positionEncodings": [.string(encoding)]]])
      talk.open(Self.a, text)
      #expect(talk.problems(Self.a)?.first?.contains("2:\(column)-") == true, "\(talk.problems(Self.a) ?? [])")
    }
  }

  @Test("A problem of an included file is shown in that file, once, and follows what is typed there")
  func libraries() throws {
    let lib = "file:///p/lib.yaml"
    var talk = try EditorTalk(files: ["/p/lib.yaml": "library: L\nmedia:\n  film: { url: nonsense }\n"])
    let text = "scenario: S\ndevice: TV\ninclude: [lib.yaml]\nsteps: [{ load: film }]\n"
    talk.open(Self.a, text)
    talk.open("file:///p/b.yaml", text)
    #expect(talk.problems(lib)?.count == 1)
    talk.open(lib, "library: L\nmedia:\n  film: { url: https://e.com/a.mp4 }\n")
    #expect(talk.problems(lib) == [])
    talk.notify("textDocument/didClose", ["textDocument": ["uri": .string(lib)]])
    #expect(talk.problems(lib)?.count == 1)
  }

  @Test("YAML that is no document of ours has no problems")
  func foreign() throws {
    var talk = try EditorTalk()
    talk.open(Self.a, "apiVersion: v1\nkind: Pod\n")
    #expect(talk.problems(Self.a) == [])
  }

  @Test("Documents that are too large or too many are not kept, and the editor is told")
  func limits() throws {
    var talk = try EditorTalk()
    talk.open(Self.a, String(repeating: "a", count: EditedText.limit + 1))
    #expect(talk.told.last?["method"]?.string == "window/showMessage")
    #expect(talk.session.documents.isEmpty)
    for number in 0...EditorSession.Limit.documents { talk.open("untitled:\(number)", "a: 1") }
    #expect(talk.session.documents.count == EditorSession.Limit.documents)
    #expect(talk.told.contains { $0["params"]?["message"]?.string?.contains("256 documents") == true })
    for number in 100..<100 + EditorSession.Limit.waiting {
      talk.receive(text: #"{"jsonrpc":"2.0","id":\#(number),"method":"x"}"#, answering: false)
    }
    #expect(talk.session.isFull)
  }
}
