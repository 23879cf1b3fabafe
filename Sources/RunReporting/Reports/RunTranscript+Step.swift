package import CastProtocol
import ScenarioLanguage

extension RunTranscript {
  package struct Step: Sendable {
    package var id: String
    /// The device it is about; `nil` where it is about none of several.
    package var device: String? = nil
    package var section: StepSection
    package var name: String
    /// `nil` where no event tells it.
    package var verb: String?
    /// Where it begins.
    package var place: SourcePlace
    /// Document seconds since the run began.
    package var startedAt: Double
    package var deadline: Double?
    /// The seconds that it was given; `nil` where it may take any time, or takes all of it when all is well.
    package var limit: Double?
    package var failedAttempts: [EventKind.AttemptFailed] = []
    /// The last expectation that failed.
    package var failedExpectation: EventKind.Expectation?
    /// The last expectation that held.
    package var passedExpectation: EventKind.Expectation?
    /// What `save` kept, by name.
    package var saved: JSONObject?
    /// Seconds between the first and the last of several devices that came to what was expected of all of them.
    package var skew: Double?
    /// It did not fail by itself: a monitor's failure ended it.
    package var isStoppedByMonitor = false
    /// The statuses seen while it ran, the last ``statusLimit`` of them.
    package var statuses: [SeenStatus] = []
    package var polledStatuses = 0
    /// What a receiver page showed of its failure, the last ``statusLimit`` of it.
    package private(set) var pageEvidence: [PageEvidence] = []
    /// The last messages of its device when it failed.
    package var messages: [EventKind.KeptMessage] = []
    /// It failed when there was no room for ``messages`` any more.
    package var lacksMessages = false
    /// The faults of virtual receivers that came before it ended, a line each; only of one that did not pass at once.
    package var faultLines: [String] = []
    /// `nil` while it runs.
    package var result: StepResult?
    package var reason: String?
    package var attempts = 1
    package var duration = 0.0
    /// Its failure does not count (`if_fails: ignore`).
    package var isIgnored = false
    /// What a resumed run did with it.
    package var resumed: EventKind.StepFinished.Resumption?
    /// A part of what it holds was done in the run before, so that its time is not that of the whole.
    package var isPartlyTaken = false
    /// The step that holds it, where one does, and the pass of a loop.
    package var parent: String?
    package var pass: Int?
    /// How many steps inside it began, and how many were no failures.
    package var inner = 0
    package var innerGood = 0
    /// Steps inside it that failed, the last ``failureLimit`` of them.
    package var failures: [Step] = []

    /// `0.052s apart`.
    package var skewText: String? { skew.map { "\($0.decimals(3))s apart" } }

    /// What a resumed run did with it, in words.
    package var resumedText: String? { resumed?.text }

    /// Why it failed, where no expectation says it; `fail` says it by its name alone.
    package var shownReason: String? { reason ?? failedAttempts.last?.error.message }

    /// ``pageEvidence``, a line each.
    package var pageLines: [String] {
      pageEvidence.map { evidence in
        switch evidence {
        case .error(let text): "page      \(text)"
        case .picture(let path): "picture   \(path)"
        }
      }
    }

    mutating func see(_ evidence: PageEvidence) {
      pageEvidence.append(evidence)
      if pageEvidence.count > RunTranscript.statusLimit { pageEvidence.removeFirst() }
    }

    /// The innermost step that failed: the cause of its failure.
    package var rootCause: Step {
      var step = self
      while let inner = step.failures.last(where: { !$0.isIgnored }) { step = inner }
      return step
    }
  }

  /// What a receiver page that runs in a browser of ours shows of a failure.
  package enum PageEvidence: Hashable, Sendable {
    /// A console error or exception of the page, on one line.
    case error(String)
    /// The path of a picture in the run's folder.
    case picture(String)
  }

  /// The merged status as of one event.
  package struct SeenStatus: Sendable {
    package var elapsed: Double
    package var isPolled: Bool
    package var values: JSONObject
  }
}

extension RunTranscript.Step {
  init(_ started: EventKind.StepStarted, _ event: Event) {
    self.init(event, section: started.section, name: started.name, place: started.place, deadline: started.deadline)
    (verb, parent, pass) = (started.verb, started.parent, started.pass)
    if Verb(rawValue: started.verb)?.takesAllItsTime != true { limit = deadline.map { $0 - startedAt } }
  }

  init(_ finished: EventKind.StepFinished, _ event: Event) {
    self.init(event, section: finished.section, name: finished.name ?? "", place: finished.place, deadline: nil)
    (verb, parent, pass) = (finished.verb, finished.parent, finished.pass)
  }

  private init(_ event: Event, section: StepSection, name: String, place: SourcePlace?, deadline: Double?) {
    self.init(
      id: event.step ?? "", device: event.device, section: section, name: name,
      place: place ?? SourcePlace(file: "", line: 0, column: 0), startedAt: event.elapsed, deadline: deadline)
  }

  /// Whether it is the one that an event names.
  func isOf(_ event: Event) -> Bool { id == event.step && device == event.device }

  /// Takes what it came to.
  /// - Parameter faultLines: The faults that came before.
  mutating func finish(_ finished: EventKind.StepFinished, after faultLines: [String]) {
    result = finished.result
    self.faultLines = faultLines
    reason = finished.reason
    attempts = finished.attempts ?? 1
    duration = finished.duration ?? 0
    isIgnored = finished.isIgnored
    resumed = finished.resumed
    isStoppedByMonitor = finished.stoppedBy == .monitor
    saved = finished.saved ?? saved
  }
}
