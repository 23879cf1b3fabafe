import CastProtocol
package import ScenarioLanguage

/// What a command asks of one device: one thing after the other.
package struct DeviceCommand: Sendable {
  package enum Part: Sendable {
    case action(DeviceAction)
    /// Items before the one that a queue was loaded with first.
    case insertBeforeFirst([Plan.QueueItem])
    /// What plays goes on on another device.
    case transfer(to: Plan.DeviceSelector, stopsSource: Bool)
    /// Waits for the end of what plays, and judges whether that was its own.
    case waitForTheEnd
  }

  package var parts: [Part]
  /// How long it may take, as somebody said; `nil`: as long as such things usually may.
  package var limit: Duration?
  /// Whether the limit is for all parts together; else it is for the first.
  package var limitIsForAll: Bool

  package init(_ parts: [Part], limit: Duration? = nil, limitIsForAll: Bool = false) {
    self.parts = parts
    self.limit = limit
    self.limitIsForAll = limitIsForAll
  }

  package init(_ action: DeviceAction) { self.init([.action(action)]) }

  /// Follows what plays to its end; the limit is then for that, too.
  package mutating func waitForTheEnd() {
    parts.append(.waitForTheEnd)
    limitIsForAll = true
  }

  /// Whether another sender that takes the device ends it: what is watched to its end must be what was meant.
  package var takeover: Plan.Takeover {
    parts.contains { if case .waitForTheEnd = $0 { true } else { false } } ? .fail : .ignore
  }

  /// Another device that it has to do with; `nil` where it has to do with one alone.
  package var other: Plan.DeviceSelector? {
    for case .transfer(let selector, _) in parts { return selector }
    return nil
  }

  /// The app that it loads into; `nil` where it loads nothing.
  var loadedApp: String? {
    guard case .action(let action)? = parts.first else { return nil }
    return switch action {
    case .load(let load): load.appID ?? load.defaultAppID
    case .queueLoad(let queue): queue.appID ?? queue.defaultAppID
    default: nil
    }
  }

  private static let longest = Duration.seconds(30 * 86_400)

  /// How long the part at `index` may take.
  func limit(of index: Int, _ timeouts: Plan.Timeouts) -> Duration {
    if case .waitForTheEnd = parts[index] { return limit ?? Self.longest }
    if index == 0, let limit { return limit }
    return switch parts[index] {
    case .action(let action): action.usualLimit(timeouts)
    // A launch and a load on the other device, then a stop on this one.
    case .transfer: timeouts.launch + timeouts.load + timeouts.step
    case .insertBeforeFirst, .waitForTheEnd: timeouts.step
    }
  }
}

extension DeviceAction {
  /// How long it may take where nobody says.
  func usualLimit(_ timeouts: Plan.Timeouts) -> Duration {
    switch self {
    case .connect: timeouts.connect
    case .launch: timeouts.launch
    case .load, .queueLoad: timeouts.load
    case .refresh, .send: timeouts.reply
    case .volume(_, let ramp), .changeVolume(_, let ramp): timeouts.step + ramp
    default: timeouts.step
    }
  }
}
