import Synchronization

extension ReportKind {
  package static let json = ReportKind(
    name: "json", summary: "every event as a JSON object on a line",
    make: { _, write in JSONLinesReport(writingTo: write) },
    makeForSeveral: { write in
      ConsecutiveReport(writingTo: write, part: { run, _ in JSONLinesReport(of: run, writingTo: write) })
    })
}

/// Writes one JSON object per event, each line at once, so that a killed run is readable up to its last event.
package final class JSONLinesReport: RunReport {
  private let write: @Sendable (String) throws -> Void
  private let run: String?
  private let failure = Mutex<(any Error)?>(nil)

  /// `write` gets one whole line with its end and must pass it on before it returns.
  /// - Parameter run: The run that every line names, where lines of several follow each other.
  package init(of run: String? = nil, writingTo write: @escaping @Sendable (String) throws -> Void) {
    self.run = run
    self.write = write
  }

  package func record(_ event: Event) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do { try write(EventRecord(event).jsonLine(of: run) + "\n") } catch { failure = error }
    }
  }

  /// Why the stream stopped; `nil` while all is well. After a failure nothing more is written.
  package var writeError: (any Error)? { failure.withLock { $0 } }
}
