import CastProtocol
import DeviceControl
import ScenarioLanguage

/// What comes to a screen from outside: orders of people, and triggers.
extension Screen {
  /// Takes note of what came since it was looked last.
  /// - Parameter showing: What is on; `nil`: nothing of ours, or it is over anyway.
  /// - Returns: Whether what is on is to be skipped.
  func takeSignals(_ showing: Showing?) -> Bool {
    let (orders, time) = (signals.take(), moment)
    changeCursor { $0.see(world.triggers.since, at: time) }
    var skips = false
    for order in orders where obey(order, showing) { skips = true }
    if !orders.isEmpty { remember() }
    return skips
  }

  /// What the receiver says about standby; `nil` where it says nothing, or is not there.
  var isStandBy: Bool? {
    get async { await device.needsConnection ? nil : await device.view().snapshot.receiver?.isStandBy }
  }

  /// - Returns: Whether what is on is to be skipped.
  private func obey(_ order: ScreenOrder, _ showing: Showing?) -> Bool {
    let time = moment
    if cursor.isQuiet(at: time), order.wantsScreen {
      tell(.refused(order, "quiet hours win over everything"))
      return false
    }
    switch order {
    case .skip: changeCursor { $0.skip() }
    case .pause: changeCursor { $0.pause(on: showing) }
    case .resume: changeCursor { $0.resume() }
    case .play(let name):
      guard changeCursor({ $0.order(name) }) else {
        tell(.refused(order, "the playlist has no such item"))
        return false
      }
    }
    tell(.ordered(order))
    return order == .skip
  }
}

extension ScreenOrder {
  /// `play menu`, `skip`.
  package var text: String {
    switch self {
    case .skip: "skip"
    case .pause: "pause"
    case .resume: "resume"
    case .play(let name): "play \(name)"
    }
  }

  /// Whether it changes what is seen at once.
  fileprivate var wantsScreen: Bool {
    switch self {
    case .skip, .play: true
    case .pause, .resume: false
    }
  }
}
