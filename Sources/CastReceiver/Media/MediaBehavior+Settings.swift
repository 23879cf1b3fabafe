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
  case relativeSeek = "relative-seek"
  case liveWindow = "live-window"
  case videoSize = "video-size"
  case idleExit = "idle-exit"

  /// What a setting takes.
  package enum Values: Hashable, Sendable {
    /// One of these, the default first.
    case words([String])
    /// A value as `meaning` says and `example` shows; by default the behavior says nothing of it.
    case form(example: String, meaning: String)
  }

  package var values: Values {
    switch self {
    case .loadReply: .words(["last", "first"])
    case .seekReply: .words(["playing", "buffering"])
    case .join: .words(["empty-status", "silent", "status"])
    case .items: .words(["neighbours", "all"])
    case .breakEnd: .words(["empty", "absent"])
    case .stopRate: .words(["zero", "kept"])
    case .buffering, .confirm, .breakTicks, .queueChange, .transfer, .relativeSeek: .words(["on", "off"])
    case .commands: .form(example: "12495", meaning: "a number of 32 bits")
    case .liveWindow: .form(example: "120", meaning: Self.secondsMeaning)
    case .videoSize: .form(example: "1920x1080", meaning: "a width and a height in pixels")
    case .idleExit: .form(example: "300", meaning: Self.secondsMeaning)
    }
  }

  private static let secondsMeaning = "a whole number of seconds from 1 to 604800"

  /// Seconds, from 1 to a week.
  private static func seconds(_ value: String) -> Duration? {
    guard let seconds = Int(value), (1...604_800).contains(seconds) else { return nil }
    return .seconds(seconds)
  }

  private static func size(_ value: String) -> MediaBehavior.VideoSize? {
    let sides = value.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else { return nil }
    return MediaBehavior.VideoSize(width: width, height: height)
  }

  /// Makes the choice; false: it cannot be `value`.
  package func apply(_ value: String, to behavior: inout MediaBehavior) -> Bool {
    if case .words(let words) = values, !words.contains(value) { return false }
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
    case .relativeSeek: behavior.takesRelativeTime = isOn
    case .liveWindow:
      guard let window = Self.seconds(value) else { return false }
      behavior.liveWindow = window
    case .videoSize:
      guard let size = Self.size(value) else { return false }
      behavior.videoSize = size
    case .idleExit:
      guard let time = Self.seconds(value) else { return false }
      behavior.idleExit = time
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
