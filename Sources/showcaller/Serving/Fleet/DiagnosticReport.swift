import CastProtocol
import ScenarioLanguage
import Synchronization

/// Problems of a document as `check --format json` writes them, for whoever gave it.
enum DiagnosticReport {
  private static let most = 50

  /// - Parameter folder: The site's own, which nobody else needs to know.
  static func json(_ diagnostics: [Diagnostic], _ sources: [SourceFile], in folder: String) -> [JSONValue] {
    let file = sources.first?.name ?? ""
    let result = CheckResult(
      file: file, identity: nil, diagnostics: Array(diagnostics.prefix(most)), sources: sources)
    var format = JSONCheckFormat(tool: ShowcallerCommand.name)
    let text = "[\(format.add(result))]".replacing("\(folder)/", with: "")
    return (try? JSONValue(parsing: Array(text.utf8)))?.array ?? []
  }
}

/// What a loader tells, kept for a report.
final class HeardProblems: Sendable {
  private let heard = Mutex<(diagnostics: [Diagnostic], sources: [SourceFile])>(([], []))

  var all: (diagnostics: [Diagnostic], sources: [SourceFile]) { heard.withLock { $0 } }

  func add(_ diagnostics: [Diagnostic], _ sources: [SourceFile]) {
    heard.withLock { heard in
      heard.diagnostics += diagnostics
      heard.sources += sources
    }
  }
}
