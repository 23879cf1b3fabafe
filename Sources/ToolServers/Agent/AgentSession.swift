package import CastProtocol

/// The rules of a server of the Model Context Protocol: a value that takes messages of a client and says what to answer
/// and which tools to use. Source: MCP 2025-06-18 "Lifecycle", "Tools", "Cancellation", "Progress".
package struct AgentSession: Sendable {
  package enum Limit {
    /// Tools that are used at once.
    package static let calls = 4
  }

  /// The revisions that are spoken, the newest first.
  static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// Since this one answers have a part for programs.
  private static let structuredSince = "2025-06-18"

  package enum Effect: Sendable {
    case send(JSONValue)
    /// A tool is to be used; ``finished(_:_:)`` takes its answer.
    case call(RPCID, AgentCall)
    /// Nobody waits for the answer any longer.
    case cancel(RPCID)
  }

  private struct Call {
    /// The client's name for the progress of this call; `nil` where it wants none.
    var progressToken: JSONValue?
    /// The last that was told.
    var progress = 0
    /// It is being ended: until it has, it counts among those in use, and its id is taken.
    var isCancelled = false
  }

  private let toolVersion: String
  private var revision: String?
  private var calls: [RPCID: Call] = [:]

  package init(toolVersion: String) { self.toolVersion = toolVersion }

  // MARK: Messages

  package mutating func receive(_ line: [UInt8]) -> [Effect] {
    let json: JSONValue
    do throws(ProtocolError) {
      json = try JSONValue(parsing: line, limits: JSONValue.Limits(length: LineFrames.limit))
    } catch {
      let place = if case .malformedJSON(let what, let offset) = error { ": \(what) at byte \(offset)" } else { "" }
      return [.send(RPCMessage.error(RPCError(.parseError, "a line is no JSON\(place)"), of: nil))]
    }
    do throws(RPCMessage.Refusal) {
      switch try RPCMessage(json) {
      case .response: return []
      case .notification(let method, let params): return notified(method, params)
      case .request(let id, let method, let params): return requested(id, method, params)
      }
    } catch {
      return [.send(RPCMessage.error(error.error, of: error.id))]
    }
  }

  private mutating func notified(_ method: String, _ params: JSONValue) -> [Effect] {
    guard method == "notifications/cancelled", let id = params["requestId"].flatMap({ RPCID($0) }),
      calls[id]?.isCancelled == false
    else { return [] }
    calls[id]?.isCancelled = true
    return [.cancel(id)]
  }

  private mutating func requested(_ id: RPCID, _ method: String, _ params: JSONValue) -> [Effect] {
    do throws(RPCError) {
      switch method {
      case "ping": return [.send(RPCMessage.result([:], of: id))]
      case "initialize":
        guard revision == nil else { throw RPCError(.invalidRequest, "`initialize` comes once") }
        return [.send(RPCMessage.result(initialize(params), of: id))]
      case _ where revision == nil: throw RPCError(.notInitialized, "`initialize` comes first")
      case "tools/list":
        return [.send(RPCMessage.result(["tools": .array(AgentTool.allCases.map(\.json))], of: id))]
      case "tools/call": return try call(id, params)
      default: throw RPCError(.methodNotFound, "`\(method.prefix(100))` is not known")
      }
    } catch {
      return [.send(RPCMessage.error(error, of: id))]
    }
  }

  private mutating func initialize(_ params: JSONValue) -> JSONValue {
    let asked = params["protocolVersion"]?.string
    let revision = asked.flatMap { Self.revisions.contains($0) ? $0 : nil } ?? Self.revisions[0]
    self.revision = revision
    return [
      "protocolVersion": .string(revision), "capabilities": ["tools": ["listChanged": false]],
      "serverInfo": ["name": "showcaller", "title": "Showcaller", "version": .string(toolVersion)],
      "instructions": .string(Self.instructions),
    ]
  }

  private static let instructions = """
    Showcaller runs scenarios on Google Cast screens: YAML documents that say do this, then check that. Write a document, \
    `check` it until it is valid (each problem has a code, a place and a cure; `explain` tells more about a code or a \
    word), `simulate` it, then `run` it on a virtual receiver and read what failed. Paths are relative to the working \
    folder. No tool touches a real device.
    """

  private mutating func call(_ id: RPCID, _ params: JSONValue) throws(RPCError) -> [Effect] {
    guard let name = params["name"]?.string else { throw RPCError(.invalidParams, "`name` is missing") }
    guard let tool = AgentTool(rawValue: name) else {
      let names = AgentTool.allCases.map(\.rawValue).joined(separator: ", ")
      throw RPCError(.invalidParams, "there is no tool `\(name.prefix(100))`: there are \(names)")
    }
    guard calls[id] == nil else { throw RPCError(.invalidRequest, "the id of this request is in use") }
    guard calls.count < Limit.calls else {
      let problem = AgentProblem("\(Limit.calls) tools are in use", help: "wait for one of them, or cancel it")
      return [answer(AgentAnswer(problem), of: id)]
    }
    do throws(AgentProblem) {
      let call = try AgentCall(tool, params["arguments"])
      let token = params["_meta"]?["progressToken"].flatMap { RPCID($0) == nil ? nil : $0 }
      calls[id] = Call(progressToken: token)
      return [.call(id, call)]
    } catch {
      return [answer(AgentAnswer(error), of: id)]
    }
  }

  // MARK: Answers

  /// Takes the answer of a tool; of one that was cancelled nobody is told.
  package mutating func finished(_ id: RPCID, _ result: AgentAnswer) -> [Effect] {
    guard let call = calls.removeValue(forKey: id), !call.isCancelled else { return [] }
    return [answer(result, of: id)]
  }

  /// Takes how far a tool is: so many steps done, of so many where that is known. Told only when it grows.
  package mutating func progressed(_ id: RPCID, done: Int, of total: Int?, _ message: String) -> [Effect] {
    guard let call = calls[id], !call.isCancelled, let token = call.progressToken, done > call.progress else {
      return []
    }
    calls[id]?.progress = done
    var params: JSONObject = ["progressToken": token, "progress": .int(done)]
    params["total"] = total.map { .int(max($0, done)) }
    params["message"] = .string(message)
    return [.send(RPCMessage.notification("notifications/progress", .object(params)))]
  }

  private func answer(_ answer: AgentAnswer, of id: RPCID) -> Effect {
    .send(RPCMessage.result(answer.json(structuredToo: (revision ?? "") >= Self.structuredSince), of: id))
  }
}
