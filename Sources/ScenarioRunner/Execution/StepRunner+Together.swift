import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// `expect_together`: several devices judged at the same time.
extension StepRunner {
  func expect(
    _ action: Plan.TogetherAction, of step: Plan.Step, _ scope: StepScope
  ) async throws(StepFailure) {
    let members = action.roles.compactMap { deviceIndex(ofRole: $0) }.map { devices[$0] }
    guard members.count == action.roles.count else { throw StepFailure(.invalidState, "a role has no device") }
    for member in members { try await member.checkConnection() }
    let deadline = now + action.within
    let judge = TogetherJudge(action, saved: values(scope))
    let asked = members.map { member in
      var there = scope
      there.device = member.number
      return self.action(there, on: member, until: deadline)
    }
    for (number, member) in members.enumerated() {
      // When the device entered the state it is in: not before the last action began.
      for view in await member.statusesSinceAction(asked[number]) { judge.observe(view, of: number) }
    }
    if !judge.hasPassed, action.within > .zero { try await follow(members, asked, judge) }
    if Task.isCancelled { throw .cancelled }
    let machine = judge.machine
    let judged = EventKind.Expectation(machine, of: step, because: action.because)
    emit(machine.hasPassed ? .expectPassed(judged) : .expectFailed(judged), scope, step: step.id)
    if !machine.hasPassed { throw StepFailure(.expectation, machine.shortcoming) }
  }

  /// Follows all devices at once until the condition holds, one is lost, or the time is over.
  private func follow(
    _ members: [DeviceSession], _ asked: [ActionScope], _ judge: TogetherJudge
  ) async throws(StepFailure) {
    let tasks = TaskList()
    for (number, (member, asked)) in zip(members, asked).enumerated() {
      tasks.add(
        times.show.spawn(on: member.executor) {
          do throws(StepFailure) {
            try await member.follow(
              asked, wake: { judge.nextCrossing(of: $0) }, observe: { judge.goesOn(with: $0, of: number) })
          } catch {
            judge.fail(error)
          }
          // One device decided it: the others need not go on.
          if judge.isDecided { tasks.cancel() }
        })
    }
    let all = tasks.all
    // The first devices may have decided the result before the last task was in the list.
    if judge.isDecided { tasks.cancel() }
    await withTaskCancellationHandler {
      for task in all { await task.value }
    } onCancel: {
      tasks.cancel()
    }
    if let failure = judge.failure { throw failure }
  }
}

/// Tasks that any of them may end.
private final class TaskList: Sendable {
  private let tasks = Mutex<[Task<Void, Never>]>([])

  var all: [Task<Void, Never>] { tasks.withLock { $0 } }
  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
  func cancel() { for task in all { task.cancel() } }
}

/// The machine that several devices feed.
private final class TogetherJudge: Sendable {
  private struct State {
    var machine: TogetherStateMachine
    var failures: [StepFailure] = []
  }
  private let state: Mutex<State>

  init(_ action: Plan.TogetherAction, saved: [String: JSONValue]) {
    state = Mutex(State(machine: TogetherStateMachine(action, saved: saved)))
  }

  var machine: TogetherStateMachine { state.withLock { $0.machine } }
  var hasPassed: Bool { machine.hasPassed }
  var failure: StepFailure? { state.withLock { $0.failures.first } }
  var isDecided: Bool { state.withLock { $0.machine.hasPassed || !$0.failures.isEmpty } }

  func observe(_ view: StatusView, of number: Int) { state.withLock { $0.machine.observe(view, of: number) } }
  func nextCrossing(of view: StatusView) -> Duration? { machine.nextCrossing(of: view) }
  func fail(_ failure: StepFailure) { state.withLock { $0.failures.append(failure) } }

  /// - Returns: Whether nothing is decided yet.
  func goesOn(with view: StatusView, of number: Int) -> Bool {
    state.withLock { state in
      if state.machine.hasPassed { return false }
      state.machine.observe(view, of: number)
      return !state.machine.hasPassed
    }
  }
}
