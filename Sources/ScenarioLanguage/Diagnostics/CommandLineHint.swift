/// What cures a problem where its words stand on a command line.
package enum CommandLineHint: Hashable, Sendable {
  /// What cures it in a document.
  case same
  /// The cure is one of documents.
  case nothing
  case other(String)
}

extension Diagnostic {
  /// The same problem with another cure on a command line; `nil`: with none.
  func onCommandLine(_ help: String?) -> Diagnostic {
    var problem = self
    problem.commandLineHint = help.map { .other($0) } ?? .nothing
    return problem
  }

  /// The problem as it is told where its words stand on a command line: no other line of a document belongs to it.
  var forCommandLine: Diagnostic {
    var problem = self
    problem.related = []
    switch commandLineHint {
    case .same: break
    case .nothing: problem.footers.removeAll { if case .help = $0 { true } else { false } }
    case .other(let help): problem.footers = [.help(help)]
    }
    return problem
  }
}

extension ScalarProblem {
  /// The same problem with another cure on a command line; `nil`: with none.
  func onCommandLine(_ help: String?) -> ScalarProblem {
    var problem = self
    problem.commandLineHint = help.map { .other($0) } ?? .nothing
    return problem
  }
}
