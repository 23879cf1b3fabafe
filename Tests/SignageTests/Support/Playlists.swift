import Foundation
import ScenarioLanguage
import Signage
import Testing

/// Playlists for tests, compiled as a command compiles them.
enum Playlists {
  static let zones = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]

  private static let rules: [String: TimeZoneRules] = Dictionary(
    uniqueKeysWithValues: zones.compactMap { name in read(name).map { (name, $0) } })

  private static func read(_ name: String) -> TimeZoneRules? {
    FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)").flatMap { TimeZoneRules(tzif: Array($0)) }
  }

  static func rules(_ name: String) throws -> TimeZoneRules { try #require(rules[name] ?? read(name)) }

  static func plan(_ yaml: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> PlaylistPlan {
    let outcome = PlanCompiler.compile(SourceFile(name: "shop.yaml", bytes: Array(yaml.utf8)))
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics.map { "\($0.code) \($0.message)" })\n\(yaml)", sourceLocation: sourceLocation)
      throw NoPlaylist()
    }
    return plan
  }

  struct NoPlaylist: Error {}

  /// A playlist of these lines, with media `a` to `f`.
  static func program(
    _ lines: String, zone: String = "Europe/Paris", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program {
    let yaml = """
      playlist: Shop
      timezone: \(zone)
      device: TV
      media: { \("abcdef".map { "\($0): { url: https://e.com/\($0).jpg }" }.joined(separator: ", ")) }
      \(lines)
      """
    return Program(try plan(yaml, sourceLocation: sourceLocation), in: try rules(zone))
  }

  /// The first moment at which the clock of a program shows `2026-12-24 18:30`.
  static func moment(_ text: String, _ program: Program) throws -> Int {
    let wall = try #require(MomentView.wall(written: text), "\(text)")
    switch program.zone.moments(of: wall) {
    case .once(let moment), .twice(let moment, _): return moment
    case .never(let change): return change.at
    }
  }

  /// What is on, in short: `rule 0`, `quiet`, `rule 1 quiet`.
  static func words(_ decision: Decision) -> String {
    let content =
      switch decision.content {
      case .quiet(let screen): "\(screen)"
      case .rule(let index): "rule \(index)"
      case .fallback: "fallback"
      case .nothing: "nothing"
      }
    if case .quiet = decision.content { return content }
    return decision.isQuiet ? content + " quiet" : content
  }
}
