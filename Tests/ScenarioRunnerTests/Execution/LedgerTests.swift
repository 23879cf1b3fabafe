import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

@Suite("What the steps of a scenario come to") struct LedgerTests {
  static func end(
    _ failure: ErrorClass?, section: StepSection = .steps, isIgnored: Bool = false, isNested: Bool = false,
    isStopped: Bool = false
  ) -> Ledger.End {
    Ledger.End(
      id: "s1", result: failure == nil ? .passed : failure == .expectation ? .failed : .error,
      failure: failure.map { StepFailure($0, "") }, isIgnored: isIgnored, isNested: isNested, isStopped: isStopped,
      section: section)
  }

  @Test(
    "A step's end gives an exit code and the class that decides about another try",
    arguments: [
      (end(nil), 0, nil),
      (end(.expectation), 1, .expectation),
      (end(.loadFailed), 5, .loadFailed),
      (end(.timeout), 6, .timeout),
      (end(.expectation, section: .setup), 5, .expectation),
      (end(.expectation, isIgnored: true), 0, nil),
      (end(.loadFailed, isNested: true), 0, nil),
      (end(.monitor, isStopped: true), 0, .monitor),
      (end(.timeout, isStopped: true), 6, .timeout),
      (end(.loadFailed, section: .finally), 5, nil),
    ] as [(Ledger.End, Int32, ErrorClass?)])
  func ends(end: Ledger.End, exit: Int32, failureClass: ErrorClass?) {
    var ledger = Ledger()
    ledger.settle(end)
    #expect(ledger.exits.chosen.rawValue == exit && ledger.failureClass == failureClass)
  }

  @Test("The first failure is the one that counts for another try")
  func first() {
    var ledger = Ledger()
    ledger.settle(Self.end(.appGone))
    ledger.settle(Self.end(.expectation))
    #expect(ledger.failureClass == .appGone && ledger.tally.counts.errors == 1 && ledger.tally.counts.failed == 1)
  }

  @Test("What cleaning up comes to changes neither counts nor exit codes")
  func apart() {
    var ledger = Ledger()
    ledger.settle(Self.end(nil))
    let before = ledger.beginApart()
    ledger.settle(Self.end(.loadFailed, section: .finally))
    #expect(ledger.tally.counts.errors == 1 && ledger.tally.counts.passed == 0)
    ledger.endApart(before)
    #expect(ledger.tally.counts.passed == 1 && ledger.tally.counts.errors == 0 && ledger.exits.chosen == .passed)
  }

  @Test("Before a device was connected every failure but busy is exit code 4")
  func connecting() {
    for (errorClass, code) in [(ErrorClass.timeout, Int32(4)), (.auth, 4), (.busy, 75)] {
      var ledger = Ledger()
      ledger.settle(errorClass, isConnected: false)
      #expect(ledger.exits.chosen.rawValue == code && ledger.failureClass == errorClass)
    }
  }
}
