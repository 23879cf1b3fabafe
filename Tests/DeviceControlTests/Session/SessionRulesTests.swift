import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("Rules of `watch`, judged by the session for its owner") struct SessionRulesTests {
  typealias Setting = SessionLab.Setting

  @Test("The owner is asked for the values of rules, and told of the first status that breaks one")
  func monitors() throws {
    let loud = Condition.field(
      Make.path("volume.level"), .range(min: nil, max: Matcher.Operand(.saved("limit")), above: nil, below: nil),
      span: Make.span)
    let setting = Setting {
      $0.monitors = [
        Plan.Monitor(name: "Quiet", rule: .always(loud), forAtLeast: nil, ifFails: .ignore, span: Make.span)
      ]
      $0.owner = ToldOwner {
        $0.judgesRules = true
        $0.runningStep = "s7"
        $0.values = ["limit": 60]
      }
    }
    try SessionLab.connected(setting) { lab in
      lab.stage.showReceiver { $0.volume["level"] = 0.55 }
      try await lab.wait(.seconds(1))
      #expect(lab.owner.told.isEmpty)
      for level in [0.61, 0.7] {
        lab.stage.showReceiver { $0.volume["level"] = JSONValue(level) }
        try await lab.wait(.seconds(1))
      }
      #expect(lab.owner.told == ["broken: Quiet"])
      let event = try #require(lab.events.all.first { $0.type == .monitorFailed })
      #expect(event.step == "s7" && event.fields["ignored"] == true && event.fields["name"] == "Quiet")
      #expect(event.fields["got"]?["volume"]?["level"] == 61)
    }
  }

  /// Two seconds of more than 60% break the rule.
  static func quiet(_ change: (inout ToldOwner.State) -> Void = { _ in }) -> Setting {
    Setting {
      $0.monitors = [
        Plan.Monitor(
          name: "Quiet", rule: .never(Make.min("volume.level", 60)), forAtLeast: .seconds(2), ifFails: .stop,
          span: Make.span)
      ]
      $0.owner = ToldOwner {
        $0.judgesRules = true
        change(&$0)
      }
    }
  }

  @Test("A rule is broken by the clock alone")
  func clock() throws {
    try SessionLab.connected(Self.quiet()) { lab in
      lab.stage.showReceiver { $0.volume["level"] = 0.9 }
      try await lab.wait(.milliseconds(1990))
      #expect(lab.owner.told.isEmpty)
      try await lab.wait(.milliseconds(20))
      #expect(lab.owner.told == ["broken: Quiet"])
    }
  }

  static let resting: [(String, @Sendable (inout ToldOwner.State) -> Void)] = [
    ("cleaning up", { $0.judgesRules = false }), ("the loss has ended it", { $0.hasEndedByLoss = true }),
  ]

  @Test("Rules rest while cleaning up and after a loss, also one whose time was running", arguments: resting.indices)
  func rest(index: Int) throws {
    try SessionLab.connected(Self.quiet()) { lab in
      lab.stage.showReceiver { $0.volume["level"] = 0.9 }
      try await lab.wait(.seconds(1))
      lab.owner.set(Self.resting[index].1)
      try await lab.wait(.seconds(5))
      lab.stage.showReceiver { $0.volume["level"] = 0.95 }
      try await lab.wait(.seconds(5))
      #expect(lab.owner.told.isEmpty, "\(Self.resting[index].0)")
    }
  }

  @Test("A rule whose time is over while it is not known what became of the app waits for that")
  func undecided() throws {
    try SessionLab.connected(Self.quiet { $0.endsOnLoss = true }) { lab in
      try await SessionRegainingTests.begin(lab)
      lab.stage.showReceiver { $0.volume["level"] = 0.9 }
      try await lab.wait(.milliseconds(1500))
      lab.stage.showReceiver { $0.app = nil }
      try await lab.wait(.milliseconds(1900))
      #expect(lab.owner.told.isEmpty)
      try await lab.wait(.seconds(1))
      #expect(lab.owner.told.first == SessionTakeoverTests.stopped)
    }
  }
}
