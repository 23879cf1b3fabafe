/// An address that a document sends receivers to, and where it says so.
package struct FetchedAddress: Hashable, Sendable {
  /// What a receiver wants there.
  package enum Role: String, Hashable, Sendable { case media, track, image, ad }

  package var url: String
  package var role: Role
  /// What the document says that it is; for media also what its ending says.
  package var type: String?
  /// Where it is written; with a variable, where that is used.
  package var span: SourceSpan
  /// When an item of a playlist may show it, where that is on certain dates only; `nil`: at any time.
  package var plays: PlayTimes?

  package init(
    _ url: String, _ role: Role = .media, type: String? = nil, at span: SourceSpan, plays: PlayTimes? = nil
  ) {
    self.url = url
    self.role = role
    self.type = type
    self.span = span
    self.plays = plays
  }
}

/// The addresses of all that a document uses, each place once, in the order found.
struct FetchedAddresses: Sendable {
  private(set) var all: [FetchedAddress] = []
  private var known: Set<FetchedAddress> = []
  /// Media with a name that were added.
  private var names: Set<String> = []

  /// - Parameter plays: When an item of a playlist shows it, on certain dates only.
  mutating func add(_ media: CompiledMedia, when plays: PlayTimes? = nil) {
    // Loops come by the same media again and again.
    if let id = media.id, plays == nil, !names.insert(id).inserted { return }
    for var address in media.addresses {
      address.plays = plays
      add(address)
    }
  }

  mutating func add(_ address: FetchedAddress) {
    if known.insert(address).inserted { all.append(address) }
  }
}

extension CompiledMedia {
  /// Remembers an address that receivers are sent to; files of this computer are served by us.
  mutating func note(_ node: YAMLNode?, _ role: FetchedAddress.Role, type: String? = nil) {
    guard let node, let text = node.text, let url = try? URLScalar.read(text), url.isWeb else { return }
    addresses.append(FetchedAddress(text, role, type: type, at: node.place))
  }
}
