package import CastProtocol
package import ScenarioLanguage

/// The rules of a language server: a value that takes messages of an editor and says what to answer. Source: LSP 3.17.
///
/// Requests are answered in the order in which they come. What a document's problems are is asked for as a
/// ``CheckJob`` when nothing else waits, so that somebody who types is not told of every letter.
package struct EditorSession: Sendable {
  package enum Limit {
    /// Documents that are open at once.
    package static let documents = 256
    /// Messages that wait to be answered.
    package static let waiting = 64
    /// Bytes of these.
    package static let waitingBytes = 16 << 20
    /// Words that are offered at once.
    static let candidates = 500
  }

  /// What the caller must do.
  package enum Effect: Sendable {
    case send(JSONValue)
    /// The connection is over; with the exit code of the process.
    case end(code: Int32)
  }

  /// A check of one document that was changed.
  package struct CheckJob: Sendable {
    package let address: String
    package let version: Int
    package let source: SourceFile
    /// What is open, by path: an include is read as it is being edited.
    package let open: [String: [UInt8]]
  }

  enum Phase { case new, running, shutDown, over }

  /// What the compiler asks for besides a text.
  let inputs: @Sendable (SourceFile, _ open: [String: [UInt8]]) -> PlanCompiler.Inputs
  /// The exit code that a page of a code tells.
  let exitCode: @Sendable (Code) -> Int
  private let toolVersion: String

  private(set) var phase = Phase.new
  private(set) var encoding = PositionEncoding.utf16
  private(set) var takesMarkdown = true
  var documents: [String: OpenDocument] = [:]
  /// What was published, by the address of the file and then by that of the document that led there.
  var published: [String: [String: [FoundProblem]]] = [:]
  private var waiting: [(message: RPCMessage, bytes: Int)] = []
  private var waitingBytes = 0
  /// Requests that were taken back while they waited.
  private var cancelled: Set<RPCID> = []
  private var checking: String?

  package init(
    toolVersion: String, exitCode: @escaping @Sendable (Code) -> Int,
    inputs: @escaping @Sendable (SourceFile, _ open: [String: [UInt8]]) -> PlanCompiler.Inputs
  ) {
    self.toolVersion = toolVersion
    self.exitCode = exitCode
    self.inputs = inputs
  }

  // MARK: Messages

  /// Whether no more messages should be taken in before some are answered.
  package var isFull: Bool { waiting.count >= Limit.waiting || waitingBytes >= Limit.waitingBytes }

  /// Queues a message. Returns errors only, for bodies that are no JSON-RPC.
  package mutating func receive(_ body: [UInt8]) -> [Effect] {
    let json: JSONValue
    do throws(ProtocolError) {
      json = try JSONValue(parsing: body, limits: JSONValue.Limits(length: HeaderFrames.bodyLimit))
    } catch {
      return [.send(RPCMessage.error(RPCError(.parseError, "a message is no JSON: \(error)"), of: nil))]
    }
    do throws(RPCMessage.Refusal) {
      let message = try RPCMessage(json)
      if case .notification("$/cancelRequest", let params) = message {
        if let id = params["id"].flatMap({ RPCID($0) }), isWaiting(id) { cancelled.insert(id) }
      } else {
        waiting.append((message, body.count))
        waitingBytes += body.count
      }
      return []
    } catch {
      return [.send(RPCMessage.error(error.error, of: error.id))]
    }
  }

  private func isWaiting(_ id: RPCID) -> Bool {
    waiting.contains { if case .request(id, _, _) = $0.message { true } else { false } }
  }

  /// Answers the next message; `nil`: none waits.
  package mutating func step() -> [Effect]? {
    guard phase != .over, !waiting.isEmpty else { return nil }
    let (message, bytes) = waiting.removeFirst()
    waitingBytes -= bytes
    switch message {
    case .response: return []
    case .notification(let method, let params): return notified(method, params)
    case .request(let id, let method, let params):
      if cancelled.remove(id) != nil {
        return [.send(RPCMessage.error(RPCError(.requestCancelled, "taken back"), of: id))]
      }
      do throws(RPCError) {
        return [.send(RPCMessage.result(try answer(method, params), of: id))]
      } catch {
        return [.send(RPCMessage.error(error, of: id))]
      }
    }
  }

  private mutating func answer(_ method: String, _ params: JSONValue) throws(RPCError) -> JSONValue {
    switch (phase, method) {
    case (.new, "initialize"): return initialize(params)
    case (.new, _): throw RPCError(.notInitialized, "`initialize` comes first")
    case (.running, "initialize"): throw RPCError(.invalidRequest, "`initialize` comes once")
    case (.shutDown, _), (.over, _): throw RPCError(.invalidRequest, "nothing is answered after `shutdown` but `exit`")
    case (.running, "shutdown"):
      phase = .shutDown
      return .null
    case (.running, _): break
    }
    guard let request = EditorRequest(rawValue: method) else {
      throw RPCError(.methodNotFound, "`\(method.prefix(100))` is not known")
    }
    return try answer(request, params)
  }

  private mutating func notified(_ method: String, _ params: JSONValue) -> [Effect] {
    if method == "exit" {
      let code: Int32 = phase == .shutDown ? 0 : 1
      phase = .over
      return [.end(code: code)]
    }
    guard phase == .running else { return [] }
    switch method {
    case "textDocument/didOpen": return open(params)
    case "textDocument/didChange": return change(params)
    case "textDocument/didClose": return close(params)
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      // What is on the disk may have changed for all that include it.
      for address in documents.keys { documents[address]?.isDirty = true }
      return []
    // Those that are not known are passed over, as the protocol asks.
    default: return []
    }
  }

  private mutating func initialize(_ params: JSONValue) -> JSONValue {
    phase = .running
    let offered = params["capabilities"]?["general"]?["positionEncodings"]?.array ?? []
    encoding = PositionEncoding(offered: offered.compactMap(\.string))
    let formats = params["capabilities"]?["textDocument"]?["hover"]?["contentFormat"]?.array ?? []
    takesMarkdown = formats.isEmpty || formats.contains { $0.string == "markdown" }
    return [
      "capabilities": [
        "positionEncoding": .string(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
        "completionProvider": ["triggerCharacters": [" ", "{", "[", ","], "resolveProvider": false],
        "hoverProvider": true, "definitionProvider": true, "documentFormattingProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      ],
      "serverInfo": ["name": "showcaller", "version": .string(toolVersion)],
    ]
  }

  // MARK: Checks

  /// The next document to check; `nil` where none was changed, or one is being checked.
  package mutating func nextCheck() -> CheckJob? {
    guard phase == .running, checking == nil,
      let address = documents.keys.filter({ documents[$0]?.isDirty == true }).min(),
      let document = documents[address]
    else { return nil }
    documents[address]?.isDirty = false
    if EditedDocument.isReadable(document.source) { documents[address]?.lastReadable = document.text.bytes }
    checking = address
    return CheckJob(address: address, version: document.version, source: document.source, open: openFiles)
  }

  /// Takes in what a check found, and publishes it unless the document was changed meanwhile.
  package mutating func finished(_ job: CheckJob, _ result: CheckResult) -> [Effect] {
    checking = nil
    guard let document = documents[job.address], phase == .running else { return [] }
    documents[job.address]?.sources = Set(result.sources.map(\.name))
    guard document.version == job.version, !document.isDirty else { return [] }
    return publish(result, of: document)
  }

  /// The texts that are open, by path.
  var openFiles: [String: [UInt8]] {
    Dictionary(documents.values.map { ($0.name, $0.text.bytes) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The requests that are answered. Source: LSP 3.17 "Language Features".
enum EditorRequest: String {
  case completion = "textDocument/completion"
  case hover = "textDocument/hover"
  case definition = "textDocument/definition"
  case formatting = "textDocument/formatting"
  case codeAction = "textDocument/codeAction"
}
