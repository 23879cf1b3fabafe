import CastTransport
import FleetMessages
import Foundation
import ScenarioLanguage
import Signage
import Synchronization
import Testing

@testable import FleetAgent

/// A site with a café's playlist, an operator, and what both say.
struct SiteExample {
  /// Friday 27 November 2026, 10:00 UTC.
  static let time = 1_795_773_600.0

  let site: SiteName
  let key: SigningKey

  init() throws {
    site = try #require(SiteName("berlin"))
    key = try #require(SigningKey())
  }

  var keys: [VerifyingKey] { [key.publicKey].compactMap { $0 } }

  struct NoPlaylist: Error { var text: String }

  static func program(_ id: String = "cafe", _ lines: String = "") throws -> Program {
    let yaml = """
      playlist: Café
      id: \(id)
      timezone: UTC
      device: TV
      media: { menu: { url: https://e.com/menu.jpg, metadata: { title: The menu } }, film: { url: https://e.com/f.mp4 } }
      program: [{ play: [menu, film] }]
      \(lines)
      """
    let outcome = PlanCompiler.compile(SourceFile(name: "cafe.yaml", bytes: Array(yaml.utf8)))
    guard case .playlist(let plan)? = outcome.document else { throw NoPlaylist(text: "\(outcome.diagnostics)") }
    return Program(plan, in: .utc)
  }

  static func showing(_ program: Program) throws -> Showing {
    var cursor = ScreenCursor(program, at: Int(time), seed: 1)
    guard case .show(let showing) = cursor.next(at: Int(time)) else { throw NoPlaylist(text: "nothing is on") }
    return showing
  }

  /// A screen after some events at 09:00.
  static func screen(_ name: String, _ events: [ScreenEvent]) -> ScreenState {
    var screen = ScreenState(name, at: time - 3_600)
    for event in events { screen.take(event, at: time - 3_600) }
    return screen
  }

  static func view(_ playlists: [SiteView.Playlist], at offset: Double = 0) -> SiteView {
    SiteView(playlists: playlists, time: time + offset, version: "9.9.9")
  }

  /// A view of one playlist with one screen that shows its program.
  static func usualView(at offset: Double = 0) throws -> SiteView {
    let program = try program()
    let tv = screen("tv", [.connected, .showing(try showing(program))])
    return view([SiteView.Playlist(program: program, screens: [tv], fired: [:])], at: offset)
  }

  // MARK: what the operator says

  func document(_ edition: Int, id: String = "cafe", text: String = "playlist: Café\n") -> FleetDocument {
    FleetDocument(
      id: id, edition: edition, issued: Int(Self.time),
      files: text.isEmpty ? [] : [.init(name: "cafe.yaml", text: text)])
  }

  /// A signed document as it comes from the broker.
  func put(_ document: FleetDocument, by other: SigningKey? = nil) throws -> BrokerMessage {
    let topic = FleetTopic.documentPut(site, id: TopicLevel.of(document.id)).text
    return BrokerMessage(topic, try sealed(document.body, for: topic, by: other), isRetained: true)
  }

  func put(_ order: FleetOrder, by other: SigningKey? = nil) throws -> BrokerMessage {
    let topic = FleetTopic.orderPut(site, id: order.id).text
    return BrokerMessage(topic, try sealed(order.body, for: topic, by: other))
  }

  private func sealed(_ body: [UInt8]?, for topic: String, by other: SigningKey?) throws -> [UInt8] {
    let body = try #require(body)
    return try #require(SignedEnvelope.sealed(body, for: topic, by: other ?? key))
  }

  func order(_ id: String = "7", _ verb: FleetOrder.Verb = .skip, issued offset: Double = 0) -> FleetOrder {
    FleetOrder(id: id, issued: Int(Self.time + offset), verb: verb)
  }

  /// The rules of this site.
  func machine(homeAssistant: HomeAssistantBridge? = nil) -> SiteMachine {
    SiteMachine(site: site, keys: keys, homeAssistant: homeAssistant, at: .zero, unixTime: Self.time)
  }
}

/// A link that tests hold both ends of.
final class FakeLink: BrokerLink {
  let events: AsyncStream<BrokerEvent>
  let sent: AsyncStream<BrokerCommand>
  private let continuation: AsyncStream<BrokerEvent>.Continuation
  private let sending: AsyncStream<BrokerCommand>.Continuation
  private let all = Mutex<[BrokerCommand]>([])
  let isClosed = Mutex(false)

  init() {
    (events, continuation) = AsyncStream.makeStream()
    (sent, sending) = AsyncStream.makeStream()
  }

  /// Every message is acknowledged at once.
  func send(_ command: BrokerCommand) -> Bool {
    all.withLock { $0.append(command) }
    sending.yield(command)
    if case .publish(_, let id?) = command { continuation.yield(.acknowledged(id)) }
    return true
  }

  func close() async {
    isClosed.withLock { $0 = true }
    continuation.finish()
    sending.finish()
  }

  func tell(_ event: BrokerEvent) { continuation.yield(event) }

  var messages: [BrokerMessage] { all.withLock { $0 }.compactMap(\.message) }

  /// Waits until a message has been sent that was not waited for yet.
  func message(_ matches: (BrokerMessage) -> Bool) async -> BrokerMessage? {
    for await command in sent {
      if let message = command.message, matches(message) { return message }
    }
    return nil
  }
}

extension BrokerCommand {
  var message: BrokerMessage? { if case .publish(let message, _) = self { message } else { nil } }
}

extension [BrokerCommand] {
  /// The published messages by topic.
  var published: [String: BrokerMessage] {
    Dictionary(compactMap(\.message).map { ($0.topic, $0) }, uniquingKeysWith: { $1 })
  }
}
