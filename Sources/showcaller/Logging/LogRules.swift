import CastClient
import CastTransport
import Glibc
import Logging
import ScenarioLanguage

/// Which components write to the log, and from which level on: `client.*=debug,transport=trace`.
struct LogRules: Sendable, Equatable {
  struct Rule: Sendable, Equatable {
    var pattern: String
    /// `nil` is `off`.
    var level: Logger.Level?
  }

  struct Problem: Error, Equatable { var message: String }

  var rules: [Rule]

  /// Everything that can be named.
  static let components =
    LogComponent.allCases.map(\.rawValue) + TransportLog.allCases.map(\.rawValue) + [WireLog.component]
  static let levels = Logger.Level.allCases.map(\.rawValue) + ["off"]

  init(parsing text: String) throws(Problem) {
    rules = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
      // A level alone is for everything.
      let (pattern, level) = sides.count == 2 ? (sides[0], sides[1]) : ("*", sides.first ?? "")
      guard Self.levels.contains(level) else {
        if sides.count == 1, Self.isKnown(level) {
          throw Problem(message: "`\(level)` needs a level, such as `\(level)=debug`")
        }
        throw Problem(message: "`\(level)` is no log level\(Self.hint(level, Self.levels))")
      }
      guard Self.isKnown(pattern) else {
        let groups = Set(Self.components.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
        let candidates = Self.components + groups + groups.map { "\($0).*" }
        throw Problem(message: "no component of the log is called `\(pattern)`\(Self.hint(pattern, candidates))")
      }
      rules.append(Rule(pattern: pattern, level: Logger.Level(rawValue: level)))
    }
  }

  /// From which level on `component` writes; the last rule that fits counts. `nil`: it does not.
  func level(of component: String) -> Logger.Level? {
    rules.last { Self.fits(component, $0.pattern) }?.level
  }

  private static func isKnown(_ pattern: String) -> Bool { components.contains { fits($0, pattern) } }

  /// `transport` is everything below it, too.
  private static func fits(_ component: String, _ pattern: String) -> Bool {
    component.hasPrefix(pattern + ".") || fnmatch(pattern, component, 0) == 0
  }

  private static func hint(_ word: String, _ candidates: [String]) -> String {
    if let nearest = Suggestions.nearest(to: word, among: candidates) { return "; did you mean `\(nearest)`?" }
    return "; there are \(candidates.filter { !$0.hasSuffix("*") }.joined(separator: ", "))"
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
