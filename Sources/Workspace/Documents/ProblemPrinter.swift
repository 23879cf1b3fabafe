import ScenarioLanguage
import Synchronization

/// Tells the problems of several documents, and what concerns more than one of them once.
final class ProblemPrinter: Sendable {
  private struct State {
    var told: Set<Diagnostic> = []
    /// Variables of files of `--vars` that a document does not have, and how many do not have them.
    var strangers: [(problem: Diagnostic, sources: [SourceFile], count: Int)] = []
    var needsGap = false
  }

  private let variableFiles: Set<String>
  private let messages: MessageOutput
  private let state = Mutex(State())

  /// - Parameter variableFiles: Those of `--vars`, which not every document needs to have all variables of.
  init(variableFiles: [String], to messages: MessageOutput) {
    self.variableFiles = Set(variableFiles)
    self.messages = messages
  }

  /// Tells what is wrong with the document that `sources` begins with.
  func tell(_ problems: [Diagnostic], _ sources: [SourceFile]) {
    let own = sources.first?.name
    let new = state.withLock { state in
      problems.filter { problem in
        let file = problem.primary.span.file
        if problem.severity == .warning, variableFiles.contains(file) {
          if let known = state.strangers.firstIndex(where: { $0.problem.primary.span == problem.primary.span }) {
            state.strangers[known].count += 1
          } else {
            state.strangers.append((problem, sources, 1))
          }
          return false
        }
        return file == own || state.told.insert(problem).inserted
      }
    }
    print(new, sources)
  }

  /// Tells of the variables that not one of the documents has.
  func tellStrangers(among documents: Int) {
    for (problem, sources, count) in state.withLock({ $0.strangers }) where count == documents {
      print([problem], sources)
    }
  }

  private func print(_ problems: [Diagnostic], _ sources: [SourceFile]) {
    if problems.isEmpty { return }
    let needsGap = state.withLock { state in
      defer { state.needsGap = true }
      return state.needsGap
    }
    if needsGap { messages.say("") }
    messages.tellProblems(problems, sources)
  }
}
