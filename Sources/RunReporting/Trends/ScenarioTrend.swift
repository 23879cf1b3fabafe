import ScenarioLanguage

/// One scenario on its device over several runs.
package struct ScenarioTrend: Sendable {
  /// One run of it.
  package struct Point: Hashable, Sendable {
    package var run: String
    /// Unix seconds.
    package var startedAt: Double
    /// What its devices called their software.
    package var firmware: ScenarioFirmware
    /// `nil` where it has no end.
    package var result: RunVerdict?
    /// Document seconds.
    package var duration: Double
  }

  package let key: RunSummary.Key
  /// The document as the newest run's command line named it.
  package private(set) var file = ""
  /// Oldest first.
  package private(set) var points: [Point] = []
  /// In the order of the newest run; steps that it did not have are left out.
  package private(set) var steps: [StepTrend] = []

  /// - Parameter scenarios: Those of one key, oldest first, each with the id of its run.
  package init(_ key: RunSummary.Key, _ scenarios: some Collection<(run: String, scenario: RunSummary.Scenario)>) {
    let scenarios = Array(scenarios)
    self.key = key
    guard let newest = scenarios.last?.scenario else { return }
    file = newest.file
    points = scenarios.map { run, scenario in
      Point(
        run: run, startedAt: scenario.startedAt, firmware: scenario.firmware, result: scenario.result,
        duration: scenario.duration)
    }
    var places: [StepTrend.Key: Int] = [:]
    for (key, step) in StepTrend.keyed(newest.steps + Self.rulesOfGoodRuns(scenarios.map(\.scenario))) {
      places[key] = steps.count
      steps.append(StepTrend(key: key, title: step.name))
    }
    for (run, scenario) in scenarios {
      for (key, step) in StepTrend.keyed(scenario.steps) {
        if let place = places[key] { steps[place].add(step, of: run) }
      }
    }
  }

  /// The rules of the newest good run where the newest one is not good: it judged them for a part of the scenario only,
  /// and tells just those that were broken.
  private static func rulesOfGoodRuns(_ scenarios: [RunSummary.Scenario]) -> [RunSummary.Step] {
    guard let newest = scenarios.last, newest.result?.isGood != true,
      let good = scenarios.last(where: { $0.result?.isGood == true })
    else { return [] }
    func rules(_ scenario: RunSummary.Scenario) -> [RunSummary.Step] {
      scenario.steps.filter { $0.section == ReportCase.rules }
    }
    let told = Set(rules(newest).map(\.name))
    return rules(good).filter { !told.contains($0.name) }
  }

  /// All scenarios of some runs, those that ran last first.
  /// - Parameters:
  ///   - runs: Oldest first.
  ///   - last: How many of the newest runs of each are looked at.
  package static func all(of runs: [RunSummary], last: Int = Drift.runLimit) -> [ScenarioTrend] {
    var scenarios: [RunSummary.Key: [(run: String, scenario: RunSummary.Scenario)]] = [:]
    for run in runs {
      for scenario in run.scenarios { scenarios[scenario.key, default: []].append((run.run, scenario)) }
    }
    return scenarios.map { ScenarioTrend($0.key, $0.value.suffix(last)) }.sorted { left, right in
      let (newer, older) = (left.points.last?.startedAt ?? 0, right.points.last?.startedAt ?? 0)
      return newer == older ? left.key < right.key : newer > older
    }
  }

  /// How many runs came to what; those without an end are none of them.
  package var counts: EventKind.VerdictCounts { EventKind.VerdictCounts(points.compactMap(\.result)) }
  /// The durations of the runs that passed.
  private var good: [Double] { points.filter { $0.result?.isGood == true }.map(\.duration) }
  /// The middle one of them; `nil` where none passed.
  package var usualDuration: Double? { good.isEmpty ? nil : Drift.median(good) }

  /// What somebody should look at, the most urgent first.
  package var warnings: [(step: StepTrend, text: String)] {
    var drifts: [(runs: Int, step: StepTrend, text: String)] = []
    for step in steps {
      if let runs = step.runsLeft { drifts.append((runs, step, step.driftText(runs))) }
      for matcher in step.matchers {
        if let runs = matcher.runsLeft { drifts.append((runs, step, matcher.driftText(runs))) }
      }
    }
    return drifts.sorted { $0.runs < $1.runs }.map { ($0.step, $0.text) }
      + steps.compactMap { step in step.flakyText.map { (step, $0) } }
  }

  /// Where the software of a device changed, oldest first; runs that do not tell that of its role are passed over.
  package var firmwareChanges: [FirmwareChange] {
    var known: [String: String] = [:]
    var changes: [FirmwareChange] = []
    for point in points {
      for (role, version) in point.firmware.versions.sorted(by: { $0.key < $1.key }) {
        if let from = known[role], from != version {
          changes.append(
            FirmwareChange(run: point.run, startedAt: point.startedAt, role: role, from: from, to: version))
        }
        known[role] = version
      }
    }
    return changes
  }
}

/// One step of a scenario over its runs.
package struct StepTrend: Sendable {
  /// What tells the steps of a scenario apart: not a number that changes when another step is put before it.
  package struct Key: Hashable, Sendable {
    package var section: String
    /// Without an id that the compiler gave it.
    package var name: String
    /// Which of those that are called the same, from 0.
    package var occurrence: Int
  }

  fileprivate static func keyed(_ steps: [RunSummary.Step]) -> [(key: Key, step: RunSummary.Step)] {
    var counts: [Key: Int] = [:]
    return steps.map { step in
      var key = Key(section: step.section, name: Self.withoutNumber(step.name), occurrence: 0)
      let occurrence = counts[key, default: 0]
      counts[key] = occurrence + 1
      key.occurrence = occurrence
      return (key, step)
    }
  }

  /// `s3 expect position` without `s3 `; an id that the document gives stays.
  private static func withoutNumber(_ name: String) -> String {
    guard let space = name.firstIndex(of: " "), name.hasPrefix("s"),
      name[..<space].dropFirst().allSatisfy(\.isNumber), name[..<space].count > 1
    else { return name }
    return String(name[name.index(after: space)...])
  }

  /// The step in one run.
  package struct Point: Hashable, Sendable {
    package var run: String
    package var step: RunSummary.Step

    /// Whether it came to what it was meant to, at whatever try.
    package var isGood: Bool { step.result == .passed || step.result == .flaky }
    /// Whether it ran and its result counts.
    var isJudged: Bool { isGood || step.result.isBad && step.result != .unfinished }
  }

  package let key: Key
  /// What reports of the newest run call it.
  package let title: String
  /// Oldest first.
  package private(set) var points: [Point] = []

  fileprivate init(key: Key, title: String) { (self.key, self.title) = (key, title) }

  fileprivate mutating func add(_ step: RunSummary.Step, of run: String) {
    points.append(Point(run: run, step: step))
  }

  /// The durations of the runs in which it was good.
  private var good: [Double] { hasDurations ? points.filter(\.isGood).map(\.step.duration) : [] }
  /// Whether its durations say something: not those of a rule of `watch` without a limit in any run.
  var hasDurations: Bool { !isRule || points.contains { $0.step.limit != nil } }
  /// The middle one; `nil` where it was never good.
  package var usualDuration: Double? { good.isEmpty ? nil : Drift.median(good) }
  /// Of twenty good runs nineteen took no longer; `nil` where it was never good.
  package var slowDuration: Double? { good.isEmpty ? nil : Drift.quantile(0.95, of: good) }
  /// The seconds that it has in the newest run that came to it.
  package var limit: Double? { points.last(where: \.isJudged)?.step.limit }
  /// The share of its time that was left in the newest good run: 0 is at its limit.
  package var margin: Double? {
    guard let last = points.last(where: \.isGood)?.step, let limit = last.limit, limit > 0 else { return nil }
    return 1 - last.duration / limit
  }

  /// In how many runs it did not pass at once, or not at all, though it did in others.
  package var flakyCount: Int {
    let judged = points.filter(\.isJudged)
    let flaky = judged.count { $0.step.result == .flaky }
    let bad = judged.count { $0.step.result.isBad }
    return bad < judged.count ? flaky + bad : 0
  }

  /// The share of its time that it took in the good runs, oldest first; runs with another limit are not compared.
  private var shares: [Double] {
    let good = points.filter(\.isGood).map(\.step)
    guard let limit = good.last?.limit, limit > 0 else { return [] }
    return good.reversed().prefix { $0.limit == limit }.reversed().map { $0.duration / limit }
  }

  /// After how many more runs it will be at its limit, where it goes there.
  package var runsLeft: Int? { Drift(shares)?.runs(until: 1, of: shares.count) }

  /// The fields that it expects, and how near each came to its limit.
  package var matchers: [MatcherTrend] { MatcherTrend.all(of: points) }

  /// The fields that the step waits for to the end, as the newest run tells in which it passed at once.
  var waitedFor: [String] { points.last { $0.step.result == .passed }?.step.waitedFor ?? [] }

  private var isRule: Bool { key.section == ReportCase.rules }

  private var waits: String {
    waitedFor.isEmpty ? "" : " (it waits for \(waitedFor.map { "`\($0)`" }.joined(separator: ", ")))"
  }

  func driftText(_ runs: Int) -> String {
    guard runs > 0 else { return "is at its limit\(waits)" }
    return
      "\(isRule ? "is broken" : "takes") longer each time\(waits): at its limit in about \(runs == 1 ? "1 run" : "\(runs) runs")"
  }

  /// `did not pass at once in 3 of 32 runs`; `nil` where it always did, or never passed.
  var flakyText: String? {
    guard flakyCount > 0 else { return nil }
    let what = isRule ? "was broken" : "did not pass at once"
    return "\(what) in \(flakyCount) of \(points.count { $0.isJudged }) runs"
  }
}
