import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `probe`: media are fetched from this computer, before a receiver tries.
extension StepRunner {
  func probe(_ action: Plan.ProbeAction, _ scope: StepScope, until deadline: Duration) async throws(StepFailure) {
    // Virtual receivers fetch nothing, and simulations have no network: there is nothing to be found.
    guard let probe = configuration.probe else { return }
    let call = ProbeCall(
      action, urls: action.urls, model: device(scope).device?.model,
      limit: max(.zero, deadline - now) / max(configuration.speed ?? 1, 0.001))
    let problem = await probe(call)
    if Task.isCancelled { throw .cancelled }
    guard let problem else { return }
    throw StepFailure(
      .probeFailed, secrets.hidden(problem.message), help: problem.help.map { secrets.hidden($0) })
  }
}
