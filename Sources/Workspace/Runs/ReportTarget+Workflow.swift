import RunReporting

extension ReportTarget {
  /// What a run in a workflow of GitHub tells it without being asked: annotations on standard error, and a summary at the
  /// end of the step's page. A kind that is asked for goes where it is asked to.
  /// - Parameter environment: The value of a variable of the environment.
  package static func ofWorkflow(
    besides asked: [ReportTarget], _ environment: (String) -> String?
  ) -> [ReportTarget] {
    guard environment("GITHUB_ACTIONS") == "true" else { return [] }
    var targets = [ReportTarget(.github, "/dev/stderr", isUnasked: true)]
    if let page = environment("GITHUB_STEP_SUMMARY"), !page.isEmpty {
      targets.append(ReportTarget(.markdown, page, isUnasked: true))
    }
    return targets.filter { target in !asked.contains { $0.kind == target.kind } }
  }
}
