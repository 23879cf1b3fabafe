package import CastProtocol

/// The id of a request, as whoever asks gave it.
package enum RPCID: Hashable, Sendable {
  case number(Int)
  case text(String)

  package init?(_ json: JSONValue) {
    switch json {
    case .int(let number): self = .number(number)
    case .string(let text) where text.utf8.count <= 200: self = .text(text)
    default: return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .string(text)
    }
  }
}

/// Why a request is not answered. Source: JSON-RPC 2.0 "Error object"; LSP 3.17 "ErrorCodes".
package struct RPCError: Error, Hashable, Sendable {
  package enum Code: Int, Hashable, Sendable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case internalError = -32_603
    case notInitialized = -32_002
    case requestCancelled = -32_800
    case requestFailed = -32_803
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// One message of JSON-RPC 2.0.
package enum RPCMessage: Sendable {
  case request(id: RPCID, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  /// An answer to us; we ask nothing, so nobody waits for it.
  case response

  /// Reads one message.
  /// - Throws: What is to be answered, with the id where there is one.
  package init(_ json: JSONValue) throws(Refusal) {
    guard let object = json.object else {
      let what =
        json.array == nil ? "a message is an object" : "batches are not taken: send one message after the other"
      throw Refusal(id: nil, error: RPCError(.invalidRequest, what))
    }
    let id = object["id"].flatMap { RPCID($0) }
    guard object["jsonrpc"]?.string == "2.0" else {
      throw Refusal(id: id, error: RPCError(.invalidRequest, "`jsonrpc` is not \"2.0\""))
    }
    guard let method = object["method"]?.string else {
      if object["result"] != nil || object["error"] != nil {
        self = .response
        return
      }
      throw Refusal(id: id, error: RPCError(.invalidRequest, "a message without a method"))
    }
    let params = object["params"] ?? .null
    if let id {
      self = .request(id: id, method: method, params: params)
    } else if object["id"] == nil {
      self = .notification(method: method, params: params)
    } else {
      throw Refusal(id: nil, error: RPCError(.invalidRequest, "an id is a number or a text"))
    }
  }

  /// What is answered to a message that is none.
  package struct Refusal: Error, Sendable {
    package var id: RPCID?
    package var error: RPCError
  }

  // MARK: What we send

  package static func result(_ value: JSONValue, of id: RPCID) -> JSONValue {
    ["jsonrpc": "2.0", "id": id.json, "result": value]
  }

  package static func error(_ error: RPCError, of id: RPCID?) -> JSONValue {
    [
      "jsonrpc": "2.0", "id": id?.json ?? .null,
      "error": ["code": .int(error.code.rawValue), "message": .string(error.message)],
    ]
  }

  package static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}
