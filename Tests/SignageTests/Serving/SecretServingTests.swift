import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import Signage

/// Playlists with secrets in the addresses of their media: the device gets the values, and nobody else.
@Suite struct SecretServingTests {
  private static let value = "p@ss/w0rd+canary"
  private static let forms = [value, "p%40ss%2Fw0rd%2Bcanary", "cEBzcy93MHJkK2NhbmFye"]
  private static let still = "https://e.com/menu.jpg?key=${secret.key}"
  /// It lasts for a minute.
  private static let film = "\"https://e.com/film.mp4?key=${secret.key}\""

  private static func lines(_ program: String) -> String {
    "secrets: { key: { env: KEY } }\nprogram: [{ play: [\(program)] }]"
  }

  /// What the device shows at some seconds, as another sender sees it.
  private final class Sights: Sendable {
    private let all = Mutex<[String]>([])
    var seen: [String] { all.withLock { $0 } }

    func look(at times: [Int], on stage: PlaylistSimulation.Stage) async {
      for time in times {
        let sight = try? await Strangers.sight(at: .seconds(time), on: stage)
        all.withLock { $0.append(sight ?? "nothing") }
      }
    }
  }

  @Test("The device gets the value; records, events and what is stored only have the name")
  func told() throws {
    let sights = Sights()
    let serving = try Serving(Self.lines("\"\(Self.still)\", \(Self.film)"), for: .seconds(60)) {
      $0.secrets = Secrets(["key": Self.value])
      $0.beside = { await sights.look(at: [5, 30], on: $0) }
    }
    #expect(sights.seen.map { $0.prefix { $0 != " " } }.contains("https://e.com/menu.jpg?key=\(Self.value)"))
    #expect(sights.seen.map { $0.prefix { $0 != " " } }.contains("https://e.com/film.mp4?key=\(Self.value)"))
    #expect(serving.plays.first?.content == "https://e.com/menu.jpg?key=‹secret.key›", "\(serving.records)")
    let told = serving.outcome.moments.map { moment in
      moment.event.json(moment.screen, at: moment.time, in: .utc).serialized()
        + moment.event.line(moment.screen, at: moment.time, in: .utc)
    }
    let all =
      told + serving.outcome.records.map { "\($0)" } + serving.outcome.memories.values.map { $0.serialized() }
    #expect(all.contains { $0.contains("sealed:") } && all.contains { $0.contains("‹secret.key›") })
    for form in Self.forms { #expect(!all.joined().contains(form), "\(form)") }
    #expect(serving.holes == [])
  }

  @Test("What holds a secret is adopted after a restart: no flash", arguments: ["long-enough-canary", "4711"])
  func adopted(value: String) throws {
    let sights = Sights()
    let serving = try Serving(Self.lines(Self.film), for: .seconds(100)) {
      $0.secrets = Secrets(["key": value])
      $0.pauses = [.seconds(30) ..< .seconds(40)]
      $0.beside = { await sights.look(at: [25, 55], on: $0) }
    }
    #expect(sights.seen == Array(repeating: "https://e.com/film.mp4?key=\(value) 1", count: 2), "\(sights.seen)")
    #expect(serving.told.contains("adopted") && !serving.told.contains("yielded"), "\(serving.told)")
  }

  /// Another process serves from the 40th second on, with another value.
  /// - Parameter key: What somebody has loaded the film with meanwhile; `nil`: nobody has.
  private static func servingAgain(over key: String? = nil) throws -> Serving {
    try Serving(lines(film), for: .seconds(100)) {
      $0.secrets = Secrets(["key": value])
      $0.secretsAfterPause = Secrets(["key": "another-value-by-now"])
      $0.pauses = [.seconds(30) ..< .seconds(40)]
      $0.beside = { stage in
        guard let key else { return }
        try? await Strangers.play(
          for: .seconds(300), after: .seconds(33), content: "https://e.com/film.mp4?key=\(key)", on: stage)
      }
    }
  }

  @Test("What was left on a screen is ours by the value that it was sent with, whatever the value is now")
  func changedWhileOff() throws {
    let again = try Self.servingAgain()
    #expect(again.told.contains("adopted") && !again.told.contains("yielded"), "\(again.told)")
    let stranger = try Self.servingAgain(over: "of-somebody-else")
    #expect(stranger.told.contains("yielded") && !stranger.told.contains("adopted"), "\(stranger.told)")
  }

  @Test("A changed value is sent with the next item, also where the same still goes on")
  func changed() throws {
    let sights = Sights()
    let secrets = Secrets(["key": Self.value])
    let lines = Self.lines("{ media: \"\(Self.still)\", for: 20s }")
    let same = try Serving.program(lines)
    let serving = try Serving(lines, for: .seconds(90)) {
      $0.secrets = secrets
      $0.beside = { stage in
        await sights.look(at: [10], on: stage)
        try? await stage.times.show.sleep(until: .seconds(25))
        secrets.set("another-value", for: "key")
        await stage.server.replace(same)
        await sights.look(at: [32, 55, 75], on: stage)
      }
    }
    let keys = sights.seen.map { String($0.split(separator: "=").last ?? "") }
    #expect(keys == [Self.value + " 1", Self.value + " 1", "another-value 2", "another-value 2"], "\(keys)")
    #expect(!serving.told.contains("yielded") && serving.holes == [], "\(serving.told)")
  }

  @Test("A screen whose connection broke goes on with what was sent before the value changed")
  func changedWhileLost() throws {
    let sights = Sights()
    let secrets = Secrets(["key": Self.value])
    let serving = try Serving(Self.lines(Self.film), for: .seconds(100)) {
      $0.secrets = secrets
      $0.link = .cut(at: .seconds(30))
      $0.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(20))
        secrets.set("another-value", for: "key")
        await sights.look(at: [55], on: stage)
      }
    }
    #expect(sights.seen == ["https://e.com/film.mp4?key=\(Self.value) 1"], "\(sights.seen)")
    #expect(serving.told.contains("adopted") && !serving.told.contains("yielded"), "\(serving.told)")
  }

  @Test("Without values the names are sent in a simulation, so that it needs none")
  func withoutValues() throws {
    let serving = try Serving(Self.lines("\"\(Self.still)\""), for: .seconds(30))
    #expect(serving.plays.first?.shown ?? 0 > 5, "\(serving.records)")
  }

  @Test("A screen does not send a name in place of a value: the item is passed over")
  func missing() throws {
    let serving = try Serving(Self.lines("\"\(Self.still)\", a"), for: .seconds(30)) { $0.secrets = Secrets() }
    #expect(serving.plays.allSatisfy { $0.item == "a" } && !serving.plays.isEmpty, "\(serving.records)")
  }

  // MARK: what passes

  private final class Told: LedgerSink {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func record(_ record: LedgerRecord) { state.withLock { $0.append("\(record)") } }
    func add(_ event: ScreenEvent) { state.withLock { $0.append(event.line("tv", at: 0, in: .utc)) } }
  }

  @Test("What devices repeat passes without the value, in whichever event or record it stands")
  func repeated() throws {
    let told = Told()
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var world = ScreenWorld(
      access: DeviceAccess(
        find: { _, _ in [] },
        connect: { _, _ throws(ClientError) in throw ClientError(.unreachable, "nobody is there") }),
      times: times, unixTime: { 0 }, random: { 0 }, ledger: told,
      tell: { _, event in told.add(event) })
    world.secrets = Secrets(["key": Self.value])
    for form in Self.forms {
      let failure = StepFailure(.loadFailed, "cannot load https://e.com/?key=\(form)", help: "look at \(form)")
      let taker = LedgerRecord.Taker(app: form, name: "casts \(form)")
      let showing = try #require(try Self.showing())
      let events: [ScreenEvent] = [
        .unreachable(failure), .lost(form), .notShown(showing, failure, goesOn: false), .yielded(taker), .lent(taker),
        .endedByTakeover(taker), .refused(.skip, form), .note(form),
      ]
      for event in events { world.tell("tv", event) }
      world.record(LedgerRecord(screen: "tv", .gap(.init(start: 0, end: 1, reason: .yielded, by: taker))))
      var play = LedgerRecord.Play(
        item: "a", content: "a", rule: "fallback", start: 0, end: 1, shown: 1, endReason: .takenOver)
      play.by = taker
      world.record(LedgerRecord(screen: "tv", .play(play)))
    }
    #expect(told.all.count == 30)
    #expect(told.all.allSatisfy { $0.contains("‹secret.key›") }, "\(told.all)")
    for form in Self.forms { #expect(!told.all.joined().contains(form), "\(form)") }
  }

  private static func showing() throws -> Showing? {
    var cursor = ScreenCursor(try Serving.program("program: [{ play: [a] }]"), at: 0, seed: 0, screen: "tv")
    guard case .show(let showing) = cursor.next(at: 0) else { return nil }
    return showing
  }
}
