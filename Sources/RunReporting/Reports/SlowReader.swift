/// The notice for a reader that was too slow: lines were left out.
package enum SlowReader {
  /// A line without its end.
  package static func note(lines: Int) -> String {
    "\(lines) \(lines == 1 ? "line was" : "lines were") not shown: the reader is slow"
  }
}
