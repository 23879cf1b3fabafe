import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What is told of messages where nobody asked for all of them.
@Suite struct LastMessagesTests {
  /// `s2: →LOAD ←MEDIA_STATUS` for each event.
  static func told(_ play: Play) -> [String] {
    play.events(.messages).map { event in
      let messages = event.fields["messages"]?.array ?? []
      let words = messages.map { message in
        (message["sent"]?.bool == true ? "→" : "←") + (message["msg"]?["type"]?.string ?? "?")
      }
      return "\(event.step ?? "-"): " + words.joined(separator: " ")
    }
  }

  @Test("A run that passed tells no messages")
  func passed() throws {
    let play = try Play(FlowTests.plan(["pause"]))
    #expect(play.outcome.exitCode == 0 && Self.told(play) == [])
  }

  @Test("Each failed step and try tells the messages since the last one, within the step and before its end")
  func steps() throws {
    let play = try Play(
      FlowTests.plan([
        "{ expect: { player: paused }, within: 1s, if_fails: continue }",
        "{ load: { media: https://cdn.example.com/b.mp4 }, retry: { attempts: 2, errors: [load_failed] }, if_fails: continue }",
        "{ expect: { player: paused }, within: 1s }",
      ]), accept: { FaultyDevice(.failsLoad).serve($0, $1) })
    let told = Self.told(play)
    #expect(told.first?.hasPrefix("s1: →CONNECT →GET_STATUS ←RECEIVER_STATUS") == true, "\(told)")
    #expect(told.first?.hasSuffix("→LOAD ←MEDIA_STATUS ←LOAD_FAILED") == true, "\(told)")
    let types = play.events.filter { $0.step == "s1" }.map(\.type)
    let place = try #require(types.firstIndex(of: .messages))
    #expect(types[place...].prefix(3) == [.messages, .attemptFailed, .stepFinished], "\(types)")
    let all = play.events(.messages).flatMap { $0.fields["messages"]?.array ?? [] }
    let ids = all.filter { $0["sent"]?.bool == true }.compactMap { $0["id"]?.int }
    #expect(Set(ids).count == ids.count, "each is told once")
  }

  @Test("A step in another tells them, and the other one does not")
  func nested() throws {
    let play = try FlowTests.play([
      try FlowTests.group("s3", FlowTests.steps("s3", "{ expect: { player: paused }, within: 1s }"))
    ])
    #expect(play.events(.messages).map(\.step) == ["s3.1"], "\(play.results)")
  }

  @Test("A broken rule of `watch` tells them with the step that ran")
  func monitor() throws {
    let play = try Play(
      FlowTests.plan(["pause", "wait: 2s"], more: "watch: [{ name: Plays, never: { player: paused } }]"))
    #expect(play.outcome.exitCode == 1)
    let told = Self.told(play)
    #expect(told.first?.hasPrefix("s3:") == true && told.first?.contains("→PAUSE ←MEDIA_STATUS") == true, "\(told)")
  }

  @Test("Where connecting failed, they are told of no step")
  func connecting() throws {
    let play = try Play(FlowTests.plan([]), accept: { FaultyDevice(.silent).serve($0, $1) })
    #expect(play.outcome.exitCode == 4)
    #expect(Self.told(play).first?.hasPrefix("-: →CONNECT →GET_STATUS") == true, "\(Self.told(play))")
  }
}
