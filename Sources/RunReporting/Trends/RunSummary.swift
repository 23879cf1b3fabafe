import ScenarioLanguage

/// What is kept of a run when it is compared with others: times and results, no statuses.
package struct RunSummary: Hashable, Sendable {
  /// The run's id.
  package var run: String
  /// Unix seconds.
  package var startedAt: Double
  /// `nil` where it did not come to its end.
  package var exitCode: Int?
  package var scenarios: [Scenario]

  package init(run: String, startedAt: Double, exitCode: Int?, scenarios: [Scenario]) {
    (self.run, self.startedAt, self.exitCode, self.scenarios) = (run, startedAt, exitCode, scenarios)
  }

  /// What tells scenarios apart whose runs are compared.
  package struct Key: Hashable, Comparable, Sendable {
    /// The document's id.
    package var document: String
    /// How reports call what it ran on; `QA Chromecast (virtual, 20x)` where it was not the real thing, or faster.
    package var device: String
    /// `lang=no speed=2`; empty without a matrix.
    package var row: String

    package init(document: String, device: String, row: String = "") {
      (self.document, self.device, self.row) = (document, device, row)
    }

    package static func < (left: Key, right: Key) -> Bool {
      (left.document, left.device, left.row) < (right.document, right.device, right.row)
    }

    /// `ads on QA Chromecast, lang=no`.
    package var title: String { "\(document) on \(device)" + (row.isEmpty ? "" : ", \(row)") }
  }

  /// One row on its device; the last of its tries counts.
  package struct Scenario: Hashable, Sendable {
    package var key: Key
    /// The software of its devices, as they called it.
    package var firmware: ScenarioFirmware
    /// The document as the command line named it.
    package var file: String
    /// `nil` where it has no end.
    package var result: RunVerdict?
    /// Unix seconds.
    package var startedAt: Double
    /// Document seconds.
    package var duration: Double
    package var steps: [Step]

    package init(
      key: Key, file: String, firmware: ScenarioFirmware = ScenarioFirmware([:]), result: RunVerdict?,
      startedAt: Double, duration: Double,
      steps: [Step]
    ) {
      (self.key, self.file, self.firmware, self.result) = (key, file, firmware, result)
      (self.startedAt, self.duration, self.steps) = (startedAt, duration, steps)
    }
  }

  /// One of the document's own steps, or a rule of `watch`.
  package struct Step: Hashable, Sendable {
    /// `steps`, `setup` and so on; ``ReportCase/rules`` of a rule of `watch`.
    package var section: String
    /// `s3 expect position`.
    package var name: String
    package var result: ReportCase.Outcome.Word
    /// Document seconds; of a rule how long it was broken in a row at most.
    package var duration: Double
    /// The document seconds that it was given; `nil` where it may take any time, or takes all of it when all is well.
    package var limit: Double?
    package var attempts: Int
    /// How near values were to their limits.
    package var margins: [EventKind.Margin]
    /// The fields that it waited for to the end.
    package var waitedFor: [String]

    package init(
      section: String = "steps", name: String, result: ReportCase.Outcome.Word, duration: Double, limit: Double? = nil,
      attempts: Int = 1, margins: [EventKind.Margin] = [], waitedFor: [String] = []
    ) {
      (self.section, self.name, self.result) = (section, name, result)
      (self.duration, self.limit, self.attempts) = (duration, limit, attempts)
      (self.margins, self.waitedFor) = (margins, waitedFor)
    }

    /// How near a rule of `watch` came to being broken.
    fileprivate init(_ rule: EventKind.RuleMargins) {
      let inARow = rule.margins.first { $0.subject == .timeBrokenInARow }
      self.init(
        section: ReportCase.rules, name: rule.title, result: .passed, duration: inARow?.used ?? 0, limit: inARow?.room,
        margins: rule.margins.filter { $0.subject != .timeBrokenInARow })
    }

    fileprivate init(_ one: ReportCase) {
      self.init(
        section: one.section, name: one.name, result: one.outcome.word, duration: one.duration, limit: one.limit,
        attempts: one.attempts, margins: one.outcome.word == .passed ? one.margins : [],
        waitedFor: one.outcome.word == .passed ? one.waitedFor : [])
    }
  }

  /// How many steps of a run are kept; of a loop's repeats there is only the whole.
  package static let stepLimit = 5000
}

extension RunSummary {
  /// What is kept of the events of one run.
  package init(_ results: RunResults) {
    var room = Self.stepLimit
    // What somebody ended by hand says nothing of the device.
    let exit = results.finished.flatMap { RunExit(rawValue: Int32(clamping: $0.exit)) }
    let wasStopped = exit == .interrupted || exit == .terminated
    let pace = results.run.speed.map { "\($0.decimals(3))x" }
    self.init(
      run: results.run.run, startedAt: results.startedAt, exitCode: results.finished?.exit,
      scenarios: results.suites.prefix(Self.stepLimit).map { suite in
        let told = suite.cases.filter { one in
          (one.isStep || one.section == ReportCase.rules) && !one.isTaken && !(wasStopped && one.outcome.word.isBad)
        }
        // A rule that was judged for a part of the scenario only did not hold all of it.
        let rules = suite.result?.isGood == true ? suite.rules : []
        let steps = (told.map(Step.init) + rules.map(Step.init)).prefix(room)
        room -= steps.count
        let notes = [suite.isVirtual ? "virtual" : nil, pace].compactMap(\.self).joined(separator: ", ")
        return Scenario(
          key: Key(
            document: suite.document, device: suite.deviceText + (notes.isEmpty ? "" : " (\(notes))"),
            row: suite.rowValues),
          file: suite.file, firmware: suite.firmware,
          result: wasStopped && suite.result?.isGood != true ? nil : suite.result,
          startedAt: suite.startedAt,
          duration: suite.duration, steps: Array(steps))
      })
  }
}

extension Verb {
  /// Whether a step passes when its time is over, so that its duration says nothing about how close it was to failing.
  var takesAllItsTime: Bool { [.wait, .always, .never].contains(self) }
}
