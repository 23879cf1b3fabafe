import CastProtocol
import CastReceiver
import DeviceControl
import FleetAgent
import FleetMessages
import RunReporting
import ScenarioLanguage
import Signage
import Simulation
import Synchronization

/// A site whose screens are virtual: serves a playlist, and takes documents as `serve` does.
final class SearchedSite: Sendable {
  /// What somebody had the site do, so that the same can be done without a broker.
  enum Deed: Sendable {
    case take(FleetDocument)
    case order(ScreenOrder, screen: String?)
  }

  struct State {
    var deeds: [(time: Duration, deed: Deed)] = []
    var kept: KeptDocument?
    var fired: [String: Int] = [:]
    var program: Program
    /// What the screens were seen to show lately.
    var seen: [(time: Duration, words: [String])] = []
  }

  let name: SiteName
  let state: Mutex<State>
  let board = ScreenBoard()
  private let own: Program
  private let times: TimeSources
  private let unixTime: @Sendable () -> Double
  private let devices: SimulatedDevices
  private let server: PlaylistServer
  private let ledger: Ledger

  static let document = "shop"

  init?(_ number: Int, seed: UInt64, on executor: SimulationExecutor, start: Double) {
    guard let name = SiteName("site-\(number)"), let program = Self.program(Self.text(edition: 0)) else { return nil }
    self.name = name
    own = program
    state = Mutex(State(program: program))
    let seed = seed.mixed(with: name.text)
    let network = SimulatedNetwork(executor: executor, seed: seed)
    times = network.times
    devices = SimulatedDevices(for: VirtualDeviceNeeds(of: [program.plan]), on: network, seed: seed)
    let unixTime: @Sendable () -> Double = { start + executor.now.seconds }
    self.unixTime = unixTime
    let waits = Mutex(SeededGenerator(seed: seed))
    let ledger = Ledger()
    self.ledger = ledger
    let board = board
    var world = ScreenWorld(
      access: devices.access, times: times, unixTime: unixTime,
      random: { waits.withLock { $0.fraction() } }, ledger: ledger,
      tell: { screen, event in board.take(event, of: .init(playlist: "shop", screen: screen), at: unixTime()) })
    world.addressSeal = AddressSeal(key: [])
    server = PlaylistServer(program, seed: seed, in: world)
  }

  /// A document with two screens; each edition has pictures of its own.
  static func text(edition: Int, isValid: Bool = true) -> String {
    """
    playlist: Shop
    timezone: UTC
    devices: [Left, Right]
    program:
      - during: any_time
        play:
          - { media: "https://e.com/\(edition)-a.jpg", for: 5s }
          - { media: "https://e.com/\(edition)-b.jpg", for: 7s }
    \(isValid ? "" : "pogram: []\n")
    """
  }

  static func program(_ text: String) -> Program? {
    let outcome = PlanCompiler.compile(SourceFile(name: "shop.yaml", bytes: Array(text.utf8)))
    guard case .playlist(let plan)? = outcome.document, !outcome.diagnostics.contains(where: { $0.severity == .error })
    else { return nil }
    return Program(plan, in: .utc)
  }

  /// Serves until the task is cancelled.
  func serve() async {
    await server.run()
    devices.stop()
  }

  // MARK: what is asked of it

  var host: SiteHost {
    SiteHost(
      site: SiteControl(
        view: { await self.view() }, changes: { self.board.changes() },
        order: { order, _, screen in
          self.note(.order(order, screen: screen))
          return await self.server.order(order, screen: screen)
        },
        trigger: { name, _, _ in
          self.state.withLock { $0.fired[name, default: 0] += 1 }
          return .done
        }),
      take: { document in
        self.note(.take(document))
        return await self.take(document)
      }, kept: { self.state.withLock { $0.kept.map { [$0] } ?? [] } }, ledgers: { [] })
  }

  private func note(_ deed: Deed) { state.withLock { $0.deeds.append((times.show.now, deed)) } }

  /// Does what somebody had another site do.
  func `do`(_ deed: Deed) async {
    switch deed {
    case .take(let document): _ = await take(document)
    case .order(let order, let screen): _ = await server.order(order, screen: screen)
    }
  }

  private func take(_ document: FleetDocument) async -> DocumentOutcome {
    var kept = KeptDocument(id: document.id, edition: document.edition, state: .on, shown: nil)
    let outcome: DocumentOutcome
    var next: Program?
    if document.isRemoval {
      (next, outcome, kept.state) = (own, .removed, .removed)
    } else if let program = document.files.first.flatMap({ Self.program($0.text) }) {
      (next, outcome) = (program, .on)
      kept.shown = .init(edition: document.edition, digest: document.digest)
    } else {
      (outcome, kept.state) = (.refused(why: "it is not valid", diagnostics: []), .refused)
      kept.shown = state.withLock { $0.kept?.shown }
    }
    state.withLock { state in
      state.kept = kept
      if let next { state.program = next }
    }
    if let next { await server.replace(next) }
    return outcome
  }

  private func view() async -> SiteView {
    var playlist = SiteView.Playlist(
      program: state.withLock { $0.program }, screens: board.screens.map(\.state), fired: [:])
    playlist.sights = await server.sights()
    return SiteView(playlists: [playlist], time: unixTime(), version: "search")
  }

  // MARK: what is known of it

  /// Remembers for some seconds what its screens show.
  func look() {
    let words = board.screens.map { "\($0.key.screen) \(Self.words($0.state.phaseWord, $0.state.showing?.name))" }
    state.withLock { state in
      state.seen.append((times.show.now, words))
      state.seen.removeAll { $0.time < times.show.now - .seconds(5) }
    }
  }

  static func words(_ phase: String, _ item: String?) -> String { "\(phase) \(phase == "showing" ? item ?? "" : "")" }

  /// What was on its screens, a line for each entry of its ledger that ended before a Unix time.
  func shown(before end: Double) -> [String] {
    let records = Dictionary(grouping: ledger.records.withLock { $0 }, by: \.screen)
    return records.sorted { $0.key < $1.key }.flatMap { screen, records in
      records.filter { Self.end($0.kind) < end }.map { "\(screen) \(Self.line($0.kind))" }
    }
  }

  private static func end(_ kind: LedgerRecord.Kind) -> Double {
    switch kind {
    case .play(let play): play.end
    case .gap(let gap): gap.end
    case .skip(let skip): skip.at
    }
  }

  private static func line(_ kind: LedgerRecord.Kind) -> String {
    switch kind {
    case .play(let play): "\(play.start)-\(play.end) \(play.item): \(play.endReason.rawValue)"
    case .gap(let gap): "\(gap.start)-\(gap.end) nothing: \(gap.reason.rawValue)"
    case .skip(let skip): "\(skip.at) not \(skip.item): \(skip.reason)"
    }
  }

  private final class Ledger: LedgerSink {
    let records = Mutex<[LedgerRecord]>([])
    func record(_ record: LedgerRecord) { records.withLock { $0.append(record) } }
  }
}
