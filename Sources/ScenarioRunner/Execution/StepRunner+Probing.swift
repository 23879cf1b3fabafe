import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `probe`: media are fetched from this computer, before a receiver tries.
extension StepRunner {
  func probe(_ action: Plan.ProbeAction, _ scope: StepScope, until deadline: Duration) async throws(StepFailure) {
    // Virtual receivers fetch nothing, and simulations have no network: there is nothing to be found.
    guard let probe = configuration.probe else { return }
    let urls = try action.urls.map { url throws(StepFailure) in try secrets.revealed(url) }
    let call = ProbeCall(
      action, urls: urls, model: device(scope).device?.model,
      limit: max(.zero, deadline - now) / max(configuration.speed ?? 1, 0.001))
    let problem = await times.show.aside { await probe(call) }
    if Task.isCancelled { throw .cancelled }
    guard let problem else { return }
    // A whole address is known again, however short the values in it are.
    let message = zip(urls, action.urls).reduce(problem.message) { $0.replacing($1.0, with: $1.1) }
    throw StepFailure(.probeFailed, secrets.hidden(message), help: problem.help.map { secrets.hidden($0) })
  }
}
