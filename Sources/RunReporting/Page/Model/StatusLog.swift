import CastProtocol

/// The statuses of one device, each as what it changed, in words.
///
/// What all logs of a page may cost is counted. Where it is too much, ``thin()`` puts neighbours together: what the
/// first changed is then told at the second.
struct StatusLog: Sendable {
  struct Row: Hashable, Sendable {
    /// Document seconds since the run began.
    var time: Double
    /// The fields with another value, by name, in words.
    var set: [(name: String, text: String)]
    /// The fields that are gone.
    var unset: [String]
    var isPolled = false
    /// How many statuses it stands for.
    var count = 1

    /// About how many bytes it is on the page.
    var cost: Int {
      self.set.reduce(48) { $0 + $1.name.utf8.count + $1.text.utf8.count + 9 }
        + unset.reduce(0) { $0 + $1.utf8.count + 7 }
    }

    /// The row, as the one after `earlier`, which is left out.
    func joined(to earlier: Row) -> Row {
      var row = self
      row.set = earlier.set.filter { old in !set.contains { $0.name == old.name } && !unset.contains(old.name) } + set
      row.unset = earlier.unset.filter { old in !unset.contains(old) && !set.contains { $0.name == old } } + unset
      row.count += earlier.count
      row.isPolled = isPolled && earlier.isPolled
      return row
    }

    static func == (left: Row, right: Row) -> Bool {
      left.time == right.time && left.unset == right.unset && left.count == right.count
        && left.isPolled == right.isPolled
        && left.set.elementsEqual(right.set) { $0.name == $1.name && $0.text == $1.text }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(time) }
  }

  private(set) var rows: [Row] = []
  /// About how many bytes it is on the page.
  private(set) var cost = 0
  /// How many statuses there were.
  private(set) var count = 0

  mutating func add(_ row: Row) {
    rows.append(row)
    cost += row.cost
    count += row.count
  }

  /// Makes it half as large, at most: rows that are close to each other are told together. The first stays as it is.
  mutating func thin() {
    guard rows.count > 3, let first = rows.first, let last = rows.last else { return }
    let goal = cost / 2
    grain = max(grain, (last.time - first.time) / Double(rows.count), 0.001)
    while cost > goal, rows.count > 3, grain.isFinite {
      grain *= 2
      rows = Self.joined(rows, closerThan: grain)
      cost = rows.reduce(0) { $0 + $1.cost }
    }
  }

  /// How long rows are told together, in seconds.
  private var grain = 0.0

  private static func joined(_ rows: [Row], closerThan grain: Double) -> [Row] {
    var result = Array(rows.prefix(1))
    // Since when the last row of the result tells.
    var since = -Double.infinity
    for row in rows.dropFirst() {
      if row.time - since < grain, let last = result.popLast() {
        result.append(row.joined(to: last))
      } else {
        since = row.time
        result.append(row)
      }
    }
    return result
  }
}
