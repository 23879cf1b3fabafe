import CastProtocol

/// Looks for a script under which a document goes wrong in a way that it must not.
package struct Search: Sendable {
  package let subjects: [Subject]
  private let lengths: [Double]
  private let checkers: @Sendable (Trace) -> Finding?

  /// - Parameter finding: Says what is wrong with a run.
  /// - Throws: Where a document does not even run where nothing goes wrong.
  package init(
    _ subjects: [Subject], finding: @escaping @Sendable (Trace) -> Finding? = Checkers.finding
  ) throws {
    self.subjects = subjects
    checkers = finding
    lengths = try subjects.map(SearchedRun.usualLength)
  }

  /// A run that went wrong.
  package struct Failure: Sendable {
    package var subject: Subject
    package var script: FaultScript
    package var finding: Finding

    package init(subject: Subject, script: FaultScript, finding: Finding) {
      self.subject = subject
      self.script = script
      self.finding = finding
    }
  }

  /// The numbers that a search with this seed goes through: nothing that the next seed goes through, too.
  package static func number(_ index: Int, of seed: UInt64) -> UInt64 {
    var dice = SeededGenerator(seed: seed.mixed(with: "\(index)"))
    return dice.next() >> 20
  }

  /// The document and the script of a number, which is the seed of the run, too.
  package func drawn(_ number: UInt64) -> (subject: Subject, script: FaultScript) {
    var dice = SeededGenerator(seed: number)
    let index = dice.next(below: subjects.count)
    return (subjects[index], script(number, of: index))
  }

  /// The script of a number for one document.
  package func script(_ number: UInt64, of index: Int) -> FaultScript {
    var drawing = ScriptDrawing(seed: number.mixed(with: subjects[index].name), length: lengths[index])
    return drawing.script(seed: number)
  }

  /// Runs the script of a number.
  /// - Parameter twice: Whether it is run again, to see whether the same happens.
  package func fails(_ number: UInt64, twice: Bool = false) -> Failure? {
    let (subject, script) = drawn(number)
    return finding(subject, script, twice: twice).map { Failure(subject: subject, script: script, finding: $0) }
  }

  /// What is wrong with one run.
  package func finding(_ subject: Subject, _ script: FaultScript, twice: Bool = false) -> Finding? {
    do {
      let run = SearchedRun(subject, script)
      let trace = try run.trace()
      if let found = checkers(trace) { return found }
      if twice, try run.trace().text != trace.text {
        return Finding(checker: "seed", problem: "the same seed told other events the second time")
      }
      return nil
    } catch {
      return Finding(checker: "script", problem: "\(error)")
    }
  }

  /// The same failure with as few parts as it takes: each is left out in turn while the same checker finds something.
  /// - Parameter begins: Called before each try.
  package func shrunk(_ failure: Failure, begins: () -> Void = {}) -> Failure {
    var failure = failure
    var index = 0
    while index < failure.script.parts.count {
      var script = failure.script
      script.parts.remove(at: index)
      begins()
      let found = finding(failure.subject, script, twice: failure.finding.checker == "seed")
      if let found, found.checker == failure.finding.checker {
        failure.script = script
        failure.finding = found
        index = 0
      } else {
        index += 1
      }
    }
    return failure
  }
}
