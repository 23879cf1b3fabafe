import ScenarioLanguage

/// One line of a terminal: pieces of text in one style each, cut to what fits.
///
/// What devices say cannot do anything to the terminal, nor make a line longer than it looks.
package struct ScreenLine: Hashable {
  package enum Style: Hashable {
    case plain, bold, dim, good, bad, warning, accent

    /// The terminal's number for it.
    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .bold: "1"
      case .dim: "2"
      case .good: "32"
      case .bad: "31"
      case .warning: "33"
      case .accent: "36"
      }
    }
  }

  private struct Piece: Hashable {
    var text: String
    var style: Style
  }

  /// More than this of one piece is never shown; some devices send books.
  private static let scalarLimit = 2048
  /// A letter with more marks than this is no letter of any language.
  private static let clusterLimit = 8

  private var pieces: [Piece] = []

  package init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

  package mutating func add(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.scalarLimit)))
    pieces.append(Piece(text: TerminalText.escaped(short), style: style))
  }

  package func adding(_ text: String, _ style: Style = .plain) -> ScreenLine {
    var line = self
    line.add(text, style)
    return line
  }

  package var isEmpty: Bool { pieces.isEmpty }

  /// At most `width` cells, the last an ellipsis where something was cut.
  package func text(width: Int, color: Bool) -> String {
    var cells = 0
    let total = pieces.reduce(0) { $0 + Self.width(of: $1.text, limit: width + 1) }
    let limit = total > width ? max(0, width - 1) : width
    var result = ""
    for piece in pieces {
      var shown = ""
      var isCut = false
      for character in piece.text {
        let (drawn, width) = Self.cell(character)
        if cells + width > limit {
          isCut = true
          break
        }
        cells += width
        shown += drawn
      }
      if !shown.isEmpty {
        let code = color ? piece.style.code : nil
        result += code.map { "\u{1B}[\($0)m\(shown)\u{1B}[0m" } ?? shown
      }
      if isCut { break }
    }
    return total > width && width > 0 ? result + "…" : result
  }

  /// Cells that `text` takes; counting ends above `limit`.
  package static func width(of text: String, limit: Int = .max) -> Int {
    var cells = 0
    for character in text {
      cells += cell(character).width
      if cells > limit { break }
    }
    return cells
  }

  /// What is drawn for a character, and its cells.
  private static func cell(_ character: Character) -> (text: String, width: Int) {
    let scalars = character.unicodeScalars.prefix(clusterLimit)
    return (String(String.UnicodeScalarView(scalars)), DisplayWidth.of(scalars))
  }
}
