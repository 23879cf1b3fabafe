import CastProtocol
import CastTransport
import FleetControl
import FleetMessages
import RunReporting
import ScenarioRunner

/// Brings a document to sites, or takes it off, wave by wave.
actor FleetRollout: FleetDuty {
  /// What the command line asks for.
  struct Wish: Sendable {
    var id: String
    var offer: RolloutOffer
    var glob: SiteGlob
    var canary: RolloutWaves.Canary
    var size: RolloutWaves.Size
    var watch: Duration
    var putsBack: Bool
    var isDryRun: Bool
  }

  enum End: Sendable {
    case failed(CommandFailure)
    /// What would be done, or that there is nothing to do.
    case nothing(RolloutContents, RolloutWaves?)
    case ended(RolloutEnd, RolloutContents)
  }

  private enum Parcel {
    case put(SiteName)
    case putBack(SiteName)
  }

  private var desk: FleetDesk
  private var shelf: DocumentShelf
  private let wish: Wish
  private let key: SigningKey
  private let tell: @Sendable (RolloutNote) -> Void
  private var contents: RolloutContents?
  private var rollout: Rollout?
  private var editions = (new: 0, back: 0)
  private let name: String
  /// What waits for the link to take it.
  private var parcels: [Parcel] = []
  /// What the broker has not acknowledged.
  private var underWay: Set<Int> = []
  private var lastNumber = 0
  /// How it ends when the broker has all, or at the latest then.
  private var ending: (end: RolloutEnd, limit: Duration)?
  private static let lastWait = Duration.seconds(60)

  /// - Parameter name: Of this roll-out, which no other has.
  init(
    _ connection: FleetConnection, _ wish: Wish, name: String, by key: (key: SigningKey, verifying: VerifyingKey),
    _ tell: @escaping @Sendable (RolloutNote) -> Void
  ) {
    desk = FleetDesk(connection, filters: [.condition(wish.glob.only), .given(wish.glob.only)])
    shelf = DocumentShelf(id: wish.id, keys: [key.verifying], at: FleetOptions.unixTime)
    (self.wish, self.key, self.name, self.tell) = (wish, key.key, name, tell)
  }

  private var now: Duration { desk.connection.clock.now }

  func receive(_ event: BrokerEvent) -> End? {
    let changed = desk.receive(event)
    guard rollout != nil else {
      if case .message(let message) = event { _ = shelf.receive(message) }
      return nil
    }
    switch event {
    case .connected: return perform(rollout?.receive(.connected, at: now))
    case .disconnected:
      underWay = []
      return perform(rollout?.receive(.disconnected, at: now))
    case .message:
      guard let changed else { return nil }
      let site = changed.site
      if case .documentReport(_, TopicLevel.of(wish.id)) = changed,
        let report = desk.view.sites[site]?.documents[TopicLevel.of(wish.id)]
      {
        return perform(rollout?.receive(.report(site, report), at: now))
      }
      guard let facts = desk.view.sites[site], let pulse = SitePulse(site, facts) else { return nil }
      return perform(rollout?.receive(.pulse(site, pulse), at: now))
    case .acknowledged(let number):
      underWay.remove(number)
      return ended
    case .denied:
      return .failed(
        CommandFailure(
          .failed, "the broker does not let this user give documents to sites",
          help:
            "its access list has to allow `\(FleetTopic.root)/+/document/+/put` and `previous` (examples/mosquitto/acl)"
        ))
    }
  }

  func tick() -> End? {
    if rollout != nil {
      send()
      return perform(rollout?.advance(to: now)) ?? ended
    }
    switch desk.state {
    case .waiting: return nil
    case .unreachable(let failure): return .failed(desk.connection.unreachable(failure))
    case .complete: return begin()
    }
  }

  func interrupt(_ interruption: Runner.Interruption) -> End? {
    guard rollout != nil else { return .failed(.fleetInterrupted(interruption)) }
    // Whoever asks once more does not want to wait for the broker either.
    if let ending { self.ending = (ending.end, now) }
    return perform(rollout?.receive(.stop, at: now))
  }

  private func begin() -> End? {
    let known = desk.view.sites.filter { wish.glob.matches($0.key) && $0.value.presence != nil }
    guard !known.isEmpty else {
      return .failed(desk.connection.noSite(wish.glob, isEmpty: desk.view.sites.isEmpty))
    }
    let contents = RolloutContents(wish.offer, to: Array(known.keys), shelf, desk.view)
    self.contents = contents
    let targets = known.filter { contents.files[$0.key] != nil }
    guard !targets.isEmpty else { return .nothing(contents, nil) }
    let waves = RolloutWaves(
      targets.mapValues { $0.presence == .online }, canary: wish.canary, size: wish.size)
    if wish.isDryRun { return .nothing(contents, waves) }
    guard !waves.waves.isEmpty else {
      return .failed(
        CommandFailure(
          .noDevice, "none of the sites that match `\(wish.glob)` is online",
          help: "a roll-out begins with a site that can show that the document is good"))
    }
    if case .sites(let canary) = wish.canary, !(waves.waves.first ?? []).contains(where: canary.matches) {
      return .failed(CommandFailure(.noDevice, "no canary: none of the sites that match `\(canary)` is online"))
    }
    // The broker may have lost what it kept; sites say what they were given last.
    let reported = targets.values.compactMap { $0.documents[TopicLevel.of(wish.id)]?.edition }.filter {
      $0 < Int.max / 2
    }
    let edition = max(shelf.nextEdition(for: Array(targets.keys)), (reported.max() ?? 0) + 1)
    var plan = Rollout.Plan(waves, edition: edition)
    (plan.watch, plan.putsBack) = (wish.watch, wish.putsBack)
    if case .removal = wish.offer { plan.wanted = .removed }
    editions = (edition, plan.editionBack)
    let pulses = targets.compactMap { site, facts in SitePulse(site, facts).map { (site, $0) } }
    var rollout = Rollout(plan, pulses: Dictionary(pulses) { first, _ in first })
    let effects = rollout.start(at: now)
    self.rollout = rollout
    return perform(effects)
  }

  private func perform(_ effects: [Rollout.Effect]?) -> End? {
    for effect in effects ?? [] {
      switch effect {
      case .put(let site): parcels.append(.put(site))
      case .putBack(let site): parcels.append(.putBack(site))
      case .tell(let note): tell(note)
      case .end(let how): ending = (how, now + Self.lastWait)
      }
    }
    send()
    return ended
  }

  /// How it ended; `nil`: it goes on, or the broker does not have all yet.
  private var ended: End? {
    guard let ending, parcels.isEmpty && underWay.isEmpty || now >= ending.limit else { return nil }
    return .ended(ending.end, contents ?? RolloutContents(wish.offer, to: [], shelf, desk.view))
  }

  // MARK: sending

  private func send() {
    while let parcel = parcels.first {
      for message in messages(of: parcel) {
        lastNumber += 1
        guard desk.connection.link.send(.publish(message, id: lastNumber)) else { return }
        underWay.insert(lastNumber)
      }
      parcels.removeFirst()
    }
  }

  private func messages(of parcel: Parcel) -> [BrokerMessage] {
    let level = TopicLevel.of(wish.id)
    switch parcel {
    case .put(let site):
      var messages: [BrokerMessage] = []
      if let slip = contents?.kept[site], let files = shelf.files(of: slip) {
        let old = document(files, edition: slip.edition)
        messages += [sealed(old, for: .documentPrevious(site, id: level))].compactMap(\.self)
      }
      var new = document(contents?.files[site] ?? [], edition: editions.new)
      new.restores = contents?.restores[site]
      new.rollout = name
      return messages + [sealed(new, for: .documentPut(site, id: level))].compactMap(\.self)
    case .putBack(let site):
      // By what the site has on its own disk: the broker may have forgotten what it had, or show an older one.
      // Only what was taken off is no more on that disk.
      var old = document([], edition: editions.back)
      old.undoes = editions.new
      if case .removal = wish.offer, let slip = contents?.before[site], let files = shelf.files(of: slip),
        !files.isEmpty
      {
        old = document(files, edition: editions.back)
        old.restores = slip.edition
      }
      old.rollout = name
      return [sealed(old, for: .documentPut(site, id: level))].compactMap(\.self)
    }
  }

  private func document(_ files: [FleetDocument.File], edition: Int) -> FleetDocument {
    FleetDocument(id: wish.id, edition: edition, issued: FleetOptions.unixTime, files: files)
  }

  private func sealed(_ document: FleetDocument, for topic: FleetTopic) -> BrokerMessage? {
    guard let body = document.body, let payload = SignedEnvelope.sealed(body, for: topic.text, by: key) else {
      return nil
    }
    return BrokerMessage(topic.text, payload, isRetained: true)
  }
}
