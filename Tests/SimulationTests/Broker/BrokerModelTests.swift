import FleetMessages
import Simulation
import Testing

/// What the model does where real brokers differ, and its bounds.
@Suite struct BrokerModelTests {
  private static func news(_ text: String) -> BrokerMessage { BrokerMessage("q/any", Array(text.utf8)) }

  @Test(
    "A filter asks for its topics and for no others",
    arguments: [
      ("a/b", "a/b", true), ("a/b", "a/b/", false), ("a/+", "a/b", true), ("a/+", "a", false), ("a/+", "a/", true),
      ("a/#", "a", true), ("a/#", "a/b/c", true), ("#", "a/b", true), ("#", "$SYS/x", false), ("+/x", "$SYS/x", false),
      ("$SYS/#", "$SYS/x", true), ("$share/g/a/#", "a/b", true), ("/+", "/a", true), ("+", "/a", false),
    ])
  func filters(filter: String, topic: String, asks: Bool) throws {
    let topic = try #require(TopicFilter.Topic(topic))
    #expect(try #require(TopicFilter(filter)).matches(topic) == asks)
  }

  @Test(
    "What is no filter is none",
    arguments: ["", "a/#/b", "a#", "a+/b", "$share/g", "$share//a", "$share/g/", "$share/+/a"])
  func noFilter(text: String) { #expect(TopicFilter(text) == nil) }

  @Test("At most 20 deliveries are open, so many wait, and further ones are dropped") func bounds() {
    var habits = BrokerModel.Habits()
    habits.mostQueued = 5
    var model = BrokerModel(habits)
    _ = model.receive(.connect(1, clientID: "a"), at: .zero)
    _ = model.receive(.subscribe(1, "q/#"), at: .zero)
    let delivered = (0..<100).flatMap { model.receive(.plant(Self.news("\($0)")), at: .zero) }
    #expect(delivered.count == 20)
    #expect(model.load.waiting == 25)
    #expect(model.receive(.received(1, number: 1), at: .zero).count == 1)
    #expect(model.load.waiting == 24)
  }

  @Test("What waits for too long does not come any more") func expiry() {
    var habits = BrokerModel.Habits()
    habits.mostInFlight = 1
    var model = BrokerModel(habits)
    _ = model.receive(.connect(1, clientID: "a"), at: .zero)
    _ = model.receive(.subscribe(1, "#"), at: .zero)
    _ = model.receive(.plant(Self.news("1")), at: .zero)
    var late = Self.news("2")
    late.expiry = .seconds(5)
    _ = model.receive(.plant(late), at: .zero)
    _ = model.receive(.plant(Self.news("3")), at: .zero)
    let effects = model.receive(.received(1, number: 1), at: .seconds(6))
    #expect(effects == [.deliver(1, Self.news("3"), number: 2)])
  }

  @Test(
    "What one of a group did not acknowledge goes to another, or is lost: brokers differ", arguments: [true, false])
  func passing(passesOn: Bool) {
    var habits = BrokerModel.Habits()
    habits.passesOn = passesOn
    var model = BrokerModel(habits)
    for id in 1...2 {
      _ = model.receive(.connect(id, clientID: "\(id)"), at: .zero)
      _ = model.receive(.subscribe(id, "$share/lab/q/any"), at: .zero)
    }
    #expect(model.receive(.plant(Self.news("job")), at: .zero) == [.deliver(1, Self.news("job"), number: 1)])
    let effects = model.receive(.lost(1), at: .zero)
    #expect(effects == (passesOn ? [.deliver(2, Self.news("job"), number: 1)] : []))
  }

  @Test("Where several subscriptions ask, a message comes for each, or once: brokers differ", arguments: [true, false])
  func overlaps(repeats: Bool) {
    var habits = BrokerModel.Habits()
    habits.repeatsOverlaps = repeats
    var model = BrokerModel(habits)
    _ = model.receive(.connect(1, clientID: "a"), at: .zero)
    for filter in ["q/#", "q/any"] { _ = model.receive(.subscribe(1, filter), at: .zero) }
    #expect(model.receive(.plant(Self.news("1")), at: .zero).count == (repeats ? 2 : 1))
  }

  @Test("No more topics are retained than the model may keep; what expired makes room") func retainedBound() {
    var habits = BrokerModel.Habits()
    habits.mostRetained = 10
    var model = BrokerModel(habits)
    for index in 0..<50 {
      let message = BrokerMessage("t/\(index)", [1], isRetained: true, expiry: .seconds(10))
      _ = model.receive(.plant(message), at: .zero)
    }
    #expect(model.load.retained == 10)
    _ = model.receive(.plant(BrokerMessage("new", [1], isRetained: true)), at: .seconds(11))
    #expect(model.retained(at: .seconds(11)).map(\.topic) == ["new"])
  }
}
