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
      key: Key, file: String, result: RunVerdict?, startedAt: Double, duration: Double,
      steps: [Step]
    ) {
      (self.key, self.file, self.result) = (key, file, result)
      (self.startedAt, self.duration, self.steps) = (startedAt, duration, steps)
    }
  }

  /// One of the document's own steps.
  package struct Step: Hashable, Sendable {
    /// `steps`, `setup` and so on.
    package var section: String
    /// `s3 expect position`.
    package var name: String
    package var result: ReportCase.Outcome.Word
    /// Document seconds.
    package var duration: Double
    /// The document seconds that it was given; `nil` where it may take any time, or takes all of it when all is well.
    package var limit: Double?
    package var attempts: Int

    package init(
      section: String = "steps", name: String, result: ReportCase.Outcome.Word, duration: Double, limit: Double? = nil,
      attempts: Int = 1
    ) {
      (self.section, self.name, self.result) = (section, name, result)
      (self.duration, self.limit, self.attempts) = (duration, limit, attempts)
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
        let told = suite.cases.filter { $0.isStep && !$0.isTaken && !(wasStopped && $0.outcome.word.isBad) }
        let steps = told.prefix(room)
        room -= steps.count
        let notes = [suite.isVirtual ? "virtual" : nil, pace].compactMap(\.self).joined(separator: ", ")
        return Scenario(
          key: Key(
            document: suite.document, device: suite.deviceText + (notes.isEmpty ? "" : " (\(notes))"),
            row: suite.rowValues),
          file: suite.file, result: wasStopped && suite.result?.isGood != true ? nil : suite.result,
          startedAt: suite.startedAt,
          duration: suite.duration,
          steps: steps.map {
            Step(
              section: $0.section, name: $0.name, result: $0.outcome.word, duration: $0.duration, limit: $0.limit,
              attempts: $0.attempts)
          })
      })
  }
}

/// Gathers what is kept of a run from its events.
package struct RunSummaryReader: Sendable {
  private var transcript = RunTranscript()

  package init() {}

  /// Takes the next event.
  package mutating func record(_ event: Event) { transcript.record(event) }

  /// `nil` where no run began.
  package var summary: RunSummary? {
    transcript.run.run.isEmpty ? nil : RunSummary(RunResults(transcript))
  }
}

extension Verb {
  /// Whether a step passes when its time is over, so that its duration says nothing about how close it was to failing.
  var takesAllItsTime: Bool { [.wait, .waitUntil, .always, .never].contains(self) }
}
