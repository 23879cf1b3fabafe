import CastProtocol
import ScenarioLanguage

@testable import ToolServers

/// An editor that talks to a session, and keeps what it is answered.
struct EditorTalk {
  var session: EditorSession
  private(set) var told: [JSONValue] = []
  private(set) var code: Int32?
  private var nextID = 1
  var files: [String: String] = [:]

  init(files: [String: String] = [:], capabilities: JSONValue = [:]) throws {
    self.files = files
    session = EditorSession(toolVersion: "1", exitCode: { _ in 3 }) { source, open in
      var inputs = PlanCompiler.Inputs()
      inputs.includedFile = { path, includer in
        let folder = includer.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let name = folder + "/" + path
        if let bytes = open[name] { return .success(SourceFile(name: name, bytes: bytes)) }
        return files[name].map { .success(SourceFile(name: name, bytes: Array($0.utf8))) } ?? .failure(.notFound)
      }
      return inputs
    }
    _ = try ask("initialize", ["capabilities": capabilities])
    notify("initialized", [:])
  }

  mutating func notify(_ method: String, _ params: JSONValue) {
    receive(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// - Returns: The result.
  mutating func ask(_ method: String, _ params: JSONValue) throws -> JSONValue {
    let answer = answer(to: method, params)
    struct NoResult: Error { var answer: JSONValue }
    guard let result = answer["result"] else { throw NoResult(answer: answer) }
    return result
  }

  /// The whole answer.
  mutating func answer(to method: String, _ params: JSONValue) -> JSONValue {
    nextID += 1
    let id = nextID
    receive(["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params])
    return told.last { $0["id"]?.int == id } ?? .null
  }

  mutating func receive(_ message: JSONValue) { receive(text: message.serialized()) }

  mutating func receive(text: String, answering: Bool = true) {
    perform(session.receive(Array(text.utf8)))
    if answering { work() }
  }

  /// Answers all that waits, and checks what was changed.
  mutating func work() {
    while let effects = session.step() { perform(effects) }
    while let job = session.nextCheck() {
      let outcome = PlanCompiler.compile(job.source, inputs: session.inputs(job.source, job.open))
      let result = CheckResult(
        file: job.source.name, identity: nil, diagnostics: outcome.diagnostics, sources: outcome.sources)
      perform(session.finished(job, result))
    }
  }

  private mutating func perform(_ effects: [EditorSession.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message): told.append(message)
      case .end(let code): self.code = code
      }
    }
  }

  // MARK: Documents

  mutating func open(_ address: String, _ text: String, version: Int = 1) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(address), "languageId": "yaml", "version": .int(version), "text": .string(text),
        ]
      ])
  }

  /// The newest problems of a document, each as `code line:column-line:column`.
  func problems(_ address: String) -> [String]? {
    let published = told.last {
      $0["method"]?.string == "textDocument/publishDiagnostics" && $0["params"]?["uri"]?.string == address
    }
    return published?["params"]?["diagnostics"]?.array?.map { problem in
      let (start, end) = (problem["range"]?["start"], problem["range"]?["end"])
      func place(_ json: JSONValue?) -> String { "\(json?["line"]?.int ?? -1):\(json?["character"]?.int ?? -1)" }
      return "\(problem["code"]?.string ?? "") \(place(start))-\(place(end))"
    }
  }

  static func at(_ address: String, _ line: Int, _ character: Int) -> JSONValue {
    ["textDocument": ["uri": .string(address)], "position": ["line": .int(line), "character": .int(character)]]
  }
}
