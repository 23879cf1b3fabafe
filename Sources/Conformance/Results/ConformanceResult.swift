/// What one check came to on one device.
package struct ConformanceResult: Hashable, Sendable {
  /// Its verdict in a word.
  package enum Verdict: String, CaseIterable, Sendable {
    case passed
    /// The device did something else.
    case failed
    /// It could not be judged: the connection broke, or another sender took the device.
    case error
    /// The device cannot do what it is about.
    case skipped
    /// It was not begun: the time was over, or somebody asked for an end.
    case notRun = "not run"

    /// Whether the device was judged.
    package var isJudged: Bool { self == .passed || self == .failed }
  }

  /// Something that was observed, whatever the verdict.
  package struct Observation: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package var id: String
  package var verdict: Verdict
  /// Why it did not pass; `nil` where it did.
  package var reason: String?
  package var observed: [Observation]

  package init(_ id: String, _ verdict: Verdict, reason: String? = nil, observed: [Observation] = []) {
    (self.id, self.verdict, self.reason, self.observed) = (id, verdict, reason, observed)
  }
}

extension ConformanceResult {
  /// Takes what a device did, as the facts of its check.
  package mutating func observe(_ messages: [ObservedMessage], for check: ConformanceCheck) {
    observed = check.facts.compactMap { fact in
      fact.value(in: messages).map { Observation(fact.rawValue, $0) }
    }
  }
}
