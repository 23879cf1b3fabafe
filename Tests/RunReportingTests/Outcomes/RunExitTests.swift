import Testing

@testable import RunReporting

@Suite struct RunExitTests {
  @Test("Every exit has a place among several, and none of them the same")
  func ranks() {
    let ranks = RunExit.allCases.map(\.rank)
    #expect(Set(ranks).count == ranks.count && ranks.allSatisfy { $0 < ranks.count })
  }

  @Test(
    "Of several runs the worst counts",
    arguments: [
      ([], .passed), ([.passed, .passed], .passed), ([.passed, .flaky, .expectationFailed], .expectationFailed),
      ([.expectationFailed, .busy], .expectationFailed),
      ([.stepFailed, .noDevice, .interrupted], .interrupted), ([.terminated, .reportNotWritten], .reportNotWritten),
    ] as [([RunExit], RunExit)])
  func worst(exits: [RunExit], worst: RunExit) {
    #expect(RunExit.worst(of: exits) == worst)
  }
}
