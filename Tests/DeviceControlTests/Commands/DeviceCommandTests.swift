import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// What commands ask of a device, and how long that may take.
@Suite struct DeviceCommandTests {
  @Test("Each part may take as long as such things usually do; what somebody said is for the first, or for all")
  func limits() {
    let timeouts = Plan.Timeouts()
    let both = DeviceCommand([.action(.volume(level: 1, ramp: .seconds(3))), .action(.play)], limit: .seconds(2))
    #expect(both.limit(of: 0, timeouts) == .seconds(2) && both.limit(of: 1, timeouts) == timeouts.step)
    #expect(DeviceCommand(.volume(level: 1, ramp: .seconds(3))).limit(of: 0, timeouts) == timeouts.step + .seconds(3))
    #expect(DeviceCommand(.launch(.init(appID: "CC1AD845"))).limit(of: 0, timeouts) == timeouts.launch)
    var watching = DeviceCommand(.play)
    watching.waitForTheEnd()
    #expect(watching.limit(of: 1, timeouts) == .seconds(30 * 86_400) && watching.takeover == .fail)
    watching.limit = .seconds(5)
    #expect(watching.limit(of: 1, timeouts) == .seconds(5) && watching.limitIsForAll)
    #expect(both.takeover == .ignore && !both.limitIsForAll)
  }

  /// What words come to.
  private static func read<Value>(_ line: String, _ body: (inout CommandReader) -> Value?) -> Value? {
    var reader = CommandReader(CommandLineText(line.split(separator: " ").map(String.init)))
    let value = body(&reader)
    #expect(reader.findings.isSound == (value != nil), "\(line)")
    return value
  }

  @Test("Words with a sign go from where it is, others to a place")
  func signs() {
    guard case .seek(let to)? = Self.read("seek 1:30", { $0.seek("1:30", then: "pause", tolerance: "1s") }),
      case .seek(let by)? = Self.read("seek -10s", { $0.seek("-10s", then: nil, tolerance: nil) }),
      case .queueUpdate(let on)? = Self.read("queue jump +2", { $0.queueJump("+2") }),
      case .queueJump(.item(.number(2)))? = Self.read("queue jump 2", { $0.queueJump("2") })
    else {
      Issue.record("another action")
      return
    }
    #expect(to.target == .to(90) && to.then == .pause && to.tolerance == .seconds(1))
    #expect(by.target == .by(-10) && by.then == .keep && on.jump == 2)
    for then in ["paus", ""] {
      #expect(Self.read("seek 1s --then \(then)") { $0.seek("1s", then: then, tolerance: nil) } == nil)
    }
  }

  @Test("A queue is cut into messages: from the item that plays on, then what stands before it")
  func queues() {
    let entries = (1...900).map {
      AddressEntry("https://cdn.example.com/\(String(repeating: "x", count: 200))/\($0).mp4")
    }
    let command = Self.read("queue load") { reader in
      DeviceCommand(queue: entries, from: 450, QueueWords(), read: &reader)
    }
    var order: [String] = []
    var before: [String] = []
    for part in command?.parts ?? [] {
      switch part {
      case .action(.queueLoad(let load)): order += load.items.map(\.media.contentID)
      case .action(.queueInsert(let items, nil)): order += items.map(\.media.contentID)
      case .insertBeforeFirst(let items): before += items.map(\.media.contentID)
      default: Issue.record("another part")
      }
    }
    #expect(before + order == entries.map(\.text) && order.first == entries[450].text)
    #expect((command?.parts.count ?? 0) > 4 && command?.limitIsForAll == true)
    #expect(
      Self.read("queue load") { DeviceCommand(queue: [AddressEntry("https://x/y")], from: 0, .init(), read: &$0) }
        == nil)
  }
}
