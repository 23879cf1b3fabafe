import CastProtocol
import Testing

@testable import ToolServers

@Suite struct AgentSessionTests {
  /// A client that talks to a session.
  private struct Talk {
    var session = AgentSession(toolVersion: "1")
    var told: [JSONValue] = []
    var calls: [(RPCID, AgentCall)] = []
    var cancelled: [RPCID] = []

    init(revision: String? = "2025-06-18") {
      guard let revision else { return }
      ask(0, "initialize", ["protocolVersion": .string(revision), "capabilities": [:]])
    }

    @discardableResult mutating func ask(_ id: Int, _ method: String, _ params: JSONValue = [:]) -> JSONValue {
      receive(["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params])
      return told.last ?? .null
    }

    mutating func call(_ id: Int, _ name: String, _ arguments: JSONValue, token: JSONValue? = nil) {
      var params: JSONObject = ["name": .string(name), "arguments": arguments]
      if let token { params["_meta"] = ["progressToken": token] }
      ask(id, "tools/call", .object(params))
    }

    mutating func receive(_ message: JSONValue) { perform(session.receive(Array(message.serialized().utf8))) }

    mutating func perform(_ effects: [AgentSession.Effect]) {
      for effect in effects {
        switch effect {
        case .send(let message): told.append(message)
        case .call(let id, let call): calls.append((id, call))
        case .cancel(let id): cancelled.append(id)
        }
      }
    }
  }

  @Test(
    "The revision that the client asks for is spoken where it is known, else the newest",
    arguments: [
      ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
      ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25"),
    ])
  func revisions(asked: String, spoken: String) {
    let talk = Talk(revision: asked)
    #expect(talk.told[0]["result"]?["protocolVersion"]?.string == spoken)
    #expect(talk.told[0]["result"]?["capabilities"]?["tools"] != nil)
  }

  @Test("Before initialize only a ping is answered; what is not known is refused by its name")
  func life() {
    var talk = Talk(revision: nil)
    #expect(talk.ask(1, "ping")["result"] != nil)
    #expect(talk.ask(2, "tools/list")["error"]?["code"]?.int == -32_002)
    talk.ask(3, "initialize", ["protocolVersion": "2025-06-18"])
    #expect(talk.ask(4, "initialize")["error"]?["code"]?.int == -32_600)
    #expect(talk.ask(5, "resources/list")["error"]?["code"]?.int == -32_601)
    #expect(talk.ask(6, "tools/call", ["name": "delete"])["error"]?["code"]?.int == -32_602)
    let count = talk.told.count
    talk.receive(["jsonrpc": "2.0", "method": "notifications/initialized"])
    #expect(talk.told.count == count)
    talk.perform(talk.session.receive(Array("{".utf8)))
    #expect(talk.told.last?["error"]?["code"]?.int == -32_700)
    talk.perform(talk.session.receive(Array("[]".utf8)))
    #expect(talk.told.last?["error"]?["code"]?.int == -32_600)
  }

  @Test("Every tool is listed with a schema of its arguments, and says what it may change")
  func list() {
    var talk = Talk()
    let tools = talk.ask(1, "tools/list")["result"]?["tools"]?.array ?? []
    #expect(tools.compactMap { $0["name"]?.string } == ["check", "explain", "simulate", "run", "report"])
    for tool in tools {
      #expect(tool["inputSchema"]?["type"]?.string == "object")
      #expect(tool["inputSchema"]?["additionalProperties"]?.bool == false)
      #expect(tool["annotations"]?["readOnlyHint"]?.bool == (tool["name"]?.string != "run"))
      #expect(tool["annotations"]?["openWorldHint"]?.bool == false)
    }
  }

  @Test(
    "Arguments are read by the tool's list; what is wrong is an answer with a cure, not an error of the protocol",
    arguments: [
      ("check", #"{}"#, "takes either `path` or `text`"), ("check", #"{"path":"a","text":"b"}"#, "takes either"),
      ("check", #"{"pth":"a"}"#, "did you mean `path`?"), ("simulate", #"{}"#, "needs `path`"),
      ("run", #"{"path":"a","speed":1000}"#, "from 0.1 to 100"),
      ("run", #"{"path":"a","timeout":0}"#, "from 1.0 to 600.0"),
      ("run", #"{"path":"a","row":"x=1"}"#, "a list"), ("run", #"{"path":"a","seed":-1}"#, "from 0"),
      ("explain", #"{"word":""}"#, "not empty"), ("report", #"[]"#, "are an object"),
      ("check", #"{"path":"a\u0000b"}"#, "is a text"),
    ])
  func arguments(tool: String, arguments: String, part: String) throws {
    var talk = Talk()
    talk.call(1, tool, try JSONValue(parsing: arguments))
    #expect(talk.calls.isEmpty)
    #expect(talk.told.last?["result"]?["isError"]?.bool == true)
    #expect(
      talk.told.last?["result"]?["content"]?.array?[0]["text"]?.string?.contains(part) == true,
      "\(talk.told.last ?? .null)")
    #expect(talk.told.last?["result"]?["structuredContent"]?["error"]?["message"] != nil)
  }

  @Test("What is not given counts as the list says")
  func usual() {
    var talk = Talk()
    talk.call(1, "run", ["path": "a.yaml"])
    #expect(talk.calls[0].1 == .run(AgentCall.Scenario(path: "a.yaml"), speed: 20, limit: 120))
    talk.call(2, "report", .null)
    #expect(talk.calls[1].1 == .report(run: "latest"))
    talk.call(3, "explain", [:])
    #expect(talk.calls[2].1 == .explain(word: nil))
    talk.call(4, "check", ["text": "a", "name": "b.yaml"])
    #expect(talk.calls[3].1 == .check(.text("a", name: "b.yaml")))
  }

  @Test("A call that is cancelled is ended and never answered")
  func cancelling() {
    var talk = Talk()
    talk.call(1, "run", ["path": "a.yaml"])
    talk.receive(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1, "reason": "x"]])
    talk.receive(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 99]])
    #expect(talk.cancelled == [.number(1)])
    let count = talk.told.count
    talk.perform(talk.session.finished(.number(1), AgentAnswer(text: "late", structured: [:])))
    #expect(talk.told.count == count)
  }

  @Test("A call that is cancelled counts, and has its id, until it has ended")
  func cancelledCounts() {
    var talk = Talk()
    for id in 1...AgentSession.Limit.calls { talk.call(id, "run", ["path": "a.yaml"]) }
    talk.receive(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]])
    talk.receive(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]])
    #expect(talk.cancelled == [.number(1)])
    talk.call(9, "run", ["path": "a.yaml"])
    talk.call(1, "run", ["path": "a.yaml"])
    #expect(talk.calls.count == AgentSession.Limit.calls, "neither was begun")
    talk.perform(talk.session.finished(.number(1), AgentAnswer(text: "late", structured: [:])))
    talk.call(1, "run", ["path": "a.yaml"])
    #expect(talk.calls.count == AgentSession.Limit.calls + 1)
  }

  @Test("Progress is told to who asked for it, and only when it grows")
  func progress() {
    var talk = Talk()
    talk.call(1, "run", ["path": "a.yaml"], token: "t")
    talk.call(2, "run", ["path": "a.yaml"])
    let count = talk.told.count
    for done in [1, 1, 2] { talk.perform(talk.session.progressed(.number(1), done: done, of: 4, "x")) }
    talk.perform(talk.session.progressed(.number(2), done: 1, of: nil, "x"))
    #expect(talk.told.count == count + 2)
    #expect(talk.told.last?["params"]?["progressToken"]?.string == "t")
    #expect(talk.told.last?["params"]?["progress"]?.int == 2)
    #expect(talk.told.last?["params"]?["total"]?.int == 4)
  }

  @Test("Only so many tools are used at once, each under an id of its own")
  func limits() {
    var talk = Talk()
    for id in 1...AgentSession.Limit.calls { talk.call(id, "explain", [:]) }
    talk.call(9, "explain", [:])
    #expect(talk.told.last?["result"]?["isError"]?.bool == true)
    talk.call(1, "explain", [:])
    #expect(talk.told.last?["error"]?["code"]?.int == -32_600)
    #expect(talk.calls.count == AgentSession.Limit.calls)
    talk.perform(talk.session.finished(.number(1), AgentAnswer(text: "x", structured: [:])))
    talk.call(9, "explain", [:])
    #expect(talk.calls.count == AgentSession.Limit.calls + 1)
  }

  @Test("Answers have a part for programs where the revision knows one, and a text of bounded length")
  func answers() {
    for (revision, parts) in [("2025-06-18", 1), ("2025-03-26", 2)] {
      var talk = Talk(revision: revision)
      talk.call(1, "explain", [:])
      let text = String(repeating: "é", count: AgentAnswer.textLimit)
      talk.perform(talk.session.finished(.number(1), AgentAnswer(text: text, structured: ["a": 1])))
      let result = talk.told.last?["result"]
      #expect(result?["content"]?.array?.count == parts)
      #expect((result?["structuredContent"] != nil) == (parts == 1))
      #expect((result?["content"]?.array?[0]["text"]?.string?.utf8.count ?? 0) < AgentAnswer.textLimit + 100)
    }
  }
}
