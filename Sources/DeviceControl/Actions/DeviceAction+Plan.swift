package import CastProtocol
package import RunReporting
package import ScenarioLanguage

extension DeviceAction {
  /// What a step asks of one device; `nil` where it waits, judges, holds steps or has to do with more than one device.
  /// - Parameters:
  ///   - saved: What is known under a name: saved or set by an earlier step, or a fact about the device.
  ///   - appMayBeGone: Whether no app is what `stop_app` wants, too.
  /// - Throws: `invalid_state` where a name has no value of the kind that the step needs.
  package init?(
    _ action: Plan.Action, appMayBeGone: Bool = false, saved: (String) -> JSONValue?
  ) throws(StepFailure) {
    switch action {
    case .connect(let host, let authentication): self = .connect(host: host, authentication: authentication)
    case .disconnect(let isAbrupt): self = .disconnect(abrupt: isAbrupt)
    case .launch(let launch): self = .launch(launch)
    case .stopApp: self = .stopApp(mayBeGone: appMayBeGone)
    case .volume(let volume): self = .volume(level: try volume.level.number(saved), ramp: volume.ramp)
    case .mute(let isMuted): self = .mute(isMuted)
    case .load(let load): self = .load(load)
    case .play: self = .play
    case .pause: self = .pause
    case .stop: self = .stop
    case .seek(let seek): self = .seek(try Seek(seek, saved))
    case .rate(.to(let amount)): self = .rate(.to(try amount.number(saved)))
    case .rate(.by(let factor)): self = .rate(.by(factor))
    case .tracks(let names): self = .tracks(names)
    case .textStyle(let style): self = .textStyle(style)
    case .skipAd(let isForced): self = .skipAd(force: isForced)
    case .refresh(let target): self = .refresh(target)
    case .queue(let queue): self = .queueLoad(queue)
    case .queueInsert(let insert):
      self = .queueInsert(items: insert.items, before: try QueueItemName(insert.before, saved))
    case .queueRemove(let items): self = .queueRemove(try QueueItemName.all(items, saved))
    case .queueJump(.next): self = .queueJump(.next)
    case .queueJump(.previous): self = .queueJump(.previous)
    case .queueJump(.item(let item)): self = .queueJump(.item(try QueueItemName(item, saved)))
    case .queueUpdate(let update): self = .queueUpdate(try QueueUpdate(update, saved))
    case .queueReorder(let order):
      self = .queueReorder(
        items: try QueueItemName.all(order.items, saved), before: try QueueItemName(order.before, saved))
    case .send(let send): self = .send(send)
    case .discover, .transfer, .exec, .probe, .wait, .waitUntil, .expect, .always, .never, .expectSequence,
      .expectMessage, .expectTogether, .mark, .log, .fail, .set, .save, .group, .choose, .repeat, .forEach, .parallel:
      return nil
    }
  }
}

extension Plan.Amount {
  /// The number, known or saved.
  /// - Throws: `invalid_state` where what was saved is none.
  package func number(_ saved: (String) -> JSONValue?) throws(StepFailure) -> Double {
    switch self {
    case .literal(let number): return number
    case .saved(let name):
      guard let number = saved(name)?.number else {
        throw StepFailure(.invalidState, "`\(name)` was saved without a number")
      }
      return number
    }
  }
}

extension Seek {
  fileprivate init(_ action: Plan.SeekAction, _ saved: (String) -> JSONValue?) throws(StepFailure) {
    let target: Target =
      switch action.target {
      case .to(let amount): .to(try amount.number(saved))
      case .toStart: .toStart
      case .toEnd: .toEnd
      case .by(let offset): .by(offset)
      }
    self.init(target, then: action.then, tolerance: action.tolerance)
  }
}

extension QueueUpdate {
  fileprivate init(_ action: Plan.QueueUpdateAction, _ saved: (String) -> JSONValue?) throws(StepFailure) {
    var items: [(item: QueueItemName, media: Plan.QueueItem)] = []
    for replacement in action.items {
      items.append((try QueueItemName(replacement.item, saved), replacement.media))
    }
    self.init(jump: action.jump, repeatMode: action.repeatMode, shuffle: action.shuffle, items: items)
  }
}

extension QueueItemName {
  fileprivate init(
    _ item: Plan.QueueItemReference, _ saved: (String) -> JSONValue?
  ) throws(StepFailure) {
    switch item {
    case .number(let number): self = .number(number)
    case .saved(let name):
      guard let number = saved(name)?.int else {
        throw StepFailure(.invalidState, "`\(name)` was saved without an item's number")
      }
      self = .number(number)
    case .media(let id, let content): self = .media(id: id, content: content)
    }
  }

  /// An item that may be left out.
  fileprivate init?(
    _ item: Plan.QueueItemReference?, _ saved: (String) -> JSONValue?
  ) throws(StepFailure) {
    guard let item else { return nil }
    try self.init(item, saved)
  }

  fileprivate static func all(
    _ items: [Plan.QueueItemReference], _ saved: (String) -> JSONValue?
  ) throws(StepFailure) -> [QueueItemName] {
    var names: [QueueItemName] = []
    for item in items { names.append(try QueueItemName(item, saved)) }
    return names
  }
}
