import ScenarioLanguage

/// `--shard 2/5`: one of several parts of all that a command line runs, so that several computers may run it.
///
/// Scenarios are dealt out like cards: the first to the first part, the second to the second. So the parts have no
/// scenario twice and leave none out, and are of about one size; which part one is in depends on nothing but its place
/// among all, in the order of the documents, of their rows, and of repeats.
package struct RunShard: Hashable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int
  static let mostParts = 10_000

  /// A part such as `2/5`; `nil` where the text is none.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1, count <= Self.mostParts,
      (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  package var text: String { "\(number)/\(count)" }

  /// Whether the scenario at a place among all, from 0, is in this part.
  func has(_ place: Int) -> Bool { place % count == number - 1 }

  /// Leaves of documents what is in this part.
  /// - Parameter repeats: How often each row is run.
  /// - Returns: How many scenarios there are in all parts and in this one.
  package func choose(
    from documents: inout [PreparedDocument], repeats: Int
  ) -> (all: Int, own: Int) {
    var (place, own) = (0, 0)
    var kept: [PreparedDocument] = []
    for var document in documents {
      var (rows, numbers): ([Int], [[Int]]) = ([], [])
      for row in document.runnable.rows.indices {
        let chosen = (1...max(1, repeats)).filter { has(place + $0 - 1) }
        place += max(1, repeats)
        if chosen.isEmpty { continue }
        rows.append(row)
        numbers.append(chosen)
        own += chosen.count
      }
      guard let runnable = document.runnable.withRows(at: rows) else { continue }
      document.hasChosenRows = document.hasChosenRows || rows.count < document.runnable.rows.count
      document.runnable = runnable
      document.chosenRepeats = numbers
      kept.append(document)
    }
    documents = kept
    return (place, own)
  }
}
