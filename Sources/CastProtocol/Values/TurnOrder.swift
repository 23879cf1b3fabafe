/// Decides who may go on: at most `limit` at a time, never two that need the same, and of those the one that came first.
///
/// An entry whose needs are free does not wait for earlier entries that still wait.
package struct TurnOrder: Sendable {
  private struct Entry: Sendable {
    var id: Int
    var needs: Set<String>
  }

  private let limit: Int
  /// In the order in which they came.
  private var waiting: [Entry] = []
  private var going: [Entry] = []
  private var lastID = 0

  /// - Parameter limit: How many may go at a time, at least 1.
  package init(limit: Int = .max) { self.limit = max(1, limit) }

  /// Somebody comes who needs these for itself.
  /// - Returns: Its number.
  package mutating func enter(needing needs: Set<String>) -> Int {
    lastID += 1
    waiting.append(Entry(id: lastID, needs: needs))
    return lastID
  }

  /// Those who may go on now, in the order in which they came; each is told once.
  package mutating func begin() -> [Int] {
    var begun: [Int] = []
    var taken = going.reduce(into: Set<String>()) { $0.formUnion($1.needs) }
    waiting.removeAll { entry in
      let isFree = taken.isDisjoint(with: entry.needs)
      taken.formUnion(entry.needs)
      guard isFree, going.count < limit else { return false }
      going.append(entry)
      begun.append(entry.id)
      return true
    }
    return begun
  }

  /// Somebody is done, or waits no longer.
  package mutating func leave(_ id: Int) {
    waiting.removeAll { $0.id == id }
    going.removeAll { $0.id == id }
  }

  package func isGoing(_ id: Int) -> Bool { going.contains { $0.id == id } }
}
