package import ScenarioLanguage

extension Code {
  /// How the process ends where the code ends a run or a check.
  package var exit: RunExit {
    guard family == .run else { return .documentInvalid }
    return ErrorClass.allCases.first { $0.code == self }?.exit ?? .stepFailed
  }
}
