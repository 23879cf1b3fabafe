import BrokerClient
import CastProtocol
import CastTransport
import FleetMessages
import Foundation
import TestSupport
import Testing

/// Fifty sites with four virtual screens each, a real broker, and everything that an operator does (docs/fleet.md "A rehearsal").
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled), .serialized) struct FleetProofTests {
  private static let sites = 50, screens = 4

  /// A broker, an operator's key, and the commands of whoever has it.
  private struct Fleet {
    let broker: MosquittoBroker
    let folder: TemporaryFolder
    let address: [String]

    init() async throws {
      broker = try MosquittoBroker()
      folder = try TemporaryFolder()
      address = ["--broker", "mqtts://localhost:\(broker.port)", "--broker-ca", broker.authority.certificate]
      let key = try await run("key")
      _ = try folder.write("operator.pem", key.output)
    }

    var state: [String: String] { ["XDG_STATE_HOME": folder.path("state")] }

    func run(_ words: String..., limit: Double = 180) async throws -> Finished {
      let broker = words.first == "key" ? [] : address
      return try await Showcaller.start(
        ["fleet"] + words + broker, environment: state, in: folder.url, limit: limit
      ).finish()
    }

    func serve() throws -> Running {
      try Showcaller.start(
        [
          "serve", "--virtual", "--site", "shop", "--sites", "\(sites)", "--operator-key", "operator.pem", "--json",
        ] + address, environment: state, in: folder.url, limit: 600)
    }

    /// The summary of `fleet sites`.
    func summary() async throws -> JSONValue {
      let finished = try await run("sites", "--json")
      return (try? JSONValue(parsing: finished.output))?["summary"] ?? .null
    }

    /// Waits until the summary is so.
    func until(_ what: String, _ isSo: (JSONValue) -> Bool) async throws {
      var last = JSONValue.null
      for _ in 0..<60 {
        last = try await summary()
        if isSo(last) { return }
        try await Task.sleep(for: .milliseconds(500))
      }
      Issue.record("\(what) never comes: \(last)")
    }
  }

  private static func playlist(_ item: String, more: String = "") -> String {
    """
    playlist: Shops
    id: shops
    timezone: UTC
    devices: [North, East, South, West]
    program: [{ play: [{ media: "https://cdn.example.com/\(item)", for: 5s }] }]
    \(more)

    """
  }

  /// What the screens of all sites told that is about darkness, one line each.
  private static func darkness(_ output: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter { line in
      ["\"unreachable\"", "\"lost\"", "\"not_shown\"", "\"stuck\""].contains { line.contains($0) }
    }
  }

  @Test("Fifty sites of four screens: no screen is dark because of the fleet, and a bad document stops at its canary")
  func proof() async throws {
    let fleet = try await Fleet()
    let serving = try fleet.serve()
    try await fleet.until("a site") { $0["sites"]?.int == Self.sites && $0["offline"]?.int == 0 }

    // A document reaches all.
    _ = try fleet.folder.write("shops.yaml", Self.playlist("one.jpg"))
    let pushed = try await fleet.run("push", "shops.yaml", "--to", "shop-*", "--watch", "1s", "--wave", "100%")
    #expect(pushed.exitCode == 0, "\(pushed.output)\(pushed.errors)")
    try await fleet.until("all screens with their item") {
      $0["screens"]?.int == Self.sites * Self.screens && $0["dark_screens"]?.int == 0
        && $0["ok"]?.int == Self.sites
    }
    // The same again does nothing.
    let again = try await fleet.run("push", "shops.yaml", "--to", "shop-*")
    #expect(again.exitCode == 0, "\(again.output)\(again.errors)")

    // The broker dies and comes back with nothing that it knew.
    fleet.broker.stop()
    try await Task.sleep(for: .seconds(3))
    try fleet.broker.start()
    try await fleet.until("all sites again") {
      $0["sites"]?.int == Self.sites && $0["ok"]?.int == Self.sites
        && $0["screens"]?.int == Self.sites * Self.screens
    }
    #expect(Self.darkness(serving.output) == [])

    // What nobody signed counts for nothing.
    try publish("showcaller/shop-3/document/shops/put", Array(Self.playlist("evil.jpg").utf8), on: fleet.broker)
    // A document that sites refuse stops at the canary: nobody lets them start programs.
    let notify = "notify: [{ when: dark, command: [true] }]"
    _ = try fleet.folder.write("shops.yaml", Self.playlist("two.jpg", more: notify))
    let refused = try await fleet.run("push", "shops.yaml", "--to", "shop-*", "--watch", "2s")
    #expect(refused.exitCode == 1, "\(refused.output)\(refused.errors)")
    #expect(Self.darkness(serving.output) == [])
    // The broker has forgotten what the canary showed; the site has not.
    try await fleet.until("the canary with its document") {
      $0["screens"]?.int == Self.sites * Self.screens && $0["dark_screens"]?.int == 0
    }

    // One that makes the canary dark goes back by itself, and no other site ever has it.
    let media = #"media: { three: { url: "https://cdn.example.com/three.bin", type: application/x-nothing } }"#
    let bad = Self.playlist("three", more: media).replacing("https://cdn.example.com/three\"", with: "three\"")
    _ = try fleet.folder.write("shops.yaml", bad)
    let stopped = try await fleet.run("push", "shops.yaml", "--to", "shop-*", "--watch", "30s")
    #expect(stopped.exitCode == 1, "\(stopped.output)\(stopped.errors)")
    try await fleet.until("the canary with its old document") {
      $0["ok"]?.int == Self.sites && $0["screens"]?.int == Self.sites * Self.screens
    }
    let elsewhere = Self.darkness(serving.output).filter { !$0.contains("shop-1/") }
    #expect(elsewhere == [])
    #expect(!serving.output.contains("evil.jpg") && !serving.output.contains("two.jpg"))

    serving.signal(SIGTERM)
    let ended = try await serving.finish()
    #expect(ended.exitCode == 0, "\(ended.errors.suffix(2_000))")
    let gone = try await fleet.summary()
    #expect(gone["offline"]?.int == Self.sites, "\(gone)")
  }

  /// Publishes as somebody without a key would.
  private func publish(_ topic: String, _ payload: [UInt8], on broker: MosquittoBroker) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "mosquitto_pub", "-h", "localhost", "-p", "\(broker.port)", "--cafile", broker.authority.certificate, "-t", topic,
      "-r", "-q", "1", "-m", String(decoding: payload, as: UTF8.self),
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
