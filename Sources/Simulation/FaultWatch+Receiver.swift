import CastReceiver
import RunReporting
import ScenarioRunner

extension FaultWatch {
  /// What a virtual receiver tells its faults to.
  func listener(of receiver: String) -> @Sendable (FaultPlan.Occurrence) -> Void {
    { [self] fault in
      came(.init(receiver: receiver, number: fault.number, fault: fault.text, count: fault.count))
    }
  }
}
