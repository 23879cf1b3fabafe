import CastTransport
import FleetAgent
import FleetMessages
import Signage

extension Family {
  static let broker = Family(
    name: "broker",
    seeds: {
      let reader = BrokerReader()
      let topics = [
        "document/cafe/put", "order/7/put", "tv/set", "tv/state", "alert/cafe/01", "availability",
        "document/cafe/report",
      ]
      return topics.flatMap { topic -> [[UInt8]] in
        let topic = "showcaller/berlin/\(topic)"
        return [reader.signed(topic), Array("\(topic)\nskip".utf8), Array("\(topic)\n".utf8)]
      } + [Array("homeassistant/status\nonline".utf8), Array("showcaller/bern/health\n{\"v\":1}".utf8)]
    },
    words: [
      "showcaller-signed 1 ", "\n", "/", "+", "#", "showcaller/berlin/", "order/", "document/", "/put", "/set", "%2F",
      "\"edition\":9", "\"id\":", "\u{0}", "{\"v\":1,",
    ], makeReader: { BrokerReader() })
}

/// What a broker gives a site: nothing that was not signed as it is on its topic is obeyed, and one message
/// has few answers.
private final class BrokerReader: Reader {
  /// `nil` only where OpenSSL has no randomness; then nothing can be signed and nothing may be obeyed.
  private let key = SigningKey()
  private let site = SiteName("berlin")

  private static let time = 1_795_773_600.0

  /// A message with what an operator of this reader would sign for its topic.
  func signed(_ topic: String) -> [UInt8] {
    let files = [FleetDocument.File(name: "cafe.yaml", text: "playlist: Café\n")]
    let document = FleetDocument(id: "cafe", edition: 3, issued: Int(Self.time), files: files)
    let order = FleetOrder(id: "7", issued: Int(Self.time), verb: .skip)
    let body = (topic.contains("order") ? order.body : document.body) ?? []
    guard let key, let payload = SignedEnvelope.sealed(body, for: topic, by: key) else { return [] }
    return Array("\(topic)\n".utf8) + payload
  }

  /// A line with the topic, then the payload; seeds are signed by another reader's key.
  func read(_ bytes: [UInt8]) throws(Violation) {
    guard let site else { return }
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    let topic = String(decoding: bytes[..<end], as: UTF8.self)
    let payload = Array(bytes[min(end + 1, bytes.endIndex)...])
    let bridge = HomeAssistantBridge(
      messages: { _, _, _ in [] }, order: { $0 == Array("skip".utf8) ? PlainOrder(.skip) : nil })
    var machine = SiteMachine(
      site: site, keys: [key?.publicKey].compactMap { $0 }, homeAssistant: bridge, at: .zero, unixTime: Self.time)
    _ = machine.connected(at: .zero)
    _ = machine.look(SiteView(playlists: [], time: Self.time, version: "0"), ledgers: [], at: .zero)
    for (number, isRetained) in [false, true, false].enumerated() {
      let time = Duration.seconds(number)
      let message = BrokerMessage(topic, payload, isRetained: isRetained)
      let commands = machine.receive(message, at: time, unixTime: Self.time)
      guard commands.count <= 2 else { throw Violation("\(commands.count) answers to one message") }
      // The key of this reader is new: nobody but `obeyed` below can have signed for it.
      if machine.nextDocument() != nil { throw Violation("a document was taken that nobody signed") }
      if machine.nextOrder() != nil { throw Violation("an order was obeyed that nobody signed") }
      let due = machine.due(at: time)
      guard due.count <= 50 else { throw Violation("\(due.count) messages at once") }
      for case .publish(let told, let id) in commands + due {
        guard !told.topic.utf8.contains(where: { $0 == 0x2B || $0 == 0x23 || $0 == 0 }) else {
          throw Violation("a message on `\(told.topic)`")
        }
        if let id { machine.acknowledged(id, at: time) }
      }
    }
    try obeyed(site)
  }

  /// What was signed is obeyed all the same, once.
  private func obeyed(_ site: SiteName) throws(Violation) {
    guard let key else { return }
    var machine = SiteMachine(
      site: site, keys: [key.publicKey].compactMap { $0 }, at: .zero, unixTime: Self.time)
    let topic = "showcaller/berlin/order/7/put"
    let message = BrokerMessage(topic, Array(signed(topic).dropFirst(topic.utf8.count + 1)))
    for number in 0..<2 {
      _ = machine.receive(message, at: .seconds(number), unixTime: Self.time)
      guard (machine.nextOrder() != nil) == (number == 0) else { throw Violation("an order was not obeyed once") }
    }
  }
}
