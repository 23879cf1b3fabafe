import Synchronization

extension ReportKind {
  package static let json = ReportKind(
    name: "json", summary: "every event as a JSON object on a line",
    make: { _, write in JSONLinesReport(writingTo: write) })
}

/// Writes one JSON object per event, each line at once, so that a killed run is readable up to its last event.
package final class JSONLinesReport: RunReport {
  private let write: @Sendable (String) throws -> Void
  private let failure = Mutex<(any Error)?>(nil)

  /// `write` gets one whole line with its end and must pass it on before it returns.
  package init(writingTo write: @escaping @Sendable (String) throws -> Void) { self.write = write }

  package func record(_ event: Event) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do { try write(EventRecord(event).jsonLine + "\n") } catch { failure = error }
    }
  }

  /// Why the stream stopped; `nil` while all is well. After a failure nothing more is written.
  package var writeError: (any Error)? { failure.withLock { $0 } }
}
