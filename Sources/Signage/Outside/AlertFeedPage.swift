package import CastProtocol

/// What a feed of alerts says: messages, and where more of them are.
///
/// One `alert`, a list of them (as EDXL-DE wraps them), or an Atom or RSS feed whose entries have the alert in them, have its
/// elements, or link to it.
package struct AlertFeedPage: Hashable, Sendable {
  /// A feed has no more messages that count.
  package static let mostMessages = 500
  /// More links than these are not followed: a feed that has so many has its alerts in it, or is for archives.
  package static let mostLinks = 50

  package var messages: [AlertMessage]
  /// Where more messages are, as written: an address, or a part of one.
  package var links: [String]

  /// - Throws: What is wrong with the XML.
  package init(_ bytes: [UInt8]) throws(XMLError) {
    self.init(try XMLParser.parse(bytes))
  }

  private init(_ root: XMLElement) {
    let alerts = root.everywhere("alert")
    var messages = alerts.compactMap(AlertMessage.init)
    var links: [String] = []
    for entry in root.everywhere("entry") + root.everywhere("item") where entry.everywhere("alert").isEmpty {
      if entry.child("severity") != nil {
        if let message = AlertMessage(Self.named(entry)) { messages.append(message) }
      } else if let link = Self.link(of: entry) {
        links.append(link)
      }
    }
    self.messages = Array(messages.prefix(Self.mostMessages))
    self.links = Array(links.prefix(Self.mostLinks))
  }

  /// Entries of RSS call their identifier `guid`.
  private static func named(_ entry: XMLElement) -> XMLElement {
    guard entry.child("identifier") == nil, entry.child("id") == nil, let guid = entry.text("guid") else {
      return entry
    }
    var entry = entry
    entry.children.append(XMLElement("identifier", text: guid))
    return entry
  }

  private static func link(of entry: XMLElement) -> String? {
    let links = entry.all("link")
    let best =
      links.first { $0.attributes["type"] == "application/cap+xml" }
      ?? links.first { ($0.attributes["rel"] ?? "alternate") == "alternate" }
    let text = best?.attributes["href"] ?? best?.text ?? ""
    return text.isEmpty ? nil : text
  }
}
