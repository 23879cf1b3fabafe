import Synchronization

/// A report of several documents that are run one after the other, in one file.
package protocol SeriesReport: Sendable {
  /// What takes the events of the next document's run.
  /// - Parameters:
  ///   - run: The run's id.
  ///   - sources: What it is made from besides its events.
  func begin(run: String, sources: ReportSources) -> any RunReport

  /// Says of a document that it was not run.
  func record(_ notice: RunNotice)

  /// Writes what is still to be written when all is over.
  func finish(_ verdict: SeriesVerdict)
}

/// A report that is written as events come: the documents' own reports follow each other.
package final class ConsecutiveReport: SeriesReport {
  private let part: @Sendable (_ run: String, _ sources: ReportSources) -> any RunReport
  private let notice: @Sendable (RunNotice) -> String
  private let ending: @Sendable (SeriesVerdict) -> String
  private let write: ReportKind.Write

  /// - Parameters:
  ///   - part: Makes the report of one document.
  ///   - notice: What is said of a document that is not run.
  ///   - ending: What is said at the end.
  package init(
    writingTo write: @escaping ReportKind.Write,
    part: @escaping @Sendable (_ run: String, _ sources: ReportSources) -> any RunReport,
    notice: @escaping @Sendable (RunNotice) -> String = { _ in "" },
    ending: @escaping @Sendable (SeriesVerdict) -> String = { _ in "" }
  ) {
    self.write = write
    self.part = part
    self.notice = notice
    self.ending = ending
  }

  package func begin(run: String, sources: ReportSources) -> any RunReport { part(run, sources) }
  package func record(_ notice: RunNotice) { tell(self.notice(notice)) }
  package func finish(_ verdict: SeriesVerdict) { tell(ending(verdict)) }

  private func tell(_ text: String) {
    // What cannot be written, the file itself remembers.
    if !text.isEmpty { try? write(text) }
  }
}
