package import CastTransport
package import FleetMessages

/// The documents that sites were given, as the broker keeps them: only those that the operator's own key signed count.
///
/// Many sites have the same files, which are kept once.
package struct DocumentShelf: Sendable {
  /// A document at a site, without its files.
  package struct Slip: Hashable, Sendable {
    package var edition: Int
    /// Of the files; the same for all removals.
    package var digest: String
    package var rollout: String?
  }

  /// Of all files that are kept, each once.
  package static let byteLimit = 256 << 20

  package let id: String
  private let keys: [VerifyingKey]
  private let now: Int
  package private(set) var current: [SiteName: Slip] = [:]
  package private(set) var previous: [SiteName: Slip] = [:]
  private var files: [String: [FleetDocument.File]] = [:]
  private var bytes = 0
  /// Messages that our key did not sign, or are no documents of this id.
  package private(set) var refused = 0

  /// - Parameter now: Unix time.
  package init(id: String, keys: [VerifyingKey], at now: Int) {
    (self.id, self.keys, self.now) = (id, keys, now)
  }

  /// Takes what came on a topic.
  /// - Returns: The site, where what it was given is another now.
  @discardableResult
  package mutating func receive(_ message: BrokerMessage) -> SiteName? {
    let level = TopicLevel.of(id)
    let (site, isCurrent): (SiteName, Bool)
    switch FleetTopic(message.topic) {
    case .documentPut(let named, level): (site, isCurrent) = (named, true)
    case .documentPrevious(let named, level): (site, isCurrent) = (named, false)
    default: return nil
    }
    // What the broker forgot, a site has still.
    guard !message.payload.isEmpty else { return nil }
    guard let slip = slip(of: message) else {
      refused += 1
      return nil
    }
    // An old one that somebody shows again says nothing.
    if let known = isCurrent ? current[site] : previous[site], known.edition >= slip.edition { return nil }
    if isCurrent { current[site] = slip } else { previous[site] = slip }
    return site
  }

  private mutating func slip(of message: BrokerMessage) -> Slip? {
    guard current.count + previous.count < 2 * FleetView.Limit.sites,
      let envelope = try? SignedEnvelope(message.payload, on: message.topic, by: keys),
      let document = try? FleetDocument(signed: envelope), document.id == id, document.edition < Int.max / 2
    else { return nil }
    let digest = document.digest
    if files[digest] == nil {
      let size = document.files.reduce(0) { $0 + $1.text.utf8.count }
      guard bytes + size <= Self.byteLimit else { return nil }
      bytes += size
      files[digest] = document.files
    }
    return Slip(edition: document.edition, digest: digest, rollout: document.rollout)
  }

  /// The files behind a slip, to be signed anew.
  package func files(of slip: Slip) -> [FleetDocument.File]? { files[slip.digest] }

  /// An edition that is larger than any that one of these sites was given.
  package func nextEdition(for sites: [SiteName]) -> Int {
    let last = sites.map { max(current[$0]?.edition ?? 0, previous[$0]?.edition ?? 0) }.max() ?? 0
    return max(now, last + 1)
  }
}
