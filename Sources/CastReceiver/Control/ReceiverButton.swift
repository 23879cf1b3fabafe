/// What `receiver press` presses.
package enum ReceiverButton: String, Hashable, Sendable, CaseIterable {
  case play, pause, stop, next, previous
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case mute, power, home, input
  case stopApp = "stop-app"
  case takeover, unplug, plug

  /// The effect of the button, in one line of help.
  package var meaning: String {
    switch self {
    case .play: "goes on with what is paused"
    case .pause: "pauses what plays"
    case .stop: "ends what plays; the app stays"
    case .next: "goes to the next item of a queue"
    case .previous: "goes to the item before"
    case .volumeUp: "turns the volume up one step and unmutes"
    case .volumeDown: "is quieter by a step"
    case .mute: "mutes, or lets sound again"
    case .power: "switches the television to standby, or on again; what plays is paused"
    case .home: "switches the television to another input: the app is hidden and playback pauses"
    case .input: "comes back to this input"
    case .stopApp: "ends the app, from another phone"
    case .takeover: "starts another app, from another phone: YouTube, or the one that is named"
    case .unplug: "takes the power away: connections fall silent without an end, nobody answers, and all is forgotten"
    case .plug: "gives the power back"
    }
  }
}
