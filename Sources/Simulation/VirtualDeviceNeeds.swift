package import CastProtocol
package import CastReceiver
package import ScenarioLanguage

/// What documents need of virtual devices, whatever kind of documents they are.
package struct VirtualDeviceNeeds: Hashable, Sendable {
  /// A device that a plan speaks of.
  package struct Device: Hashable, Sendable {
    package var selector: Plan.DeviceSelector
    /// Whether the plan means exactly one by it; else all that fit.
    package var isOne: Bool

    package init(_ selector: Plan.DeviceSelector, isOne: Bool) {
      self.selector = selector
      self.isOne = isOne
    }
  }

  /// For each plan: its devices. The same selector several times means as many devices.
  package var devices: [[Device]] = []
  /// The apps that are launched, and the namespaces on which something is said to them. One may be there more than once.
  package var apps: [VirtualReceivers.App] = []
  /// What goes wrong with each of them.
  package var faults: ReceiverPlan?
  /// How long each of them takes for what it does.
  package var latency = ReceiverLatency.none
  /// Addresses of receiver pages that answer as apps, by the apps' ids.
  package var pages: [String: String] = [:]
  /// Whether devices that the inventory has receiver pages for show them.
  package private(set) var showsPages = false
  /// Whether a device has to prove what it is.
  package var needsProof = false

  /// What the rows of a document that is run need: their own devices or those of their roles, as many as `devices` asks
  /// for, and those that something is transferred to.
  package init(of document: RunnableDocument) {
    for plan in document.rows {
      devices.append(Self.devices(of: plan))
      apps += plan.launchedAppIDs.map { .init($0, plan.spokenNamespaces) }
    }
    needsProof = document.requiresAuthentication
  }

  /// Leaves only the devices in whose place the inventory has a receiver page, and shows the pages.
  package mutating func keepPages() {
    for index in devices.indices {
      devices[index] = devices[index].filter(\.selector.isPage).flatMap { device in
        device.selector.tagged.isEmpty
          ? [device]
          : device.selector.tagged.map { Device($0, isOne: device.isOne && device.selector.tagged.count == 1) }
      }
    }
    showsPages = true
  }

  /// Has `page` answer as every app that no other page is named for.
  package mutating func show(_ page: String) {
    for id in apps.map(\.id) + ["CC1AD845"] where pages[id] == nil { pages[id] = page }
  }

  /// What playlists that are on screens together need. All that a playlist shows is shown by its one app.
  package init(of playlists: [PlaylistPlan]) {
    for plan in playlists {
      devices.append(Self.devices(of: plan.devices))
      apps.append(.init(plan.appID, []))
      let selectors = plan.devices.selectors + plan.inventory.values
      needsProof = needsProof || selectors.contains(where: \.requirements.authentication.demandsProof)
    }
  }

  /// What else is run beside them.
  package mutating func add(_ other: VirtualDeviceNeeds) {
    devices += other.devices
    apps += other.apps
    faults = faults ?? other.faults
    pages.merge(other.pages) { own, _ in own }
    needsProof = needsProof || other.needsProof
  }

  private static func devices(of plan: Plan) -> [Device] {
    var devices = plan.roles.map { Device($0.device, isOne: true) }
    if let set = plan.devices {
      devices += Self.devices(of: set)
    } else if plan.roles.isEmpty {
      devices.append(Device(plan.device, isOne: true))
    }
    for step in plan.allSteps {
      if case .transfer(let transfer) = step.action, case .device(let selector) = transfer.target {
        devices.append(Device(selector, isOne: true))
      }
    }
    return devices
  }

  /// Those of `devices`, at least as many as it asks for.
  private static func devices(of set: Plan.DeviceSet) -> [Device] {
    set.selectors.flatMap { selector in
      var parts = selector.tagged.isEmpty ? [selector] : selector.tagged
      let missing = (set.atLeast ?? 1) - parts.count
      if missing > 0, let last = parts.last {
        parts += Array(repeating: last, count: min(missing, mostOfOneKind))
      }
      return parts.map { Device($0, isOne: false) }
    }
  }

  /// A document may ask for any number.
  private static let mostOfOneKind = 1000
}

extension Plan {
  /// The namespaces of apps' own on which a step sends or expects a message, each once, in the order of the document.
  package var spokenNamespaces: [Namespace] {
    var names: [Namespace] = []
    for step in allSteps {
      switch step.action {
      case .send(let send): if send.destination == .app { names.append(Namespace(rawValue: send.namespace)) }
      case .expectMessage(let message): names.append(Namespace(rawValue: message.namespace))
      case .discover, .connect, .disconnect, .launch, .stopApp, .volume, .mute, .load, .play, .pause, .stop, .seek,
        .rate, .tracks, .textStyle, .skipAd, .refresh, .wait, .waitUntil, .mark, .log, .fail, .expect, .always, .never,
        .expectSequence, .queue, .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .transfer, .probe,
        .expectTogether, .set, .save, .group, .choose, .repeat, .forEach, .parallel, .exec:
        continue
      }
    }
    var seen: Set<Namespace> = []
    return names.filter { !$0.isOfPlatform && seen.insert($0).inserted }
  }

  /// The ids of every app that a step may launch, each once, in the order of the document.
  package var launchedAppIDs: [String] {
    var ids: [String] = []
    for step in allSteps {
      switch step.action {
      case .launch(let launch): ids.append(launch.appID)
      case .load(let load): ids += [load.appID ?? load.defaultAppID]
      case .queue(let queue): ids += [queue.appID ?? queue.defaultAppID]
      case .discover, .connect, .disconnect, .stopApp, .volume, .mute, .play, .pause, .stop, .seek, .rate, .tracks,
        .textStyle, .skipAd, .refresh, .wait, .waitUntil, .mark, .log, .fail, .expect, .always, .never, .expectSequence,
        .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .transfer, .send, .probe, .expectMessage,
        .expectTogether, .set, .save, .group, .choose, .repeat, .forEach, .parallel, .exec:
        continue
      }
    }
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
