import CastProtocol
import Preflight
import ScenarioRunner
import WebClient
import Workspace

/// Does what a `probe` step asks for.
enum ProbeRunner {
  /// - Returns: The first thing that a receiver would fail over; `nil`: there is none.
  static func run(_ call: ProbeCall) async -> RunConfiguration.ProbeProblem? {
    await withTaskGroup(of: RunConfiguration.ProbeProblem?.self) { group in
      group.addTask { await probe(call) }
      group.addTask {
        guard (try? await Task.sleep(for: call.limit)) != nil else { return nil }
        return .init(message: "the servers did not answer in time", help: nil)
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private static func probe(_ call: ProbeCall) async -> RunConfiguration.ProbeProblem? {
    let rules = ProbeRules(
      model: call.model.flatMap { CastModel(modelName: $0) }, playsAt: Surroundings.process.unixTime())
    let subjects = call.urls.map { ProbeSubject($0, isTrack($0) ? .track : .media) }
    let prober = Prober(WebClient(), rules, limit: max(.milliseconds(1), min(.seconds(10), call.limit)))
    for report in await prober.probe(subjects) {
      for finding in report.findings where counts(finding, call) {
        return .init(message: "\(finding.url): \(finding.text)", help: finding.help)
      }
    }
    return nil
  }

  private static func counts(_ finding: ProbeFinding, _ call: ProbeCall) -> Bool {
    switch finding.code {
    case .cors: call.looksAtCORS && finding.severity == .error
    case .ranges: call.asksForRange
    default: finding.severity == .error
    }
  }

  /// Text tracks are read by a script of the page, which has to be let.
  private static func isTrack(_ url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".vtt", ".ttml", ".dfxp"].contains { path.hasSuffix($0) }
  }
}
