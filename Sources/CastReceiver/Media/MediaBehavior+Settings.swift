/// One of the choices of a ``MediaBehavior`` as a command line says it: `seek-reply=buffering`.
package enum MediaSetting: String, Hashable, Sendable, CaseIterable {
  case loadReply = "load-reply"
  case seekReply = "seek-reply"
  case buffering, join, commands, items, confirm
  case breakTicks = "break-ticks"
  case breakEnd = "break-end"
  case stopRate = "stop-rate"
  case queueChange = "queue-change"
  case transfer

  /// The values that it takes, the default first; `nil`: any whole number.
  package var values: [String]? {
    switch self {
    case .loadReply: ["last", "first"]
    case .seekReply: ["playing", "buffering"]
    case .join: ["empty-status", "silent", "status"]
    case .commands: nil
    case .items: ["neighbours", "all"]
    case .breakEnd: ["empty", "absent"]
    case .stopRate: ["zero", "kept"]
    case .buffering, .confirm, .breakTicks, .queueChange, .transfer: ["on", "off"]
    }
  }

  /// Makes the choice; false: it cannot be `value`.
  package func apply(_ value: String, to behavior: inout MediaBehavior) -> Bool {
    if let values, !values.contains(value) { return false }
    let isOn = value == "on"
    switch self {
    case .loadReply: behavior.loadReply = value == "first" ? .first : .last
    case .seekReply: behavior.seekReply = value == "buffering" ? .buffering : .playing
    case .join: behavior.joining = MediaBehavior.Joining(rawValue: value) ?? behavior.joining
    case .commands:
      guard let commands = Int(value), (0...0xFFFF_FFFF).contains(commands) else { return false }
      behavior.commands = commands
    case .items: behavior.showsNeighboursOnly = value == "neighbours"
    case .breakEnd: behavior.clearsBreakStatus = value == "empty"
    case .stopRate: behavior.stopsRate = value == "zero"
    case .buffering: behavior.buffersAtStart = isOn
    case .confirm: behavior.confirmsStart = isOn
    case .breakTicks: behavior.ticksInBreaks = isOn
    case .queueChange: behavior.sendsQueueChange = isOn
    case .transfer: behavior.supportsStreamTransfer = isOn
    }
    return true
  }
}

extension MediaBehavior {
  /// A page of the receiver SDK 3.0.0103 with default options, in a browser.
  package static let sdk: MediaBehavior = {
    var behavior = MediaBehavior()
    behavior.buffersAtStart = false
    behavior.joining = .silent
    behavior.commands = 12_495
    behavior.stopsRate = false
    return behavior
  }()
}
