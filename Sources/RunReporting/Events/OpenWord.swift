package import CastProtocol

/// A word of a list that may grow: a stored event of a newer version may have one that this tool does not know.
package enum OpenWord<Known: EventValue & RawRepresentable<String>>: EventValue {
  case known(Known)
  case unknown(String)

  /// As it is written.
  package var text: String {
    switch self {
    case .known(let word): word.rawValue
    case .unknown(let text): text
    }
  }

  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self = Known(rawValue: text).map(Self.known) ?? .unknown(text)
  }

  package var json: JSONValue { .string(text) }

  package func emitted(hiding secrets: Secrets) -> Self {
    if case .unknown(let text) = self { .unknown(secrets.hidden(text)) } else { self }
  }
}
