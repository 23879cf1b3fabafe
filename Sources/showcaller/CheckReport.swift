import ArgumentParser
import Glibc
import ScenarioLanguage
import Workspace

/// Writes what a check finds as it comes, and decides its exit code at the end.
struct CheckReport {
  /// So many problems of included files are remembered as told.
  private static let rememberedLimit = 10_000

  private var format: any CheckFormat
  private var summary = CheckSummary()
  private var progress: CheckProgress
  private var done = 0
  private var toldElsewhere: Set<Diagnostic> = []
  /// Why standard output is not whole.
  private var failure: FileError?

  init(format: any CheckFormat, total: Int) {
    self.format = format
    progress = CheckProgress(total: total)
  }

  mutating func begin() { write(format.begin()) }

  mutating func add(_ outcome: CheckOutcome) {
    switch outcome {
    case .checked(var result):
      summary.add(result)
      // What is wrong with a library is told with the first document that includes it.
      result.diagnostics.removeAll { problem in
        guard problem.primary.span.file != result.file, toldElsewhere.count < Self.rememberedLimit else { return false }
        return !toldElsewhere.insert(problem).inserted
      }
      write(format.add(result))
    case .skipped(let file): summary.skipped.append(file)
    case .unreadable(let file):
      summary.unreadable.append(file)
      progress.clear()
      Terminal.tell(file.message, help: file.help)
    }
    done += 1
    progress.show(done)
  }

  /// Tells on a terminal how far something is that takes long.
  mutating func show(_ line: String) { progress.show(line) }

  /// - Throws: Exit code 2 when a file could not be read or the output not be written, 3 when a document is invalid.
  mutating func end(isStrict: Bool, files: [String]) throws {
    write(format.end(summary))
    progress.clear()
    // A reader that went away has seen enough; a full disk has not.
    if let failure, failure.code != EPIPE {
      throw CommandFailure(
        .commandLineWrong, "cannot write standard output: \(failure.message)",
        help: "the check is not complete")
    }
    if !summary.unreadable.isEmpty { throw ExitCode.commandLineWrong }
    if summary.documents == 0 {
      throw CommandFailure(
        .commandLineWrong, "no documents in \(files.map(TerminalText.escaped).joined(separator: ", "))",
        help: "documents begin with `scenario:`, `playlist:` or `library:`")
    }
    if summary.invalid > 0 || isStrict && summary.warnings > 0 { throw ExitCode.documentInvalid }
  }

  private mutating func write(_ text: String) {
    if text.isEmpty || failure != nil { return }
    progress.clear()
    failure = StandardStream.output.write(text)
  }
}

/// How checking one file ended.
enum CheckOutcome: Sendable {
  case checked(CheckResult)
  /// Found in a folder, and no document of ours.
  case skipped(String)
  case unreadable(CheckSummary.Unreadable)
}
