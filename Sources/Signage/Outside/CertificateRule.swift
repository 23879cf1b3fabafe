import CastProtocol
package import ScenarioLanguage

/// When the certificate of a server of media is reason to tell somebody.
///
/// A value without I/O; times are Unix times.
package struct CertificateRule: Sendable {
  /// Those of free authorities are renewed 30 days before they end: with 14 left something is wrong.
  package static let notice = Duration.seconds(14 * 86_400)
  /// How often each server is asked.
  package static let interval = Duration.seconds(6 * 3_600)
  /// Servers of one playlist that are asked, in the order of its items.
  package static let mostOrigins = 50

  /// - Parameters:
  ///   - validTo: When it, or one above it in its chain, ends.
  ///   - problem: Why it is not trusted now, in OpenSSL's words; `nil`: it is.
  ///   - zone: By whose clock the end is told.
  /// - Returns: What is wrong with it; `nil`: nothing.
  package static func complaint(
    validTo: Double, problem: String?, at time: Double, in zone: TimeZoneRules
  ) -> String? {
    let end = Int(min(max(validTo, 0), Double(Program.times.upperBound - 1)))
    let when = ClockText(zone: zone).moment(end - end % 60)
    if time >= validTo { return "it ended on \(when)" }
    if let problem { return "it is not trusted: \(problem)" }
    return validTo - time < notice.seconds ? "it ends on \(when)" : nil
  }
}

extension PlaylistPlan {
  /// The addresses on the web that receivers fetch for its items, each once: media, their tracks and images.
  package var webAddresses: [String] {
    var addresses: [String] = []
    var seen: Set<String> = []
    for media in allItems.map(\.media) {
      let tracks = media.tracks ?? []
      for address in [media.contentID] + ([media.contentURL] + tracks.map(\.trackContentID)).compactMap({ $0 }) {
        let isOnWeb =
          ["https://", "http://"].contains { address.lowercased().hasPrefix($0) }
          || address.hasPrefix(SecretPlaceholder.opening)
        if isOnWeb, seen.insert(address).inserted { addresses.append(address) }
      }
    }
    return addresses
  }
}
