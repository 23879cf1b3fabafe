import CastProtocol

/// Why content does not play, or plays no longer.
package enum MediaFault: Hashable, Sendable {
  /// What the player says of the content (docs/protocol.md 5.9).
  case media(code: Int)
  /// No page was open that could have played it.
  case noPage
  /// The page that played it has gone.
  case pageGone
  /// The page said nothing for too long.
  case pageSilent

  /// `detailedErrorCode`.
  package var code: Int {
    switch self {
    case .media(let code): code
    // LOAD_FAILED; MEDIA_ABORTED; MEDIA_NETWORK.
    case .noPage: 905
    case .pageGone: 101
    case .pageSilent: 103
    }
  }

  /// Why, in a word for senders; `nil` where the code says it all.
  package var reason: String? {
    switch self {
    case .media: nil
    case .noPage: "NO_PAGE_OPEN"
    case .pageGone: "PAGE_CLOSED"
    case .pageSilent: "PAGE_SILENT"
    }
  }

  /// What a message about it says.
  var members: JSONObject {
    var members: JSONObject = ["detailedErrorCode": .int(code)]
    if let reason { members["reason"] = .string(reason) }
    return members
  }
}
