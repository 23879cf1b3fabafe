package import DeviceControl
package import RunReporting
package import ScenarioLanguage

/// What happened on one screen, as it happens.
package enum ScreenEvent: Sendable {
  case found(FoundDevice)
  case connected
  /// Looked for in vain, or it does not answer; told once until that changes.
  case unreachable(StepFailure)
  case lost(String)
  case back(after: Duration)
  case showing(Showing)
  /// It was on already, and was not loaded again.
  case adopted(Showing)
  /// - Parameter goesOn: Whether something else is tried at once, in its place or after it.
  case notShown(Showing, StepFailure, goesOn: Bool)
  case stuck(Showing, PlaylistPlan.Watchdog.Remedy?)
  case yielded(LedgerRecord.Taker)
  /// A run of a scenario has the screen.
  case lent(LedgerRecord.Taker)
  /// The program goes on after somebody else's cast.
  case returned
  /// The playlist ends here, as `takeover: stop` says.
  case endedByTakeover(LedgerRecord.Taker)
  case resting(PlaylistPlan.Quiet.Screen)
  case nothing
  /// An edited playlist counts from here on.
  case reloaded
  /// A person asked for something.
  case ordered(ScreenOrder)
  /// What a person asked for cannot be done now.
  case refused(ScreenOrder, String)
  case note(String)
}

/// Tells the screen what its session tells about the device.
struct ScreenDiagnostics: EventSink {
  let tell: @Sendable (ScreenEvent) -> Void
  let heard: @Sendable () -> Void

  func record(_ event: Event) {
    switch event.kind {
    case .deviceLost(let lost): tell(.lost(lost.reason))
    case .deviceBack(let back): tell(.back(after: .seconds(back.after)))
    case .status: heard()
    case .log(let note): tell(.note(note.text))
    case .diagnostic(let problem) where problem.severity == .warning: tell(.note(problem.message))
    // All else the screen tells itself, or is of no use to who serves for months.
    default: return
    }
  }
}
