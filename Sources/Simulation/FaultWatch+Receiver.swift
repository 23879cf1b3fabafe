package import CastReceiver
package import RunReporting
package import ScenarioLanguage
import ScenarioRunner

extension FaultWatch {
  /// What a virtual receiver tells its faults to.
  /// - Parameter plan: What its faults were made of.
  func listener(of receiver: String, _ plan: ReceiverPlan?) -> @Sendable (FaultPlan.Occurrence) -> Void {
    { [self] occurrence in came(.init(receiver: receiver, occurrence, of: plan)) }
  }
}

extension EventKind.FaultNote {
  /// A fault that has come.
  /// - Parameter plan: What the receiver's faults were made of: it knows the file of each.
  package init(receiver: String, _ occurrence: FaultPlan.Occurrence, of plan: ReceiverPlan?) {
    let faults = plan?.faults ?? []
    let origin = faults.indices.contains(occurrence.number - 1) ? faults[occurrence.number - 1].origin : nil
    self.init(
      receiver: receiver, number: origin?.number ?? occurrence.number, fault: occurrence.text,
      count: occurrence.count, at: origin.map { SourcePlace($0.span) })
  }
}
