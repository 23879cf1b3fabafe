package import ScenarioLanguage

/// What is on by the clock alone (docs/language/playlist.md "Who wins").
package struct Decision: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The screen rests, and how: `stop` or `blank`. With `keep` the program goes on: see ``Decision/isQuiet``.
    case quiet(PlaylistPlan.Quiet.Screen)
    /// The index of a rule in `program`.
    case rule(Int)
    case fallback
    /// No rule is on, and there is no fallback.
    case nothing
  }

  package var content: Content
  /// Whether quiet hours hold: nothing may be heard.
  package var isQuiet = false
  /// Whether the screen itself is to be muted.
  package var mutes = false
  package var decidedBy: Reason

  /// Which line of the document decides, and by what time.
  package struct Reason: Hashable, Sendable {
    /// What the line is part of: `program[0]`, `quiet`, `fallback`, `program`.
    package var part: String
    /// The daypart of the rule, `any_time` where it has none; `nil` for a time that is written in place.
    package var daypart: String?
    /// The time condition in words: `mon, tue 07:00-11:00`.
    package var time: String
    /// The line of the part, from 1.
    package var line: Int
    /// The line of the daypart's own definition, from 1.
    package var daypartLine: Int?
  }

  /// Quiet hours hold, and the program goes on in them.
  var goesOnQuietly: Bool {
    if case .quiet = content { return false }
    return isQuiet
  }

  /// Whether the screen does the same in both.
  package func isSame(as other: Decision) -> Bool {
    content == other.content && isQuiet == other.isQuiet && mutes == other.mutes
  }
}
