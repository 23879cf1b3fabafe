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

  /// What it may be, the default first; `nil`: any whole number.
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

  /// What it decides, for documents and messages.
  package var told: String {
    switch self {
    case .loadReply: "which status of a LOAD has its request id"
    case .seekReply: "which status of a SEEK has its request id"
    case .buffering: "whether BUFFERING comes before the first PLAYING"
    case .join:
      "what a sender hears that joins the app: a status without media while none is loaded, nothing, or the status"
    case .commands: "`supportedMediaCommands` whatever plays"
    case .items: "whether `items` are the item that is on and its neighbours, or all that fit"
    case .confirm: "whether a status follows a second after playback has begun"
    case .breakTicks: "whether a status comes every second of a break"
    case .breakEnd: "whether statuses after a break say `breakStatus: {}` or leave it out"
    case .stopRate: "the playback rate in the status of a STOP"
    case .queueChange: "whether changes of a queue are told by QUEUE_CHANGE, too"
    case .transfer: "whether a session can be stored and resumed elsewhere"
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
