import CastProtocol
import ScenarioLanguage

/// What another sender has to be told while a check is run: the raw value is the check's id.
package enum SecondSender: String, CaseIterable, Sendable {
  case volume = "senders.volume"
  case app = "senders.app"

  /// The level that its check sets, and how close a device comes to it with steps of 0.1.
  static let (level, tolerance) = (0.35, 0.05)
  /// The app that its check launches.
  static let appID = "CC1AD845"

  /// Why it was not told, `nil` where it was.
  /// - Parameter heard: What came to the other sender since the check began.
  package func shortcoming(_ heard: [ObservedMessage]) -> String? {
    let statuses = heard.filter { !$0.isSent && $0.type == "RECEIVER_STATUS" }.compactMap { $0.json["status"] }
    switch self {
    case .volume:
      let levels = statuses.compactMap { $0["volume"]?["level"]?.number }
      if levels.contains(where: { abs($0 - Self.level) <= Self.tolerance }) { return nil }
      return
        "another sender was told of the volumes \(Self.list(levels.map { "\($0.decimals(2))" })), not of \(Self.level.decimals(2))"
    case .app:
      let apps = statuses.compactMap { $0["applications"]?.array?.first?["appId"]?.string }
      if apps.contains(Self.appID) { return nil }
      return "another sender was told of the apps \(Self.list(apps)), not of \(Self.appID)"
    }
  }

  private static func list(_ words: [String]) -> String { words.isEmpty ? "(none)" : words.joined(separator: ", ") }
}
