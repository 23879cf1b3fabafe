import CastProtocol

/// Looks for a script under which a fleet goes wrong in a way that it must not.
package enum FleetSearch {
  /// What it is called beside the names of documents.
  package static let name = "fleet"

  /// What is wrong with one run.
  /// - Parameter twice: Whether it is run again, to see whether the same happens.
  package static func finding(_ script: FleetScript, twice: Bool = false) -> Finding? {
    do {
      let trace = try FleetRun(script).trace()
      if let found = trace.finding { return found }
      if twice, try FleetRun(script).trace().text != trace.text {
        return Finding(checker: "seed", problem: "the same seed told other events the second time")
      }
      return nil
    } catch {
      return Finding(checker: "script", problem: "\(error)")
    }
  }

  /// The same failure with as few parts as it takes.
  package static func shrunk(_ script: FleetScript, _ finding: Finding, begins: () -> Void = {}) -> (
    FleetScript, Finding
  ) {
    var (script, finding, index) = (script, finding, 0)
    while index < script.parts.count {
      var smaller = script
      smaller.parts.remove(at: index)
      begins()
      if let found = Self.finding(smaller, twice: finding.checker == "seed"), found.checker == finding.checker {
        (script, finding, index) = (smaller, found, 0)
      } else {
        index += 1
      }
    }
    return (script, finding)
  }
}
