import BrokerClient
import CastProtocol
import CastTransport
import FleetAgent
import FleetMessages
import Foundation
import ScenarioLanguage
import Signage
import Synchronization

/// Many sites in one process, whose screens only say that they show something.
enum FleetSites {
  static let screens = 4
  /// Every how many seconds all screens show another item; 0: never.
  static let paceTopic = "bench/pace"
  static let text = """
    playlist: Shop
    timezone: UTC
    devices: [Screen 1, Screen 2, Screen 3, Screen 4]
    program:
      - during: any_time
        play:
          - { media: "https://media.example.com/shop/breakfast-menu.jpg", for: 10s }
          - { media: "https://media.example.com/shop/lunch-menu.jpg", for: 10s }

    """

  static func name(_ index: Int) -> SiteName? { SiteName("shop-\(10_000 + index)") }

  static func run(port: Int, folder: String, count: Int) async throws {
    OpenFiles.raiseLimit()
    let outcome = PlanCompiler.compile(SourceFile(name: "shop.yaml", bytes: Array(text.utf8)))
    guard case .playlist(let plan)? = outcome.document,
      let pem = FileManager.default.contents(atPath: "\(folder)/operator.pem"),
      let key = VerifyingKey(pem: Array(pem))
    else { throw ChildProcess.CannotRun(command: "shop.yaml: \(outcome.diagnostics)") }
    let program = Program(plan, in: .utc)
    let clock = TimeSource(ContinuousClock())
    let boards = (0..<count).map { _ in ScreenBoard() }
    let links = try (0..<count).map { index in
      var configuration = try BenchmarkBroker.configuration("site-\(index)", port: port, folder: folder)
      configuration.rateLimit = 2_000
      if let site = name(index) { configuration.will = SiteAgent.lastWill(of: site) }
      return try BrokerClient.connect(configuration)
    }
    let control = try BrokerClient.connect(BenchmarkBroker.configuration("control", port: port, folder: folder))
    let pace = Pace()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        guard let site = name(index) else { continue }
        show(program, 0, on: boards[index])
        let agent = SiteAgent(
          site: site, host: host(program, boards[index]), keys: [key], clock: clock,
          unixTime: { Date().timeIntervalSince1970 })
        group.addTask { [link = links[index]] in await agent.run(on: link) }
      }
      group.addTask {
        for await event in control.events {
          if event == .connected { control.send(.subscribe(paceTopic)) }
          guard case .message(let message) = event else { continue }
          pace.seconds.withLock { $0 = Int(String(decoding: message.payload, as: UTF8.self)) ?? 0 }
        }
      }
      group.addTask {
        // A tenth of the sites at a time, so that not all speak in the same moment.
        var tick = 0
        while true {
          try? await clock.sleep(for: .milliseconds(100))
          tick += 1
          let seconds = pace.seconds.withLock { $0 }
          guard seconds > 0 else { continue }
          for index in stride(from: tick % (10 * seconds), to: count, by: 10 * seconds) {
            show(program, tick / (10 * seconds), on: boards[index])
          }
        }
      }
    }
  }

  /// How fast all screens change, in seconds an item.
  private final class Pace: Sendable {
    let seconds = Mutex(0)
  }

  private static func show(_ program: Program, _ number: Int, on board: ScreenBoard) {
    let items = program.plan.allItems
    guard !items.isEmpty else { return }
    let index = number % items.count
    for screen in 1...screens {
      let showing = Showing(items[index], part: .rule(0), index: index, decidedBy: "program[0]")
      board.take(
        .showing(showing), of: .init(playlist: program.plan.id, screen: "Screen \(screen)"),
        at: Date().timeIntervalSince1970)
    }
  }

  private static func host(_ program: Program, _ board: ScreenBoard) -> SiteHost {
    SiteHost(
      site: SiteControl(
        view: {
          let playlist = SiteView.Playlist(program: program, screens: board.screens.map(\.state), fired: [:])
          return SiteView(playlists: [playlist], time: Date().timeIntervalSince1970, version: "bench")
        }, changes: { board.changes() }, order: { _, _, _ in .given }, trigger: { _, _, _ in .done }),
      take: { document in
        let outcome = PlanCompiler.compile(
          SourceFile(name: "shop.yaml", bytes: Array(document.files.first?.text.utf8 ?? "".utf8)))
        guard case .playlist? = outcome.document else { return .refused(why: "it is no playlist", diagnostics: []) }
        return .on
      }, kept: { [] }, ledgers: { [] })
  }
}
