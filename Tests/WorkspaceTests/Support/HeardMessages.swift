import ScenarioLanguage
import Synchronization

@testable import Workspace

/// What was said to a person in a test: a line each, of problems the code and the file.
final class HeardMessages: Sendable {
  private let heard = Mutex<[String]>([])

  var lines: [String] { heard.withLock { $0 } }

  var output: MessageOutput {
    MessageOutput(
      tellProblems: { problems, _ in
        self.heard.withLock { $0 += problems.map { "\($0.code) \($0.primary.span.file)" } }
      },
      tellFailure: { failure in self.heard.withLock { $0.append("error: \(failure.message)") } },
      say: { line in self.heard.withLock { $0.append(line) } })
  }
}

extension Surroundings {
  /// As ``living(in:at:_:)``, with somebody who hears what is said.
  static func living(in folder: TemporaryFolder, heardBy messages: HeardMessages) -> Surroundings {
    var surroundings = living(in: folder)
    surroundings.messages = messages.output
    return surroundings
  }
}
