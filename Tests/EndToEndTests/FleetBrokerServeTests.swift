import BrokerClient
import CastProtocol
import CastTransport
import FleetMessages
import Foundation
import Synchronization
import TestSupport
import Testing

/// A site with virtual screens on a real broker, and its operator.
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled)) struct FleetBrokerServeTests {
  /// What an operator has: the key, and a connection that hears all.
  private final class Operator: Sendable {
    let broker: MosquittoBroker
    let key: SigningKey
    let folder: TemporaryFolder
    private let link: any BrokerLink
    private let heard = Mutex<[BrokerMessage]>([])
    private let isConnected = Mutex(false)

    init() async throws {
      broker = try MosquittoBroker()
      key = try #require(SigningKey())
      folder = try TemporaryFolder()
      _ = try folder.write("key.pem", String(decoding: try #require(key.publicKey?.pem), as: UTF8.self))
      var configuration = BrokerConfiguration(
        try BrokerAddress("mqtts://localhost:\(broker.port)"), clientID: "operator")
      configuration.authorities = broker.authority.certificate
      link = try BrokerClient.connect(configuration)
      Task { [link] in
        for await event in link.events {
          switch event {
          case .connected:
            link.send(.subscribe("showcaller/#"))
            isConnected.withLock { $0 = true }
          case .message(let message): heard.withLock { $0.append(message) }
          case .disconnected, .acknowledged: break
          }
        }
      }
      try await until("a connection") { isConnected.withLock { $0 } }
    }

    func until(_ what: String, _ isSo: () -> Bool) async throws {
      for _ in 0..<300 {
        if isSo() { return }
        try await Task.sleep(for: .milliseconds(100))
      }
      throw Overdue(description: "\(what) never comes")
    }

    func serve(_ more: String...) throws -> Running {
      try Showcaller.start(
        [
          "serve", "--virtual", "--broker", "mqtts://localhost:\(broker.port)", "--broker-ca",
          broker.authority.certificate, "--site", "cafe", "--operator-key", "key.pem",
        ] + more, environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: 120)
    }

    /// Signs a document and puts it on the broker.
    func put(_ edition: Int, _ text: String?, id: String = "bar", for other: String? = nil) throws {
      let site = try #require(SiteName("cafe"))
      let topic = FleetTopic.documentPut(site, id: id).text
      let files = text.map { [FleetDocument.File(name: "bar.yaml", text: $0)] } ?? []
      let document = FleetDocument(id: id, edition: edition, issued: 1, files: files)
      let signedFor = try other.map { FleetTopic.documentPut(try #require(SiteName($0)), id: id).text } ?? topic
      let body = try #require(document.body)
      let payload = try #require(SignedEnvelope.sealed(body, for: signedFor, by: key))
      link.send(.publish(BrokerMessage(topic, payload, isRetained: true)))
    }

    func putUnsigned(_ text: String) {
      link.send(.publish(BrokerMessage("showcaller/cafe/document/bar/put", Array(text.utf8), isRetained: true)))
    }

    /// The report of an edition of a document.
    func report(_ edition: Int, id: String = "bar") async throws -> DocumentReport {
      var report: DocumentReport?
      try await until("a report of edition \(edition)") {
        report = heard.withLock { $0 }.filter { $0.topic == "showcaller/cafe/document/\(id)/report" }
          .compactMap { DocumentReport(payload: $0.payload) }.last { $0.edition == edition }
        return report != nil
      }
      return try #require(report)
    }

    func availability() -> String? {
      heard.withLock { $0 }.last { $0.topic == "showcaller/cafe/availability" }
        .map { String(decoding: $0.payload, as: UTF8.self) }
    }
  }

  private static func playlist(_ item: String, devices: String = "device: Bar TV", id: String = "bar") -> String {
    """
    playlist: Bar
    id: \(id)
    timezone: UTC
    \(devices)
    program: [{ play: [{ media: "https://e.com/\(item).jpg", for: 1s }, { media: "https://e.com/z.jpg", for: 1s }] }]

    """
  }

  private static func end(_ serving: Running) async throws {
    serving.signal(SIGTERM)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
  }

  @Test("A site shows what its operator signed and nothing else, and goes on with it without any broker")
  func documents() async throws {
    let fleet = try await Operator()
    let serving = try fleet.serve()
    try await serving.waitFor("the site `cafe` has no documents yet, and waits for them")
    try await serving.waitFor("connected with the broker")
    try fleet.put(1, Self.playlist("one"))
    try await serving.waitFor("shows https://e.com/one.jpg")
    let first = try await fleet.report(1)
    #expect(first.state == .on && first.shown == 1 && first.digest != nil)
    try fleet.put(2, "playlist: Bar\nid: bar\nprogramme: []\n")
    let refused = try await fleet.report(2)
    #expect(refused.state == .refused && refused.shown == 1, "\(refused)")
    #expect(refused.why?.hasPrefix("bar.yaml, line ") == true, "\(refused)")
    #expect(refused.diagnostics.first?["file"]?.string == "bar.yaml", "\(refused.diagnostics)")
    try fleet.put(3, Self.playlist("other", id: "other"))
    #expect(try await fleet.report(3).why?.contains("its id is `other`, and it was given as `bar`") == true)
    fleet.putUnsigned("playlist: Bar")
    try fleet.put(4, Self.playlist("stolen"), for: "hall")
    try fleet.put(2, Self.playlist("old"))
    try fleet.put(5, Self.playlist("five"))
    try await serving.waitFor("shows https://e.com/five.jpg")
    #expect(try await fleet.report(5).state == .on)
    for never in ["stolen", "old", "other"] { #expect(!serving.output.contains("\(never).jpg")) }
    #expect(!serving.output.contains("dark"), "\(serving.output)")
    fleet.broker.stop()
    try await serving.waitFor("no connection with the broker")
    let shown = serving.output.split(separator: "shows https://e.com/five.jpg").count
    try await serving.waitFor("shows https://e.com/five.jpg", times: shown + 2)
    try await Self.end(serving)
    let again = try fleet.serve()
    try await again.waitFor("shows https://e.com/five.jpg")
    try await Self.end(again)
  }

  @Test("Where a document has other screens its playlist begins anew, and the screens that stay go on")
  func screens() async throws {
    let fleet = try await Operator()
    let serving = try fleet.serve("--json")
    try await serving.waitFor("connected with the broker")
    try fleet.put(1, Self.playlist("one"))
    try await serving.waitFor("e.com/one.jpg")
    try fleet.put(2, Self.playlist("two", devices: "devices: [Bar TV, Hall TV]"))
    #expect(try await fleet.report(2).state == .on)
    try await serving.waitFor("\"screen\":\"hall-tv\",\"event\":\"showing\"")
    try await serving.waitFor("\"screen\":\"bar-tv\",\"event\":\"showing\",\"item\":\"https://e.com/two.jpg\"")
    #expect(!serving.output.contains("\"lost\"") && !serving.output.contains("unreachable"), "\(serving.output)")
    try fleet.put(3, nil)
    #expect(try await fleet.report(3).state == .removed)
    try await serving.waitFor("\"event\":\"document\",\"id\":\"bar\",\"edition\":3,\"state\":\"removed\"")
    try fleet.put(4, Self.playlist("four"))
    try await serving.waitFor("e.com/four.jpg")
    try await Self.end(serving)
    try await fleet.until("the site's goodbye") { fleet.availability() == "offline" }
  }

  @Test("A file of the site's own is not replaced by a document of its id")
  func conflict() async throws {
    let fleet = try await Operator()
    _ = try fleet.folder.write("bar.yaml", Self.playlist("own"))
    let serving = try fleet.serve("bar.yaml")
    try await serving.waitFor("connected with the broker")
    try fleet.put(1, Self.playlist("one"))
    let report = try await fleet.report(1)
    #expect(report.state == .refused && report.why?.contains("from bar.yaml, a file of its own") == true, "\(report)")
    try await serving.waitFor("shows https://e.com/own.jpg")
    try await Self.end(serving)
  }
}

/// What a program without an MQTT client says.
@Suite(.enabled(if: !BrokerClient.isBuilt)) struct FleetlessServeTests {
  @Test("Without an MQTT client `--broker` ends with 2 and says where one is to be had")
  func unavailable() async throws {
    let folder = try TemporaryFolder()
    let serving = try Showcaller.start(
      ["serve", "--broker", "mqtts://localhost", "--site", "a"], environment: ["XDG_STATE_HOME": folder.path("state")],
      in: folder.url)
    let finished = try await serving.finish()
    #expect(
      finished.exitCode == 2 && finished.errors.contains("this program was built without an MQTT client"),
      "\(finished.errors)")
  }
}
