import Dispatch
import RunReporting

/// A report that nobody asked for, at the end of a file that is others', too: whether it can be written changes nothing.
final class UnaskedReport: ReportDestination {
  private let kind: ReportKind
  private let file: ReportFile?

  /// - Parameter file: `nil` where it could not be opened.
  init(_ kind: ReportKind, _ file: ReportFile?) { (self.kind, self.file) = (kind, file) }

  func write(_ text: String) {
    // A heading of Markdown needs a line of its own, whatever stands before.
    file?.write(kind == .markdown ? "\n" + text : text)
  }

  func close(until deadline: DispatchTime) -> String? {
    _ = file?.close(until: deadline)
    return nil
  }
}
