import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

@Suite("What stops the lines of steps of a scenario") struct StopTreeTests {
  /// The cause in a word.
  static func word(_ cause: StopCause?) -> String? {
    switch cause {
    case nil: nil
    case .interrupted(let interruption): "\(interruption)"
    case .deadline: "deadline"
    case .monitor(let name): "monitor \(name)"
    case .branch(let name): "branch \(name)"
    case .failure(let failure): failure.errorClass.rawValue
    }
  }

  @Test("The first cause counts for every line")
  func first() {
    let stops = StopTree(device: 0)
    let branch = stops.open(from: .main, device: 1)
    stops.stop(.monitor("a"))
    stops.stop(.deadline(.seconds(1)))
    #expect(Self.word(stops.cause(of: .main)) == "monitor a" && Self.word(stops.cause(of: branch)) == "monitor a")
  }

  @Test("A stopped branch ends those inside it, and no other")
  func branches() {
    let stops = StopTree(device: nil)
    let (one, two) = (stops.open(from: .main, device: 0), stops.open(from: .main, device: 1))
    let inner = stops.open(from: one, device: 0)
    stops.stop(one, .branch("x"))
    #expect(Self.word(stops.cause(of: inner)) == "branch x" && stops.isStopped(one) && !stops.isStopped(inner))
    #expect(stops.cause(of: two) == nil && stops.cause(of: .main) == nil && stops.cause == nil)
  }

  @Test("A line that cleans up sees only what came since, and afterwards what was before")
  func shielded() async {
    let stops = StopTree(device: 0)
    stops.stop(.monitor("a"))
    await stops.shielded(.main) {
      #expect(stops.cause(of: .main) == nil)
      stops.stop(.deadline(.seconds(1)))
      #expect(Self.word(stops.cause(of: .main)) == "deadline")
    }
    #expect(Self.word(stops.cause(of: .main)) == "monitor a")
  }

  @Test(
    "The first Ctrl-C ends the steps and spares cleaning up; the second ends that, too",
    arguments: [(false, 1, "interrupt"), (true, 1, nil), (true, 2, "interrupt")]
      as [(isCleaningUp: Bool, count: Int, cause: String?)])
  func interruptions(isCleaningUp: Bool, count: Int, cause: String?) {
    let stops = StopTree(device: 0)
    if isCleaningUp { stops.beginCleanup() }
    for _ in 0..<count { stops.interrupt(.interrupt) }
    #expect(Self.word(stops.cause) == cause && stops.interruptions == count && stops.firstInterruption == .interrupt)
  }

  @Test(
    "What stopped the steps does not stop cleaning up, unless the user insisted",
    arguments: [(1, nil), (2, "interrupt")] as [(Int, String?)])
  func cleanup(count: Int, cause: String?) {
    let stops = StopTree(device: 0)
    for _ in 0..<count { stops.interrupt(.interrupt) }
    stops.beginCleanup()
    #expect(Self.word(stops.cause) == cause)
  }

  @Test("A device's loss concerns the lines whose step is about it or about none of several")
  func about() {
    let stops = StopTree(device: nil)
    let (one, two) = (stops.open(from: .main, device: 0), stops.open(from: .main, device: 1))
    _ = stops.set(retriesLoss: true, of: two)
    #expect(stops.lines(about: 0).map(\.line) == [.main, one])
    #expect(
      stops.lines(about: 1).map(\.line) == [.main, two] && stops.lines(about: 1).map(\.retriesLoss) == [false, true])
    stops.set(device: 0, of: two)
    #expect(stops.lines(about: 0).map(\.line) == [.main, one, two])
    stops.close(one)
    #expect(stops.lines(about: 0).map(\.line) == [.main, two])
  }

  @Test("A branch tries a loss again where the step it stands in does")
  func inherited() {
    let stops = StopTree(device: 0)
    #expect(!stops.set(retriesLoss: true, of: .main))
    #expect(stops.retriesLoss(stops.open(from: .main, device: 0)))
    #expect(stops.set(retriesLoss: false, of: .main))
    #expect(!stops.retriesLoss(stops.open(from: .main, device: 0)))
  }

  @Test("Nothing begins on a line that was stopped, and what runs is cancelled")
  func running() async {
    let time = TimeSource(ContinuousClock())
    let stops = StopTree(device: 0)
    let isCancelled = await stops.runCancellably(.main, on: time) {
      stops.stop(.monitor("a"))
      return Task.isCancelled
    }
    #expect(isCancelled == true)
    let again = await stops.runCancellably(.main, on: time) { true }
    #expect(again == nil)
    stops.forgetCause()
    #expect(await stops.runCancellably(.main, on: time) { true } == true)
  }
}
