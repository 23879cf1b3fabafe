import CastProtocol
import FleetMessages
import Simulation
import Testing

/// The model of a broker gives every client what a real Mosquitto gives it.
@Suite struct BrokerTruthTests {
  private static func message(
    _ topic: String, _ text: String, _ quality: BrokerMessage.Quality = .atLeastOnce, kept: Bool = false,
    for seconds: Int? = nil
  ) -> BrokerMessage {
    BrokerMessage(topic, Array(text.utf8), quality: quality, isRetained: kept, expiry: seconds.map { .seconds($0) })
  }

  private static let scripts: [(title: String, operations: [BrokerOperation])] = [
    (
      "wildcards",
      [
        .connect("a"), .connect("b"), .subscribe("b", "s/+/x"), .subscribe("b", "t/#"),
        .publish("a", message("s/1/x", "1")), .publish("a", message("s/1/y", "2")), .publish("a", message("t", "3")),
        .publish("a", message("t/u/v", "4")), .publish("a", message("s//x", "5")),
        .publish("a", message("/s/1/x", "6")),
        .unsubscribe("b", "s/+/x"), .publish("a", message("s/1/x", "7")),
        .subscribe("b", "#"), .publish("a", message("other", "8")),
      ]
    ),
    (
      "retained: kept for those who come, news for those who are there, removed by nothing",
      [
        .connect("a"), .connect("b"), .subscribe("b", "s/#"), .publish("a", message("s/1", "1", kept: true)),
        .publish("a", message("s/2", "2", .atMostOnce, kept: true)), .connect("c"), .subscribe("c", "s/+"),
        .subscribe("c", "s/+"), .publish("a", message("s/1", "", kept: true)), .subscribe("c", "s/#"),
        .publish("a", message("s/2", "3")), .connect("d"), .subscribe("d", "#"),
      ]
    ),
    (
      "last wills: at a loss and a takeover, not at a goodbye",
      [
        .connect("a"), .subscribe("a", "w/#"), .connect("b", will: message("w/b", "gone", kept: true)), .kill("b"),
        .connect("b", will: message("w/b", "gone again", kept: true)), .publish("b", message("w/b", "on", kept: true)),
        .goodbye("b"), .connect("b", will: message("w/b", "third")), .connect("b", will: message("w/b", "fourth")),
        .connect("c"), .subscribe("c", "w/#"),
      ]
    ),
    (
      "one's own: not without the option, but when it is retained",
      [
        .connect("a"), .subscribe("a", "s/#"), .publish("a", message("s/1", "1", kept: true)),
        .subscribe("a", "s/#", own: true), .publish("a", message("s/2", "2", kept: true)), .subscribe("a", "s/#"),
        .publish("a", message("s/3", "3")), .goodbye("a"), .connect("a"), .subscribe("a", "s/+"),
      ]
    ),
    (
      "a clean start: nothing of the connection before",
      [
        .connect("a"), .subscribe("a", "s/#"), .connect("b"), .kill("a"), .publish("b", message("s/1", "1")),
        .connect("a"), .publish("b", message("s/1", "2")), .subscribe("a", "s/#"), .publish("b", message("s/1", "3")),
      ]
    ),
    (
      "shared: one of the group in turn",
      [
        .connect("p"), .publish("p", message("q/any", "0", kept: true)), .connect("a"), .connect("b"), .connect("c"),
        .subscribe("a", "$share/lab/q/any"), .subscribe("b", "$share/lab/q/any"), .subscribe("c", "q/#"),
      ] + (1...5).map { .publish("p", message("q/any", "\($0)")) } + [
        .kill("a"), .publish("p", message("q/any", "6")), .publish("p", message("q/any", "7")),
        .unsubscribe("b", "$share/lab/q/any"), .publish("p", message("q/any", "8")),
        .subscribe("c", "$share/other/q/+"), .publish("p", message("q/any", "9")),
      ]
    ),
    (
      "expiry: what is left of it, then nothing",
      [
        .connect("a"), .publish("a", message("s/1", "1", kept: true, for: 1)),
        .publish("a", message("s/2", "2", kept: true, for: 600)), .wait(seconds: 2), .subscribe("a", "s/1"),
      ]
    ),
    (
      "what no client may send ends its connection, and its last will is published",
      [
        .connect("a"), .subscribe("a", "w/#"), .connect("b", will: message("w/b", "gone")),
        .subscribe("b", "s/#/x"), .connect("c", will: message("w/c", "gone")), .publish("c", message("s/+", "1")),
      ]
    ),
    (
      "a crash: what was saved is retained, nothing newer, and no last will comes",
      [
        .connect("a"), .connect("w", will: message("s/will", "gone", kept: true)),
        .publish("a", message("s/1", "1", kept: true)), .publish("a", message("s/2", "2", kept: true)), .save,
        .publish("a", message("s/2", "", kept: true)), .publish("a", message("s/3", "3", kept: true)), .crash,
        .connect("a"), .subscribe("a", "#"),
      ]
    ),
  ]

  @Test("The model and Mosquitto give every client the same", arguments: scripts.indices)
  func same(index: Int) throws {
    guard let broker = try RealBroker() else { return }
    try compare(Self.scripts[index].operations, Self.scripts[index].title, broker)
  }

  @Test(
    "The model and Mosquitto give every client the same, whatever is drawn", arguments: 1...12 as ClosedRange<UInt64>)
  func drawn(seed: UInt64) throws {
    guard let broker = try RealBroker() else { return }
    try compare(Self.drawn(by: seed), "seed \(seed)", broker)
  }

  private func compare(_ operations: [BrokerOperation], _ title: String, _ broker: RealBroker) throws {
    let real = try BrokerOperation.play(operations, with: broker)
    var model = BrokerModel(.mosquitto)
    let modelled = BrokerOperation.play(operations, with: &model)
    for (index, (real, modelled)) in zip(real, modelled).enumerated() where real != modelled {
      let before = operations[...index].suffix(12).map { "\($0)" }.joined(separator: "\n")
      Issue.record("\(title), operation \(index):\n\(before)\nMosquitto: \(real)\nmodel:     \(modelled)")
      return
    }
    #expect(real.count == modelled.count)
  }

  private static func drawn(by seed: UInt64) -> [BrokerOperation] {
    var dice = SeededGenerator(seed: seed)
    func pick<T>(_ choices: [T]) -> T { choices[dice.next(below: choices.count)] }
    let names = ["a", "b", "c"]
    let topics = ["s", "s/a", "s/a/x", "s/b/x", "s//x", "t/a"]
    let filters = [
      "#", "s/#", "s/+/x", "+/a", "s/a/x", "s/+", "+", "$share/g/s/#", "$share/g/s/+/x", "$share/h/#",
    ]
    var count = 0
    func drawnMessage() -> BrokerMessage {
      count += 1
      let text = dice.next(below: 8) == 0 ? "" : "\(count)"
      return message(pick(topics), text, pick([.atMostOnce, .atLeastOnce]), kept: dice.next(below: 5) < 2)
    }
    var operations = names.map { BrokerOperation.connect($0) }
    for _ in 0..<80 {
      let name = pick(names)
      switch dice.next(below: 20) {
      case 0, 1: operations.append(.connect(name, will: dice.next(below: 2) == 0 ? drawnMessage() : nil))
      case 2: operations.append(.kill(name))
      case 3: operations.append(.goodbye(name))
      case 4: operations.append(.unsubscribe(name, pick(filters)))
      case 5...9: operations.append(.subscribe(name, pick(filters), own: dice.next(below: 2) == 0))
      default: operations.append(.publish(name, drawnMessage()))
      }
    }
    return operations
  }
}
