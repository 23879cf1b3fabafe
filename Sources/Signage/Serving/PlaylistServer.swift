import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Serves all the screens of one playlist.
package actor PlaylistServer {
  private let seed: UInt64
  private let world: ScreenWorld
  private var program: Program
  private var screens: [Screen] = []
  /// The devices that were found by what they are like.
  private var known: Set<String> = []

  /// - Parameter seed: Drives shuffles; each screen has an order of its own.
  package init(_ program: Program, seed: UInt64, in world: ScreenWorld) {
    self.program = program
    self.seed = seed
    self.world = world
  }

  /// Takes an edited playlist; its screens stay those that it began with.
  package func replace(_ program: Program) {
    self.program = program
    for screen in screens { screen.replace(program) }
  }

  /// What became of an order.
  package enum OrderAnswer: Hashable, Sendable {
    case given
    /// The screens there are.
    case noSuchScreen([String])
    /// The names of the items there are.
    case noSuchItem([String])
    /// Too many orders wait already.
    case tooMany
  }

  /// Gives an order to a screen by its name, or to all.
  package func order(_ order: ScreenOrder, screen name: String? = nil) -> OrderAnswer {
    let meant = screens.filter { name == nil || $0.name == name }
    guard !meant.isEmpty else { return .noSuchScreen(screens.map(\.name)) }
    if case .play(let item) = order {
      let names = program.plan.allItems
      if !names.contains(where: { $0.id == item || $0.media.contentID == item }) {
        return .noSuchItem(names.map(\.name).uniqued)
      }
    }
    let given = meant.map { $0.signals.give(order) }
    return given.contains(true) ? .given : .tooMany
  }

  /// Which screens say that they are in standby; `nil`: a receiver does not say, or nobody can ask it.
  package func standby() async -> [(screen: String, isStandBy: Bool?)] {
    var answers: [(screen: String, isStandBy: Bool?)] = []
    for screen in screens {
      let isStandBy = await screen.isStandBy
      answers.append((screen.name, isStandBy))
    }
    return answers
  }

  /// What each screen's receiver said last, and what follows, by the screen's name.
  package func sights() async -> [String: ScreenSight] {
    var sights: [String: ScreenSight] = [:]
    for screen in screens { sights[screen.name] = await screen.sight() }
    return sights
  }

  /// Serves until the task is cancelled, or every screen was taken by somebody whom the playlist lets have it.
  package func run() async {
    let set = program.plan.devices
    let matches = set.atLeast != nil || set.atMost != nil || set.selectors.contains { !$0.meansOne }
    await withTaskGroup(of: Void.self) { group in
      if matches {
        for selector in set.selectors { group.addTask { await self.search(selector, atMost: set.atMost) } }
      } else {
        for selector in set.selectors {
          let screen = add(selector, called: DeviceName.name(of: nil, selector: selector))
          group.addTask { await screen.run() }
        }
      }
    }
  }

  private func add(_ selector: Plan.DeviceSelector, called name: String) -> Screen {
    let name = name.unique(among: screens.map(\.name))
    let screen = Screen(name, number: screens.count, selector: selector, program: program, seed: seed, in: world)
    screens.append(screen)
    return screen
  }

  // MARK: devices by what they are like

  /// How often new devices are looked for.
  private static let searchInterval = Duration.seconds(60)

  /// Serves every device that fits, also those that come later.
  private func search(_ selector: Plan.DeviceSelector, atMost most: Int?) async {
    await withTaskGroup(of: Void.self) { group in
      while !Task.isCancelled, known.count < most ?? .max {
        let timeouts = Plan.Timeouts()
        let found = (try? await world.access.discoverAll(selector, timeouts.discover, nil, .both)) ?? []
        for device in found.sorted(by: { $0.name < $1.name }) where known.count < most ?? .max {
          guard known.insert(device.id ?? "\(device.address)").inserted else { continue }
          var own = selector
          own.foreignIDs = selector.tagged.first { $0.fits(device) }?.foreignIDs
          (own.id, own.name, own.nameLike, own.tagged) = (device.id, nil, nil, [])
          if device.id == nil { own.host = device.address }
          let screen = add(own, called: DeviceName.name(of: device, selector: own))
          group.addTask { await screen.run() }
        }
        try? await world.times.network.sleep(for: Self.searchInterval)
      }
    }
  }
}

extension [String] {
  /// Each once, in their order.
  var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Plan.DeviceSelector {
  /// Whether it says which device it means, not only what kind.
  fileprivate var meansOne: Bool { name != nil || id != nil || host != nil || inventoryID != nil }
}
