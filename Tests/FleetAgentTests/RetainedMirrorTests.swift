import FleetMessages
import Testing

@testable import FleetAgent

/// What is retained on the broker, and when it is told again.
@Suite struct RetainedMirrorTests {
  private static func message(_ topic: String, _ text: String = "x") -> BrokerMessage {
    BrokerMessage("showcaller/berlin/\(topic)", Array(text.utf8), isRetained: true)
  }

  private static func screens(_ count: Int, _ text: String = "x") -> [BrokerMessage] {
    (0..<count).map { message("s\($0)/state", text) }
  }

  /// Sends and acknowledges all that is due.
  private static func settle(_ mirror: inout RetainedMirror, at time: Duration) -> [BrokerMessage] {
    var sent: [BrokerMessage] = []
    while true {
      let due = mirror.due(at: time)
      if due.isEmpty { return sent }
      sent += due.map(\.message)
      for entry in due { mirror.acknowledged(entry.flight, at: time) }
    }
  }

  private static func connected(_ messages: [BrokerMessage]) -> RetainedMirror {
    var mirror = RetainedMirror(at: .zero)
    mirror.want(messages)
    mirror.connected(at: .zero)
    return mirror
  }

  @Test("Without a connection nothing is sent, and after each one everything is, availability and health first")
  func everything() {
    var mirror = RetainedMirror(at: .zero)
    let all = [Self.message("a/state"), Self.message("health"), Self.message("availability", "online")]
    mirror.want(all)
    #expect(mirror.due(at: .zero).isEmpty && mirror.deadline(at: .zero) == nil)
    for time in [Duration.seconds(1), .seconds(100)] {
      mirror.connected(at: time)
      #expect(Self.settle(&mirror, at: time) == all.reversed())
      #expect(mirror.deadline(at: time) == nil && mirror.isSettled)
      mirror.disconnected()
    }
  }

  @Test("No more than 50 messages are under way, and the next ones go as these are acknowledged")
  func bounded() {
    var mirror = Self.connected(Self.screens(120))
    let first = mirror.due(at: .zero)
    #expect(first.count == 50 && mirror.due(at: .seconds(5)).isEmpty)
    mirror.acknowledged(first[0].flight, at: .zero)
    mirror.acknowledged(first[0].flight, at: .zero)
    #expect(mirror.due(at: .zero).count == 1)
    #expect(!mirror.isStuck(at: .seconds(59)) && mirror.isStuck(at: .seconds(60)))
  }

  @Test("A topic goes once a second at most, and its last value always arrives")
  func paced() {
    var mirror = Self.connected(Self.screens(1, "0"))
    var sent: [(Duration, String)] = []
    for tick in 0...35 {
      let time = Duration.milliseconds(100 * tick)
      if tick <= 25 { mirror.want(Self.screens(1, "\(tick)")) }
      sent += Self.settle(&mirror, at: time).map { (time, String(decoding: $0.payload, as: UTF8.self)) }
    }
    #expect(sent.map(\.0) == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    #expect(sent.map(\.1) == ["0", "10", "20", "25"])
  }

  @Test("What changes while its message is under way goes after that")
  func changedInFlight() {
    var mirror = Self.connected(Self.screens(1, "a"))
    let first = mirror.due(at: .zero)
    mirror.want(Self.screens(1, "b"))
    #expect(mirror.due(at: .seconds(2)).isEmpty)
    mirror.acknowledged(first[0].flight, at: .seconds(2))
    #expect(Self.settle(&mirror, at: .seconds(2)) == Self.screens(1, "b"))
  }

  @Test("What was told and is no more is removed, and what nobody heard of is not")
  func removed() {
    var mirror = Self.connected(Self.screens(2))
    _ = Self.settle(&mirror, at: .zero)
    mirror.want(Self.screens(3))
    mirror.want(Self.screens(1))
    let topic = "showcaller/berlin/s1/state"
    #expect(Self.settle(&mirror, at: .seconds(1)) == [.removal(of: topic)])
    #expect(Self.settle(&mirror, at: .seconds(9)).isEmpty)
  }

  @Test("A removal that was not acknowledged goes again after the next connection")
  func removedWhileAway() {
    var mirror = Self.connected(Self.screens(2))
    _ = Self.settle(&mirror, at: .zero)
    mirror.disconnected()
    mirror.want(Self.screens(1))
    mirror.connected(at: .seconds(5))
    #expect(Self.settle(&mirror, at: .seconds(5)) == Self.screens(1) + [.removal(of: "showcaller/berlin/s1/state")])
  }

  @Test("A topic of an earlier process is removed, but not while the site may not know all its screens")
  func earlierProcess() {
    var mirror = Self.connected(Self.screens(1))
    for topic in ["s0", "s1", "s2"] { mirror.find("showcaller/berlin/\(topic)/state") }
    #expect(Self.settle(&mirror, at: .seconds(59)) == Self.screens(1))
    mirror.want(Self.screens(2))
    #expect(mirror.deadline(at: .seconds(59)) == .seconds(59))
    _ = Self.settle(&mirror, at: .seconds(59))
    #expect(mirror.deadline(at: .seconds(59)) == .seconds(60))
    #expect(Self.settle(&mirror, at: .seconds(60)) == [.removal(of: "showcaller/berlin/s2/state")])
  }

  @Test("A broker that makes up topics without end makes nothing grow")
  func hostile() {
    var mirror = Self.connected([])
    mirror.find("showcaller/berlin/\(String(repeating: "x", count: 60_000))/state")
    #expect(mirror.deadline(at: .zero) == nil)
    for number in 0..<10_000 { mirror.find("showcaller/berlin/x\(number)/state") }
    #expect(Self.settle(&mirror, at: .seconds(60)).count == RetainedMirror.mostFound)
  }

  @Test("What the link drops goes again a second later")
  func dropped() {
    var mirror = Self.connected(Self.screens(1))
    mirror.dropped(mirror.due(at: .zero)[0].flight)
    #expect(mirror.due(at: .milliseconds(900)).isEmpty && mirror.deadline(at: .milliseconds(900)) == .seconds(1))
    #expect(Self.settle(&mirror, at: .seconds(1)) == Self.screens(1))
  }
}
