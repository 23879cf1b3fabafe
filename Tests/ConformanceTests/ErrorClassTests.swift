import ScenarioLanguage
import Testing

@testable import Conformance

@Suite struct ErrorClassTests {
  @Test("A failure is the device's, but where it was not reached, another sender had it, or this computer failed")
  func unjudged() {
    #expect(
      ErrorClass.allCases.filter { !$0.leavesUnjudged } == [
        .protocol, .timeout, .launchFailed, .appGone, .loadFailed, .mediaError, .invalidRequest, .invalidState,
        .refusedLocally, .expectation, .monitor,
      ])
  }
}
