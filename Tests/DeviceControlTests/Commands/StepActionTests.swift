import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// What steps of a plan ask of one device.
@Suite struct StepActionTests {
  private static func action(
    _ step: Plan.Action, saved: [String: JSONValue] = [:]
  ) throws(StepFailure) -> DeviceAction? {
    try DeviceAction(step) { saved[$0] }
  }

  @Test("What an earlier step saved is put in: numbers, positions, items")
  func saved() throws {
    let values: [String: JSONValue] = ["p": 12.5, "n": 3, "t": "x"]
    guard case .volume(let level, let ramp)? = try Self.action(.volume(.init(level: .saved("p"))), saved: values),
      case .seek(let seek)? = try Self.action(.seek(.init(target: .to(.saved("p")))), saved: values),
      case .rate(.to(let rate))? = try Self.action(.rate(.to(.saved("n"))), saved: values),
      case .queueRemove(let items)? = try Self.action(.queueRemove([.saved("n"), .number(1)]), saved: values)
    else {
      Issue.record("another action")
      return
    }
    #expect(level == 12.5 && ramp == .zero && seek.target == .to(12.5) && rate == 3)
    #expect(items == [.number(3), .number(1)])
    for step in [Plan.Action.rate(.to(.saved("t"))), .queueJump(.item(.saved("t"))), .queueRemove([.saved("none")])] {
      #expect(throws: StepFailure.self) { try Self.action(step, saved: values) }
    }
  }

  @Test("Steps that wait, judge or hold others ask nothing of a device by themselves")
  func others() throws {
    for step in [Plan.Action.save, .wait(.literal(1)), .choose([]), .mark(.init([.text("x")]))] {
      #expect(try Self.action(step) == nil)
    }
  }
}
