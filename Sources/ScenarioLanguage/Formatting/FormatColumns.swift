/// Columns that an author made with spaces, as in a table of flow maps: they outlast formatting.
///
/// Parts that begin in the same column of neighbouring lines with the same indentation, behind as many open brackets,
/// are one column when a space more than needed stands before one of them. It begins as far to the left as its parts
/// allow.
enum FormatColumns {
  /// A part of a line with a space before it.
  struct Cell {
    /// Where the space is, in bytes of the line.
    var offset: Int
    /// The same in Unicode scalars.
    var width: Int
    /// The column in the source.
    var source: Int
    /// How many spaces stood there.
    var space: Int
    /// How many brackets are open.
    var depth: Int
  }

  struct Row {
    var indent: Int
    /// From left to right.
    var cells: [Cell]
  }

  private struct Place {
    var row: Int
    var cell: Int
    var source: Int
    var depth: Int
  }

  /// How many spaces more each cell needs.
  static func paddings(of rows: [Row]) -> [[Int]] {
    var result = rows.map { Array(repeating: 0, count: $0.cells.count) }
    // What each line has been widened by so far: columns are settled from left to right.
    var widened = Array(repeating: 0, count: rows.count)
    var places: [Place] = []
    for (row, line) in rows.enumerated() {
      for (cell, part) in line.cells.enumerated() {
        places.append(Place(row: row, cell: cell, source: part.source, depth: part.depth))
      }
    }
    places.sort { ($0.source, $0.depth, $0.row) < ($1.source, $1.depth, $1.row) }
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, isBelow(places[end], places[end - 1], rows) { end += 1 }
      let column = places[start..<end]
      if column.count > 1, column.contains(where: { rows[$0.row].cells[$0.cell].space > 1 }) {
        let begin = column.map { rows[$0.row].cells[$0.cell].width + widened[$0.row] }.max() ?? 0
        for place in column {
          let missing = begin - rows[place.row].cells[place.cell].width - widened[place.row]
          result[place.row][place.cell] = missing
          widened[place.row] += missing
        }
      }
      start = end
    }
    return result
  }

  private static func isBelow(_ place: Place, _ other: Place, _ rows: [Row]) -> Bool {
    place.source == other.source && place.depth == other.depth && place.row == other.row + 1
      && rows[place.row].indent == rows[other.row].indent
  }
}
