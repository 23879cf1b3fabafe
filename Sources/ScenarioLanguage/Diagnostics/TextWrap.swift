/// Lines for a terminal of few columns, broken at spaces.
package enum TextWrap {
  /// `line` in pieces of at most `width` cells, those after the first behind `hanging` spaces.
  ///
  /// A word that is wider alone stays whole, so that it can be copied: the terminal breaks it.
  package static func lines(_ line: String, width: Int, hanging: Int) -> [String] {
    let margin = String(repeating: " ", count: min(hanging, max(0, width / 2)))
    var result: [String] = []
    var rest = Array(line.unicodeScalars)
    while DisplayWidth.of(rest) > width {
      guard let end = breakPoint(rest, width: width) else { break }
      result.append(text(rest[..<end]))
      rest = Array(margin.unicodeScalars) + rest[end...].drop { $0 == " " }
    }
    return result + [text(rest[...])]
  }

  /// The last space with a word in front of it that fits, else the first one behind a word.
  private static func breakPoint(_ scalars: [Unicode.Scalar], width: Int) -> Int? {
    guard let word = scalars.firstIndex(where: { $0 != " " }) else { return nil }
    var found: Int?
    var cells = 0
    for (index, scalar) in scalars.enumerated() {
      if scalar == " ", index > word, scalars[index - 1] != " " {
        if cells <= width { found = index } else { return hasWord(scalars, after: index) ? found ?? index : found }
      }
      cells += DisplayWidth.of(scalar)
    }
    return found.flatMap { hasWord(scalars, after: $0) ? $0 : nil }
  }

  private static func hasWord(_ scalars: [Unicode.Scalar], after index: Int) -> Bool {
    scalars[index...].contains { $0 != " " }
  }

  /// The stretch of a source line that is shown where there is room for `width` cells: around what is marked.
  package static func window(
    _ scalars: [Unicode.Scalar], marked: Range<Int>, width: Int, contextBefore: Int = 60
  ) -> Range<Int> {
    guard DisplayWidth.of(scalars) > width else { return scalars.indices }
    // Room for an ellipsis on both sides.
    let room = max(1, width - 2)
    var start = min(marked.lowerBound, scalars.count)
    var cells = 0
    let before = min(
      contextBefore, max(0, room - DisplayWidth.of(scalars[marked.clamped(to: scalars.indices)])), room / 2)
    while start > 0, cells + DisplayWidth.of(scalars[start - 1]) <= before {
      start -= 1
      cells += DisplayWidth.of(scalars[start])
    }
    var end = start
    cells = 0
    while end < scalars.count, cells + DisplayWidth.of(scalars[end]) <= room {
      cells += DisplayWidth.of(scalars[end])
      end += 1
    }
    return start..<end
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
