import DeviceControl
import RunReporting
import ScenarioLanguage

/// What is known of one screen: everything that its events have told so far.
package struct ScreenState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case showing
    /// Quiet hours.
    case resting
    /// No rule is on, and there is no fallback.
    case nothing
    /// Somebody else has the screen: the name of the app.
    case yielded(String)
    /// It shows nothing although it should, and why.
    case dark(String)
  }

  /// Something that went wrong.
  package struct Problem: Hashable, Sendable {
    /// Unix time.
    package var time: Double
    package var text: String
  }

  /// What is remembered of what went wrong.
  package static let mostProblems = 20

  package var name: String
  /// What it is called on the network, and where it is; `nil` before it was found.
  package private(set) var device: String?
  package private(set) var address: String?
  package private(set) var phase = Phase.dark("not found yet")
  /// Unix time since which it is in its phase, or shows its item.
  package private(set) var since: Double
  /// What is on, or was last.
  package private(set) var showing: Showing?
  package private(set) var isPaused = false
  /// The newest last.
  package private(set) var problems: [Problem] = []
  package private(set) var reconnects = 0
  package private(set) var loadFailures = 0
  /// How often an item stood still.
  package private(set) var stuck = 0
  /// Unix time of the receiver's last status; `nil`: it has sent none.
  package private(set) var heard: Double?
  /// Whether its device can be reached, as far as is known.
  package private(set) var isReachable = false
  /// Whether it is known what becomes of it: it was shown something, or something kept it from that.
  package private(set) var hasBegun = false

  /// - Parameter time: Unix time at which serving it began.
  package init(_ name: String, at time: Double) {
    self.name = name
    since = time
  }

  /// The receiver has sent a status.
  mutating func hear(at time: Double) { heard = time }

  package var isDark: Bool { if case .dark = phase { true } else { false } }

  /// Takes what the screen told.
  package mutating func take(_ event: ScreenEvent, at time: Double) {
    isReachable = event.isReachable ?? isReachable
    switch event {
    case .found(let found): (device, address) = (found.name, found.address.text)
    case .connected, .returned, .reloaded: break
    case .unreachable(let failure):
      note(failure.message, at: time)
      enter(.dark(failure.message), at: time)
    case .lost(let reason):
      note("lost: \(reason)", at: time)
      enter(.dark(reason), at: time)
    case .back: reconnects += 1
    case .showing(let new), .adopted(let new):
      showing = new
      (phase, since, hasBegun) = (.showing, time, true)
    case .notShown(let item, let failure, let goesOn):
      loadFailures += 1
      note("\(item.name) will not load: \(failure.message)", at: time)
      if !goesOn { enter(.dark("\(item.name) will not load"), at: time) }
    case .stuck(let item, _):
      stuck += 1
      note("\(item.name) is stuck", at: time)
    case .yielded(let taker), .lent(let taker): enter(.yielded(taker.name), at: time)
    case .endedByTakeover(let taker):
      note("\(taker.name) has the screen, and the playlist ends there", at: time)
      enter(.yielded(taker.name), at: time)
    case .resting: enter(.resting, at: time)
    case .nothing: enter(.nothing, at: time)
    case .ordered(.pause): isPaused = true
    case .ordered(.resume): isPaused = false
    case .ordered: break
    case .refused(let order, let reason): note("\(order.text): \(reason)", at: time)
    case .note(let text): note(text, at: time)
    }
  }

  private mutating func enter(_ new: Phase, at time: Double) {
    hasBegun = true
    // The same for another reason began when it began.
    if case (.dark, .dark) = (phase, new) { return phase = new }
    if phase != new { since = time }
    phase = new
  }

  private mutating func note(_ text: String, at time: Double) {
    problems.append(Problem(time: time, text: text))
    if problems.count > Self.mostProblems { problems.removeFirst() }
  }
}

extension ScreenEvent {
  /// Whether the device can be reached; `nil`: it tells nothing of that.
  fileprivate var isReachable: Bool? {
    switch self {
    case .unreachable, .lost: false
    case .connected, .back, .showing, .adopted, .yielded, .lent, .returned: true
    default: nil
    }
  }
}
