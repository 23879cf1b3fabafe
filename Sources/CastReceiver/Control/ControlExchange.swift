/// One request and its answer on the control socket. Holds no socket; whatever comes, it answers once.
///
/// Source of the limits: docs/security.md V6.
package struct ControlExchange {
  /// Bytes of a request.
  static let requestLimit = 4096

  /// What is to be done.
  package enum Step: Hashable {
    case wait
    case carryOut(ControlRequest)
    case refuse(ControlAnswer)
  }

  private var line: [UInt8] = []
  private var isOver = false

  package init() {}

  /// Takes what came; nothing counts behind the first line.
  package mutating func receive(_ bytes: [UInt8]) -> Step {
    if isOver { return .wait }
    let new = bytes.prefix(Self.requestLimit + 1 - line.count)
    let end = new.firstIndex(of: UInt8(ascii: "\n"))
    line += end.map { new[..<$0] } ?? new
    guard end != nil else {
      if line.count <= Self.requestLimit { return .wait }
      isOver = true
      return .refuse(.refusal(.init(message: "the request is over \(Self.requestLimit) bytes long")))
    }
    isOver = true
    guard let request = ControlRequest(parsing: line) else {
      return .refuse(
        .refusal(
          .init(message: "the receiver does not know this request", help: "use the showcaller that started it")))
    }
    return .carryOut(request)
  }
}
