import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// A watch from its first connection to its end, without a terminal, on a clock that jumps.
@Suite struct WatchSessionTests {
  private static func isLeft(_ lab: WatchLab) -> Bool { if case .left? = lab.end { true } else { false } }

  @Test("What plays is drawn, moves by itself, and stands still when it is paused")
  func drawing() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      #expect(terminal.calls == ["enter"])
      #expect(terminal.screen.contains("Lobby TV") && terminal.screen.contains("▶ playing  Sintel"))
      let before = terminal.draws
      try await lab.wait(.seconds(5))
      // A clock that shows seconds is drawn when it shows another one.
      #expect((4...7).contains(terminal.draws - before), "\(terminal.draws - before)")
      terminal.press(" ")
      try await lab.wait(.seconds(2))
      #expect(terminal.screen.contains("‖ paused  Sintel"), "\(terminal.screen)")
      let paused = terminal.draws
      try await lab.wait(.seconds(60))
      #expect(terminal.draws == paused)
    }
    #expect(terminal.calls == ["enter", "leave"])
  }

  @Test("Keys that come while one is under way wait their turn, and each is done once")
  func twoKeys() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      terminal.press(" mm-")
      try await lab.wait(.seconds(3))
      #expect(terminal.screen.contains("‖ paused") && terminal.screen.contains("volume  95%"), "\(terminal.screen)")
      #expect(!terminal.screen.contains("muted"), "\(terminal.screen)")
      // Two bytes of an arrow key in one piece, the third in another.
      terminal.press("\u{1B}[")
      terminal.press("C")
      try await lab.wait(.seconds(2))
      #expect(terminal.screen.contains("  0:1"), "\(terminal.screen)")
    }
  }

  @Test("An escape byte that nothing follows is the key of that name, a tenth of a second later")
  func escape() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      terminal.press("?")
      try await lab.wait(.milliseconds(10))
      #expect(terminal.screen.contains("leave; what plays goes on"))
      terminal.press("\u{1B}")
      try await lab.wait(.milliseconds(50))
      #expect(terminal.screen.contains("leave; what plays goes on"))
      try await lab.wait(.milliseconds(100))
      #expect(!terminal.screen.contains("leave; what plays goes on"))
    }
  }

  @Test("What cannot be done is told below the status, as the step of that name fails")
  func refused() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      terminal.press("n")
      try await lab.wait(.seconds(2))
      #expect(terminal.screen.contains("next: the last item of the queue plays"), "\(terminal.screen)")
    }
  }

  @Test("A lost device is tried again at once, then after 1, 2 and 4 seconds, and is shown as it is when it is back")
  func lostAndFound() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      lab.refuse(3)
      lab.cut()
      try await lab.wait(.seconds(60))
      let tries = lab.tries.dropFirst()
      let waits = zip(tries, tries.dropFirst()).map { ($1 - $0).seconds.rounded() }
      #expect(waits == [1, 2, 4], "\(lab.tries)")
      #expect(terminal.showed("✗ lost 0:0") && terminal.showed("connection refused"))
      #expect(terminal.screen.contains("back after ") && terminal.screen.contains("▶ playing  Sintel"))
      // It is watched on, and keys reach it.
      terminal.press("m")
      try await lab.wait(.seconds(2))
      #expect(terminal.screen.contains("  muted"), "\(terminal.screen)")
    }
  }

  @Test("A device that ends each connection at once is connected to after 0, 1, 2, 4 ... s, as long as it does that")
  func broken() throws {
    let reader = WatchLab.Reader()
    try WatchLab.watch(on: .lines(reader)) { lab, _ in
      lab.endConnections(after: .milliseconds(20))
      lab.cut()
      try await lab.wait(.seconds(60))
      let tries = lab.tries.dropFirst()
      let waits = zip(tries, tries.dropFirst()).map { ($1 - $0).seconds.rounded() }
      #expect(waits.starts(with: [0, 1, 2, 4, 8, 16]) && waits.count < 8, "\(waits)")
      #expect(reader.names.count { $0 == "lost" } <= 8, "\(reader.names.prefix(20))")
      lab.endConnections(after: nil)
      try await lab.wait(.seconds(60))
      #expect(reader.names.last == "back", "\(reader.names.suffix(4))")
      lab.endConnections(after: .seconds(3))
      lab.cut()
      let before = lab.tries.count
      try await lab.wait(.seconds(60))
      // No link that lasts for seconds waits.
      #expect((10...20).contains(lab.tries.count - before), "\(lab.tries.count - before)")
    }
  }

  @Test("The screen tells when the next try is while it pauses before one; q leaves at once")
  func pausing() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      lab.endConnections(after: .milliseconds(20))
      lab.cut()
      try await lab.wait(.seconds(42))
      #expect(terminal.screen.contains("try 1 in "), "\(terminal.screen)")
      let tries = lab.tries.count
      terminal.press("q")
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab) && lab.tries.count == tries)
    }
  }

  @Test("A key while the device is lost asks nothing of it, then or later; q leaves all the same")
  func keyWhileLost() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      lab.refuse(100)
      lab.cut()
      try await lab.wait(.seconds(30))
      terminal.press("m")
      try await lab.wait(.seconds(1))
      #expect(terminal.screen.contains("mute: the device is not reachable"), "\(terminal.screen)")
      lab.refuse(0)
      try await lab.wait(.seconds(60))
      #expect(terminal.screen.contains("back after ") && !terminal.screen.contains("  muted"), "\(terminal.screen)")
      lab.refuse(100)
      lab.cut()
      try await lab.wait(.seconds(30))
      terminal.press("q")
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab), "\(String(describing: lab.end))")
    }
    #expect(terminal.calls == ["enter", "leave"])
  }

  @Test("The screen is drawn anew in the size that the terminal has, and after somebody else had it")
  func resize() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, session in
      terminal.resize(30, 5)
      session.resize()
      try await lab.wait(.milliseconds(1))
      let lines = terminal.screen.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 5 && lines.allSatisfy { $0.count <= 30 }, "\(terminal.screen)")
      terminal.press("\u{1A}")
      try await lab.wait(.milliseconds(1))
      #expect(terminal.calls == ["enter", "leave", "stop", "enter"])
      session.returnToForeground()
      let before = terminal.draws
      terminal.press("\u{0C}")
      try await lab.wait(.milliseconds(1))
      #expect(terminal.calls.last == "enter" && terminal.calls.count == 5 && terminal.draws > before)
    }
  }

  @Test("It ends with q, Ctrl-D, the last key of an input, a signal, and a terminal that is gone", arguments: 0..<5)
  func ends(way: Int) throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, session in
      switch way {
      case 0: terminal.press("q")
      case 1: terminal.press("\u{04}")
      case 2: terminal.endKeys()
      case 3: session.interrupt()
      default:
        terminal.goAway()
        terminal.press("?")
      }
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab), "\(way)")
    }
    #expect(terminal.calls == ["enter", "leave"])
  }

  @Test("Leaving does not wait for a command that the device does not answer")
  func leavesAtOnce() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      lab.cut()
      terminal.press(" ")
      try await lab.wait(.seconds(1))
      #expect(terminal.screen.contains("… pause"), "\(terminal.screen)")
      terminal.press("q")
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab))
    }
  }

  @Test("Leaving does not wait for an app that does not answer when it is joined")
  func leavesWhileJoining() throws {
    try WatchLab.watch(on: .lines(WatchLab.Reader()), isSilent: true) { lab, session in
      #expect(lab.end == nil)
      session.interrupt()
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab))
    }
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      lab.fallSilent()
      lab.cut()
      try await lab.wait(.seconds(11))
      #expect(!lab.tries.isEmpty && terminal.screen.contains("lost"), "\(terminal.screen)")
      terminal.press("q")
      try await lab.wait(.milliseconds(1))
      #expect(Self.isLeft(lab))
    }
  }

  @Test("Its time counts from the connection; a device that is lost by then is told with the last reason")
  func limited() throws {
    try WatchLab.watch(on: .lines(WatchLab.Reader()), for: .seconds(90)) { lab, _ in
      try await lab.wait(.seconds(80))
      #expect(lab.end == nil)
      try await lab.wait(.seconds(20))
      #expect(Self.isLeft(lab))
    }
    try WatchLab.watch(on: .lines(WatchLab.Reader()), for: .seconds(90)) { lab, _ in
      lab.refuse(100)
      lab.cut()
      try await lab.wait(.seconds(100))
      guard case .lost(let reason)? = lab.end else {
        Issue.record("\(String(describing: lab.end))")
        return
      }
      #expect(reason == "connection refused")
    }
  }

  @Test("A device that cannot be reached at first ends it before anything is drawn")
  func unreachable() throws {
    let terminal = WatchLab.Terminal()
    try WatchLab.watch(on: .screen(terminal), isThere: false) { lab, _ in
      guard case .unreachable(let error)? = lab.end else {
        Issue.record("\(String(describing: lab.end))")
        return
      }
      #expect(error == WatchLab.Unreachable(reason: "nobody answers"))
    }
    #expect(terminal.draws == 0 && terminal.calls == ["leave"])
  }

  @Test("Without keys to give, a terminal is drawn on all the same")
  func keyless() throws {
    let terminal = WatchLab.Terminal(takesKeys: false)
    try WatchLab.watch(on: .screen(terminal)) { lab, _ in
      terminal.endKeys()
      try await lab.wait(.seconds(1))
      #expect(lab.end == nil && terminal.screen.contains("Ctrl-C leaves"), "\(terminal.screen)")
    }
  }

  // MARK: lines

  @Test("Readers of lines are told what is at first, what is another then, what is lost, tried and back")
  func lines() throws {
    let reader = WatchLab.Reader()
    try WatchLab.watch(on: .lines(reader)) { lab, _ in
      let theirs = try await lab.other()
      try await theirs.setVolume(level: 0.4, muted: nil, until: lab.now + .seconds(5))
      try await lab.wait(.seconds(1))
      await theirs.disconnect()
      lab.refuse(1)
      lab.cut()
      try await lab.wait(.seconds(60))
    }
    #expect(
      reader.names.first == "connected" && reader.names.suffix(3) == ["lost", "retry", "back"], "\(reader.names)")
    let objects = try reader.lines.map { try JSONValue(parsing: $0) }
    let first = try #require(objects.first)
    #expect(
      first["device"] == [
        "name": "Lobby TV", "id": "a", "model": "Chromecast", "address": "192.0.2.1:8009", "via": "host",
      ])
    #expect(first["auth"] == "unchecked" && first["status"]?["title"] == "Sintel")
    let volume = try #require(objects.first { $0["set"]?["volume"] != nil })
    #expect(volume["set"]?["volume"]?["level"] == 40 && volume["others"] == ["set the volume to 40%"], "\(volume)")
    let retry = try #require(objects.first { $0["event"] == "retry" })
    #expect(retry["number"] == 1 && retry["message"] == "connection refused" && retry["next"]?.number == 1, "\(retry)")
    let back = try #require(objects.last)
    #expect(back["status"]?["volume"]?["level"] == 40 && back["after"]?.number.map { $0 >= 1 } == true, "\(back)")
  }

  @Test("A reader that leaves ends it with the line that it did not take")
  func readerLeaves() throws {
    // It is connected, hears a second later that the film plays, and then of a volume.
    let reader = WatchLab.Reader(limit: 3)
    try WatchLab.watch(on: .lines(reader)) { lab, _ in
      #expect(lab.end == nil)
      let theirs = try await lab.other()
      for level in [0.4, 0.6] { try await theirs.setVolume(level: level, muted: nil, until: lab.now + .seconds(5)) }
      try await lab.wait(.seconds(1))
      #expect(Self.isLeft(lab))
      await theirs.disconnect()
    }
    #expect(reader.events.count == 3)
  }
}
