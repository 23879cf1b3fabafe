import CastReceiver

extension Family {
  static let presses = Family(
    name: "presses",
    seeds: {
      let app = ControlRequest.TakeoverApp(id: "233637DE", name: "YouTube")
      let presses = ReceiverButton.allCases.map {
        ControlRequest.press($0, receiver: "5a1c0000-0000-4000-8000-000000000001", app: $0 == .takeover ? app : nil)
      }
      return ([.status] + presses).map(\.line)
    },
    words: [
      "null", "1e308", "\\ud800", "\"do\":", "\"status\"", "\"press\"", "\"takeover\"", "\"app\":{", "\n", "[[",
      "\u{0}",
    ], makeReader: { PressesReader() })
}

/// The control socket of virtual receivers: what is carried out is a request that reads the same again.
private final class PressesReader: Reader {
  func read(_ bytes: [UInt8]) async throws(Violation) {
    var exchange = ControlExchange()
    var pieces = ControlExchange()
    let whole = exchange.receive(bytes)
    var last = ControlExchange.Step.wait
    for byte in bytes.prefix(5000) where last == .wait { last = pieces.receive([byte]) }
    if case .carryOut(let request) = whole {
      guard last == whole else { throw Violation("in pieces it is another request: \(last)") }
      var again = ControlExchange()
      guard again.receive(request.line) == whole else { throw Violation("written, it is another request: \(request)") }
    }
    if whole != .wait, exchange.receive(bytes) != .wait { throw Violation("a second answer") }
    if whole == .wait, bytes.count > 4096 { throw Violation("it waits for more than it may take") }
    if let answer = ControlAnswer(parsing: bytes), ControlAnswer(parsing: answer.line) != answer {
      throw Violation("written, it is another answer")
    }
  }
}
