import CastProtocol
import Testing

@testable import CastReceiver

/// What comes over the control socket (docs/security.md V6).
@Suite struct ControlExchangeTests {
  private static func step(_ text: String, size: Int = 4096) -> ControlExchange.Step {
    var exchange = ControlExchange()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let step = exchange.receive(Array(rest.prefix(size)))
      if step != .wait {
        #expect(exchange.receive(Array(text.utf8)) == .wait, "one answer only")
        return step
      }
      rest = rest.dropFirst(size)
    }
    return .wait
  }

  static let known: [ControlRequest] = [
    .status, .press(.pause, receiver: "a", app: nil),
    .press(.takeover, receiver: "a", app: .init(id: "233637DE", name: "YouTube")),
  ]
  @Test("A request is read as it was written, in whatever pieces it comes", arguments: known, [1, 7, 4096])
  func requests(request: ControlRequest, size: Int) {
    #expect(Self.step(String(decoding: request.line, as: UTF8.self), size: size) == .carryOut(request))
  }

  static let strange = [
    "\n", "GET / HTTP/1.1\r\n", "{}\n", #"{"v":2,"do":"status"}"# + "\n", #"{"v":1,"do":"reboot"}"# + "\n",
    #"{"v":1,"do":"press","button":"eject","receiver":"a"}"# + "\n", #"{"v":1,"do":"press","button":"pause"}"# + "\n",
    #"{"v":1,"do":"press","button":"takeover","receiver":"a"}"# + "\n",
    #"{"v":1,"do":"press","button":"pause","receiver":"a","app":{"id":"A","name":"A"}}"# + "\n",
    #"{"v":1,"do":"press","button":"takeover","receiver":"a","app":{"id":"","name":"A"}}"# + "\n",
    String(repeating: "[", count: 2000) + "\n", "\u{0}\u{1}\n",
  ]
  @Test("Whatever else comes is refused in a line", arguments: strange)
  func garbage(text: String) {
    guard case .refuse(.refusal(let refusal)) = Self.step(text) else {
      Issue.record("not refused: \(text)")
      return
    }
    #expect(ControlAnswer.refusal(refusal).line.last == UInt8(ascii: "\n"))
  }

  @Test("A request without an end is waited for up to its limit, and refused beyond", arguments: [1, 1000, 100_000])
  func tooLong(size: Int) {
    #expect(Self.step(String(repeating: "x", count: ControlExchange.requestLimit), size: size) == .wait)
    guard case .refuse = Self.step(String(repeating: "x", count: 100_000), size: size) else {
      Issue.record("not refused")
      return
    }
  }

  @Test("Seeded nonsense is refused or waited for, and never carried out")
  func nonsense() {
    var random = SeededGenerator(seed: 7)
    let seed = ControlRequest.press(.pause, receiver: "a", app: nil).line
    for _ in 0..<2000 {
      var bytes = seed
      let count = Int.random(in: 1...4, using: &random)
      for _ in 0..<count {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var exchange = ControlExchange()
      if case .carryOut(let request) = exchange.receive(bytes) {
        // Only another id of a receiver can come of it.
        guard case .press(.pause, _, nil) = request else {
          Issue.record("\(request)")
          return
        }
      }
    }
  }

  @Test("An answer is read as it was written; what is none is not")
  func answers() {
    let refusal = PersonRefusal(message: "nothing is loaded", help: "load something")
    let busy = ReceiverSnapshot(
      isPlugged: false, name: "TV", id: "a", model: "M", display: .init(isActiveInput: false, isStandby: true),
      app: .init(id: "CC1AD845", name: "Player", sessionID: "s", statusText: "", isPage: true),
      media: .init(
        sessionID: 1, address: "https://a.example/a.mp4", contentType: "video/mp4", title: "A", state: .ad,
        position: 1.5, duration: 60),
      volume: .init(level: 0.25, isMuted: true, control: .master),
      senders: [.init(connection: 3, id: "sender-0", userAgent: "vlc", isAtApp: true)])
    let idle = ReceiverSnapshot(
      name: "TV", id: "a", model: "M", display: .init(), app: nil, media: nil,
      volume: .init(level: 1, isMuted: false, control: .fixed), senders: [])
    let done = ControlAnswer.receivers(
      [.init(busy, address: "127.0.0.1:8009"), .init(idle, address: "[::1]:9")], processID: 7)
    for answer in [ControlAnswer.refusal(refusal), done] { #expect(ControlAnswer(parsing: answer.line) == answer) }
    let other = String(decoding: done.line, as: UTF8.self).replacing("\"ad\"", with: "\"dancing\"")
    #expect(ControlAnswer(parsing: Array(other.utf8)) == nil, "a state that nobody knows is not no media")
    for text in ["", "[]", "{}", #"{"v":1}"#, #"{"v":9,"ok":true}"#, #"{"v":1,"ok":true}"#, "nonsense"] {
      #expect(ControlAnswer(parsing: Array(text.utf8)) == nil)
    }
  }
}
