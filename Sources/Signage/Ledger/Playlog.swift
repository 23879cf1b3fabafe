import CastProtocol

/// Plays as the XML report of SMIL players, which follows the Playlog of POPAI: one player a document, one element a play.
package struct Playlog: Sendable {
  /// More screens than a ledger has.
  static let screenLimit = 10_000

  /// The screens that something was shown on.
  package private(set) var screens: Set<String> = []
  /// When the last play that was looked at ended, in milliseconds.
  private var last = 0

  package init() {}

  /// Looks at a line, before anything is written.
  package mutating func look(at line: LedgerLine) {
    guard let record = line.record, case .play(let play) = record.kind, play.shown > 0,
      screens.count < Self.screenLimit || screens.contains(record.screen)
    else { return }
    screens.insert(record.screen)
    last = max(last, LedgerTime.milliseconds(play.end))
  }

  /// What stands before the plays of a screen.
  package func head(of screen: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <report>
      <date>\(LedgerTime.utc(last))</date>
      <version>1.0</version>
      <player id="\(Self.escaped(screen))">
        <contentPlayLog>

    """
  }

  package static let tail = """
        </contentPlayLog>
      </player>
    </report>

    """

  /// The element of a line; `nil` where it is of another screen, or nothing was shown.
  package func element(_ line: LedgerLine, of screen: String) -> String? {
    guard let record = line.record, record.screen == screen, case .play(let play) = record.kind, play.shown > 0 else {
      return nil
    }
    let id = play.ids?["creative"].flatMap(LedgerTable.text) ?? play.item
    return """
            <contentPlayed>
              <contentId>\(Self.escaped(id))</contentId>
              <startTime>\(LedgerTime.utc(LedgerTime.milliseconds(play.start)))</startTime>
              <endTime>\(LedgerTime.utc(LedgerTime.milliseconds(play.end)))</endTime>
            </contentPlayed>

      """
  }

  /// Text for an XML 1.0 document; what that cannot hold becomes U+FFFD.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
