import CastProtocol

/// What `showcaller plan --wire` prints: the messages that steps send, each on a line of its own, after a line that
/// names the step.
///
/// There is no connection, so `requestId` and `mediaSessionId` are 0; what only a run knows stands between `‹` and `›`.
/// What keeps the connection itself, and a transfer's messages, which the apps decide, are left out.
package struct PlanWire: Sendable {
  private let plan: Plan
  /// The wire ids of the tracks of what was loaded last, by the document's names.
  private var trackIDs: [String: Int] = [:]
  package private(set) var lines: [String] = []

  package init(_ plan: Plan) {
    self.plan = plan
    for step in plan.allSteps { add(step) }
  }

  private mutating func add(_ step: Plan.Step) {
    let messages = messages(of: step.action)
    if !messages.isEmpty {
      lines.append("# \(step.id) \(TerminalText.oneLine(step.name))")
      // Every other message says by its type where it goes.
      if case .send(let send) = step.action {
        let destination = send.destination == .app ? "the app" : "receiver-0"
        lines.append("# to \(destination) in \(TerminalText.oneLine(send.namespace))")
      }
      lines += messages.map { $0.serialized() }
    }
  }

  private mutating func messages(of action: Plan.Action) -> [JSONValue] {
    switch action {
    case .launch(let launch):
      return [
        receiver(
          .launch(
            appID: launch.appID, language: launch.language, appParams: launch.params,
            supportedAppTypes: launch.appTypes))
      ]
    case .stopApp: return [receiver(.stop(sessionID: "‹session›"))]
    case .volume(let volume):
      var json = receiver(.setVolume(level: volume.level.literal.map { $0 / 100 } ?? 0, muted: nil))
      json.fill("volume", volume.level.hole.map { ["level": $0] })
      return [json]
    case .mute(let muted): return [receiver(.setVolume(level: nil, muted: muted))]
    case .load(let load):
      trackIDs = Dictionary(load.trackNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
      return [media(.load(load.request))]
    case .queue(let queue):
      trackIDs = [:]
      return [media(.queueLoad(queue.request))]
    case .play: return [media(.play(mediaSessionID: 0))]
    case .pause: return [media(.pause(mediaSessionID: 0))]
    case .stop: return [media(.stop(mediaSessionID: 0))]
    case .skipAd: return [media(.skipAd(mediaSessionID: 0))]
    case .seek(let seek): return [self.seek(seek)]
    case .rate(.to(let amount)):
      var json = media(.setPlaybackRate(mediaSessionID: 0, .absolute(amount.literal ?? 1)))
      json.fill("playbackRate", amount.hole)
      return [json]
    case .rate(.by(let factor)): return [media(.setPlaybackRate(mediaSessionID: 0, .relative(factor)))]
    case .tracks(let names):
      var json = media(.editTracks(mediaSessionID: 0, activeTrackIDs: [], textTrackStyle: nil))
      json.fill("activeTrackIds", .array(names.map { trackIDs[$0].map { .int($0) } ?? .string("‹\($0)›") }))
      return [json]
    case .textStyle(let style):
      return [media(.editTracks(mediaSessionID: 0, activeTrackIDs: nil, textTrackStyle: style))]
    case .refresh(let what):
      let both = [receiver(.getStatus), media(.getStatus)]
      return what == .both ? both : [what == .receiver ? both[0] : both[1]]
    case .send(let send): return [send.message]
    case .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder: return [queueChange(action)]
    case .discover, .connect, .disconnect, .transfer, .probe, .exec, .wait, .waitUntil, .mark, .log, .fail, .expect,
      .always, .never, .expectSequence, .expectMessage, .expectTogether, .set, .save, .group, .choose, .repeat,
      .forEach,
      .parallel:
      return []
    }
  }

  private func seek(_ action: Plan.SeekAction) -> JSONValue {
    var time = 0.0
    var hole: JSONValue?
    switch action.target {
    case .to(let amount):
      time = amount.literal ?? 0
      hole = amount.hole
    case .toStart: break
    case .toEnd: hole = "‹end›"
    case .by(let seconds):
      hole = .string("‹position \(seconds < 0 ? "-" : "+") \(Duration.seconds(seconds.magnitude).spelled)›")
    }
    let resume: Bool? =
      switch action.then {
      case .keep: nil
      case .play: true
      case .pause: false
      }
    var json = media(.seek(mediaSessionID: 0, .init(currentTime: time, resume: resume)))
    json.fill("currentTime", hole)
    return json
  }

  private func queueChange(_ action: Plan.Action) -> JSONValue {
    switch action {
    case .queueInsert(let insertion):
      let items = insertion.items.map { QueueItem(media: $0.media) }
      let request = QueueInsertRequest(items: items, insertBefore: insertion.before == nil ? nil : 0)
      var json = media(.queueInsert(mediaSessionID: 0, request))
      json.fill("insertBefore", insertion.before?.wire)
      return json
    case .queueRemove(let items):
      var json = media(.queueRemove(mediaSessionID: 0, itemIDs: []))
      json.fill("itemIds", .array(items.map(\.wire)))
      return json
    case .queueReorder(let order):
      let before = order.before == nil ? nil : 0
      var json = media(.queueReorder(mediaSessionID: 0, itemIDs: [], insertBefore: before))
      json.fill("insertBefore", order.before?.wire)
      json.fill("itemIds", .array(order.items.map(\.wire)))
      return json
    case .queueJump(let jump):
      var request = QueueUpdateRequest()
      switch jump {
      case .next: request.jump = 1
      case .previous: request.jump = -1
      case .item: request.currentItemID = 0
      }
      var json = media(.queueUpdate(mediaSessionID: 0, request))
      if case .item(let item) = jump { json.fill("currentItemId", item.wire) }
      return json
    case .queueUpdate(let update): return queueUpdate(update)
    default: return .null
    }
  }

  private func queueUpdate(_ update: Plan.QueueUpdateAction) -> JSONValue {
    var request = QueueUpdateRequest()
    request.jump = update.jump
    request.repeatMode = update.repeatMode?.wire
    request.shuffle = update.shuffle
    if !update.items.isEmpty {
      request.items = update.items.map { replacement in
        var item = QueueItem(media: replacement.media.media)
        item.itemID = 0
        return item
      }
    }
    var json = media(.queueUpdate(mediaSessionID: 0, request))
    guard let items = json["items"]?.array else { return json }
    let filled = zip(items, update.items).map { item, replacement in
      var item = item
      item.fill("itemId", replacement.item.wire)
      return item
    }
    json.fill("items", .array(filled))
    return json
  }

  private func media(_ request: MediaRequest) -> JSONValue { request.json(requestID: 0) }
  private func receiver(_ request: ReceiverRequest) -> JSONValue { request.json(requestID: 0) }
}

extension Plan.Amount {
  /// The number where it is known now.
  fileprivate var literal: Double? { if case .literal(let number) = self { number } else { nil } }
  /// What stands for it where only the run knows it.
  fileprivate var hole: JSONValue? { if case .saved(let name) = self { .string("‹\(name)›") } else { nil } }
}

extension Plan.QueueItemReference {
  /// The item's id, or what stands for it.
  fileprivate var wire: JSONValue {
    switch self {
    case .media(let id, _): .string("‹item of \(id)›")
    case .number(let number): .int(number)
    case .saved(let name): .string("‹\(name)›")
    }
  }
}

extension JSONValue {
  /// Puts a value in a member's place; `nil` leaves it as it is.
  fileprivate mutating func fill(_ name: String, _ value: JSONValue?) {
    guard let value, case .object(var object) = self else { return }
    object[name] = value
    self = .object(object)
  }
}
