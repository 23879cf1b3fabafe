import ScenarioLanguage
import Signage

/// The items of a playlist as the options of a select.
struct ProgramOptions: Hashable, Sendable {
  /// More would make a list that nobody finds anything in, and a message that every change sends again.
  static let mostOptions = 200
  /// Of all names together.
  static let byteLimit = 16 << 10

  private(set) var names: [String] = []

  init(_ items: some Sequence<String>) {
    var seen: Set<String> = []
    var bytes = 0
    for name in items where Self.isOption(name) && seen.insert(name).inserted {
      bytes += name.utf8.count
      if names.count == Self.mostOptions || bytes > Self.byteLimit { break }
      names.append(name)
    }
  }

  init(of plan: PlaylistPlan) { self.init(plan.allItems.lazy.map(\.name)) }

  /// Whether Home Assistant can have it as a state: it is not too long, comes out of a template as it went in, and is not
  /// what says that there is none. One with a secret is no name to show.
  private static func isOption(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, scalars.count <= HomeAssistant.longestState else {
      return false
    }
    return !SecretPlaceholder.occurs(in: name) && !first.properties.isWhitespace && !last.properties.isWhitespace
      && name.lowercased() != "none"
      && !scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }

  /// A template whose value is the item of a report where that is one of the options, else `none`: Home Assistant keeps
  /// the state before it, and complains in its log, where it is another.
  var stateTemplate: String {
    "{% set item = (value_json | default({})).get('item') %}{{ item if item in [\(names.map(Self.literal).joined(separator: ","))] else 'none' }}"
  }

  /// A name in the language of templates (Jinja): within quotes nothing but `\` and the quote means anything.
  static func literal(_ name: String) -> String {
    var text = "'"
    for scalar in name.unicodeScalars {
      if scalar == "\\" || scalar == "'" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "'"
  }
}
