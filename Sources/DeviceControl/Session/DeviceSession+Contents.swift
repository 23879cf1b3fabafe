import CastProtocol
import RunReporting
import ScenarioLanguage

/// What may be on a device because of whoever asks.
package struct OwnContents: Sendable {
  /// As documents write them.
  package var contents: [String]
  /// The address of another one, as it was stored; `nil`: there is none.
  package var stored: String?

  package init(_ contents: [String], stored: String? = nil) {
    self.contents = contents
    self.stored = stored
  }
}

/// Whether the device plays contents of the document. The addresses that it tells have the values of secrets: they are
/// compared here, and leave the session only as what may be stored.
extension DeviceSession {
  /// What the device calls a content of the document: files of this computer have addresses of ours.
  private nonisolated func address(of content: String) -> String {
    let sent = (try? secrets.revealed(content)) ?? content
    return servedAddress(of: sent) ?? sent
  }

  /// As a file may have what the device calls a content; `nil` where it can have nothing.
  package nonisolated func storedAddress(of content: String) -> String? {
    policies.addressSeal.stored(address(of: content), holdsSecret: SecretPlaceholder.occurs(in: content))
  }

  /// Whether an address that the device tells means a content of the document, also with an earlier value of its secrets.
  private nonisolated func means(_ address: String, _ content: String) -> Bool {
    address == self.address(of: content) || secrets.wasSent(address, for: content)
  }

  nonisolated func means(_ address: String, oneOf own: OwnContents) -> Bool {
    if let stored = own.stored, policies.addressSeal.fits(address, stored) { return true }
    return own.contents.contains { means(address, $0) }
  }

  /// Whether the player has one of these on.
  package func plays(oneOf own: OwnContents) -> Bool {
    guard let media = view().media, media.playerState != .idle,
      let seen = media.media ?? media.extendedMedia
    else { return false }
    return means(seen.contentID, oneOf: own)
  }

  /// Whether what the player has, or is about to have, is one of these, whosever app it is in.
  package func shows(oneOf own: OwnContents) -> Bool {
    guard let media = view().snapshot.media else { return false }
    // Between two, it is the coming one that counts.
    let coming = media.extendedPlayerState == "LOADING" ? media.extendedMedia : nil
    guard let content = coming ?? media.media ?? media.extendedMedia else { return false }
    return means(content.contentID, oneOf: own)
  }
}
