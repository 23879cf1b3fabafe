import CastProtocol
import ScenarioLanguage
import Signage
import Synchronization

/// Switches the screens of a served playlist by the site's programs, and again where that fails.
final class PowerSwitch: Sendable {
  private static let look = Duration.milliseconds(50)

  private struct State {
    var rule = PowerRule()
    /// Counts the changes: what was begun for an earlier one is given up.
    var number = 0
    /// Whether the program has done what it should, or is given up.
    var isDone = false
  }

  /// One change that is to be made.
  struct Change: Sendable {
    var position: PowerRule.Position
    var power: PlaylistPlan.Power
    fileprivate var number: Int
  }

  private let state = Mutex(State())

  /// What is to be switched now; `nil`: nothing.
  func due(of program: Program, at time: Double) -> Change? {
    state.withLock { state in
      guard let power = program.plan.power, let position = state.rule.position(of: program, at: time) else {
        return nil
      }
      state.number += 1
      state.isDone = false
      return Change(position: position, power: power, number: state.number)
    }
  }

  /// Runs the site's program until it ends well, and asks the receivers whether it did what it should.
  /// - Parameter tell: Learns what is wrong, and with `nil` that all is well.
  func make(
    _ change: Change, on clock: TimeSource, _ server: PlaylistServer, tell: (String?) -> Void
  ) async {
    let command = change.position == .on ? change.power.on : change.power.off
    guard !command.isEmpty else { return finish(change) }
    var waits = PowerRule.waits[...]
    while let problem = await ServedProgram.run(command, input: []) {
      guard isNewest(change) else { return }
      tell("they could not be switched \(change.position.rawValue): \(problem)")
      guard let wait = waits.popFirst() else { return finish(change) }
      guard (try? await clock.sleep(for: wait)) != nil, isNewest(change) else { return }
    }
    finish(change)
    guard change.power.verifiesStandby else { return isNewest(change) ? tell(nil) : () }
    guard (try? await clock.sleep(for: PowerRule.settling)) != nil else { return }
    let complaints = await server.standby().compactMap { screen, isStandBy in
      PowerRule.complaint(about: change.position, isStandBy: isStandBy).map { "\(screen): \($0)" }
    }
    if isNewest(change) { tell(complaints.isEmpty ? nil : complaints.joined(separator: "; ")) }
  }

  /// Returns when the screens were switched on after quiet hours, or had time enough for it.
  func waitUntilOn(_ program: () -> Program, on clock: TimeSource) async {
    let end = clock.now + PowerRule.patience
    while clock.now < end, program().plan.power?.on.isEmpty == false {
      if state.withLock({ $0.rule.position == .on && $0.isDone }) { return }
      guard (try? await clock.sleep(for: Self.look)) != nil else { return }
    }
  }

  private func isNewest(_ change: Change) -> Bool { state.withLock { $0.number == change.number } }

  private func finish(_ change: Change) {
    state.withLock { state in if state.number == change.number { state.isDone = true } }
  }
}
