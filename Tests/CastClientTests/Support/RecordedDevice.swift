import CastProtocol
import CastTransport
import Synchronization
import TestSupport

@testable import CastClient

/// A device behind real TLS that says what was recorded: a recorded reply answers the next request of ours that it fits,
/// with that request's id; everything else is said of its own accord.
final class RecordedDevice: Sendable {
  /// Something the device says.
  struct Words: Sendable {
    var payload: JSONValue
    var namespace: Namespace
    var source: EndpointID
    var destination = EndpointID.everyone

    /// The same with the id of the request it answers.
    func answering(_ id: Int) -> Words {
      guard case .object(var object) = payload else { return self }
      if object["launchRequestId"] != nil {
        object["launchRequestId"] = .int(id)
      } else {
        object["requestId"] = .int(id)
      }
      var words = self
      words.payload = .object(object)
      return words
    }
  }

  private struct State {
    var peer: ScriptedPeer?
    var merge = PlainMerge()
    /// The last RECEIVER_STATUS, which answers whoever asks.
    var receiver = Words(
      payload: ["type": "RECEIVER_STATUS", "requestId": 0, "status": ["volume": ["level": 1, "muted": false]]],
      namespace: .receiver, source: .receiver)
    /// What answers the next request of the type, one after the other.
    var answers: [(request: String, words: [Words])] = []
    /// Requests of the media namespace that nothing recorded answers.
    var unanswered = 0
  }

  private let state = Mutex(State())
  private let server = Mutex<TLSServer?>(nil)

  private init() {}

  /// Listens on a free port, for one sender at a time.
  static func start() async throws -> RecordedDevice {
    let device = RecordedDevice()
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      let peer = ScriptedPeer(channel) { [weak device] _, request in device?.answer(request) }
      device.state.withLock { $0.peer = peer }
    }
    device.server.withLock { $0 = server }
    return device
  }

  var address: HostAndPort { HostAndPort(host: "127.0.0.1", port: server.withLock { $0?.port ?? 0 }) }
  /// What a sender has to believe now.
  var merge: PlainMerge { state.withLock { $0.merge } }
  func stop() async { await server.withLock { $0 }?.close() }

  /// Says something of its own accord.
  func say(_ words: Words) {
    state.withLock { state in
      note(words, &state)
      state.peer?.send(words.payload, in: words.namespace, from: words.source, to: words.destination)
    }
  }

  /// Keeps `words` for the next request of the type; all are said then, those with an id in answer to it.
  func prepare(_ words: [Words], for request: String) {
    state.withLock { $0.answers.append((request, words)) }
  }

  /// What the device says is noted before it is sent: the test judges only after it has come back.
  private func note(_ words: Words, _ state: inout State) {
    state.merge.receive(words.payload, in: words.namespace, from: words.source)
    if words.namespace == .receiver, words.payload["type"] == "RECEIVER_STATUS" { state.receiver = words }
  }

  private func answer(_ request: ScriptedPeer.Request) {
    state.withLock { state in
      guard let peer = state.peer else { return }
      func send(_ words: Words) {
        note(words, &state)
        let answers = words.payload["requestId"].map { $0 != 0 } ?? true
        let said = answers ? words.answering(request.id) : words
        peer.send(said.payload, in: said.namespace, from: said.source, to: said.destination)
      }
      // Every sender connects to the platform; what is recorded is how apps answer that.
      let isGreeting = request.namespace == .connection && request.destination == .receiver
      let kind = request.type + request.namespace.rawValue
      if !isGreeting, let index = state.answers.firstIndex(where: { $0.request == kind }) {
        for words in state.answers.remove(at: index).words { send(words) }
      } else if request.namespace == .receiver, request.type == "GET_STATUS" {
        var words = state.receiver
        if case .object(var object) = words.payload {
          object["requestId"] = .int(request.id)
          words.payload = .object(object)
        }
        send(words)
      } else if request.namespace == .media {
        // An app that does not know the request: nothing recorded answers it.
        state.unanswered += 1
        send(
          Words(
            payload: ["type": "INVALID_REQUEST", "requestId": 1, "reason": "INVALID_COMMAND"], namespace: .media,
            source: request.destination))
      }
    }
  }
}
