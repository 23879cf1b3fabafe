import BrokerClient
import FleetMessages
import Foundation
import TestSupport
import Testing

/// `examples/mosquitto/acl`, by a broker that goes by it.
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled), .timeLimit(.minutes(2))) struct AccessTests {
  private static let users = ["berlin", "paris", "operator", "homeassistant", "lab-agents", "lab-senders"]

  /// Who publishes where, and who of all others gets it.
  private static let allowed: [(by: String, topic: String, readers: Set<String>)] = [
    ("berlin", "showcaller/berlin/availability", ["operator", "homeassistant"]),
    ("berlin", "showcaller/berlin/bar/state", ["operator", "homeassistant"]),
    ("berlin", "showcaller/berlin/alert/menu/dark", ["operator", "homeassistant"]),
    ("berlin", "showcaller/berlin/ledger/menu/2026", ["operator"]),
    ("berlin", "showcaller/berlin/document/menu/report", ["operator"]),
    ("operator", "showcaller/berlin/document/menu/put", ["berlin"]),
    ("operator", "showcaller/berlin/document/menu/previous", []),
    ("operator", "showcaller/berlin/order/1/put", ["berlin"]),
    ("homeassistant", "showcaller/berlin/bar/set", ["berlin", "operator"]),
    ("lab-senders", "showcaller-jobs/lab/offer/any", ["lab-agents", "operator"]),
    ("lab-agents", "showcaller-jobs/lab/job/1/lease", ["lab-senders", "operator"]),
    ("lab-agents", "showcaller-jobs/lab/job/1/result", ["lab-senders", "operator"]),
    ("lab-senders", "showcaller-jobs/lab/job/1/cancel", ["lab-agents", "operator"]),
  ]

  private static let forbidden: [(by: String, topic: String)] = [
    ("berlin", "showcaller/paris/availability"), ("berlin", "showcaller/paris/bar/state"),
    ("berlin", "showcaller/berlin/document/menu/put"), ("berlin", "showcaller/paris/document/menu/put"),
    ("berlin", "showcaller/berlin/order/1/put"), ("berlin", "showcaller/paris/bar/set"),
    ("berlin", "showcaller-jobs/lab/offer/any"), ("homeassistant", "showcaller/berlin/document/menu/put"),
    ("homeassistant", "showcaller/berlin/order/1/put"), ("lab-agents", "showcaller-jobs/lab/offer/any"),
    ("lab-agents", "showcaller-jobs/other/job/1/lease"), ("lab-senders", "showcaller-jobs/lab/job/1/result"),
    ("operator", "showcaller/berlin/availability"),
  ]

  @Test("Each may write what is its own, and gets what is for it: nobody reads or writes another site's topics")
  func access() async throws {
    var file = URL(filePath: #filePath)
    for _ in 0..<3 { file.deleteLastPathComponent() }
    let acl = try String(contentsOf: file.appending(path: "examples/mosquitto/acl"), encoding: .utf8)
    let passwords = Dictionary(uniqueKeysWithValues: Self.users.map { ($0, "secret") })
    let broker = try MosquittoBroker(passwords: passwords, access: acl)
    var links: [String: LabLink] = [:]
    for user in Self.users {
      var configuration = try BrokerConfiguration(broker, as: user, user: user)
      configuration.password = "secret"
      let link = try LabLink(configuration)
      try await link.connected()
      link.link.send(.subscribe("showcaller/#"))
      link.link.send(.subscribe("showcaller-jobs/#"))
      links[user] = link
    }
    // A publication is acknowledged after the subscriptions before it; a forbidden one never is.
    for (user, topic) in Self.forbidden { links[user]?.link.send(.publish(BrokerMessage(topic, [1]), id: 1)) }
    for (user, topic, _) in Self.allowed {
      let link = try #require(links[user])
      link.link.send(.publish(BrokerMessage(topic, [2]), id: 2))
      try await link.acknowledged(2)
    }
    var got: [String: Set<String>] = [:]
    for (user, link) in links {
      await link.link.close()
      while let message = try? await link.message() {
        #expect(message.payload == [2], "\(user) got \(message.topic)")
        got[message.topic, default: []].insert(user)
      }
    }
    for (_, topic, readers) in Self.allowed { #expect(got[topic, default: []] == readers, "\(topic)") }
  }

  @Test("The configuration is one that the broker takes, with TLS and nothing else")
  func configuration() throws {
    var file = URL(filePath: #filePath)
    for _ in 0..<3 { file.deleteLastPathComponent() }
    let text = try String(contentsOf: file.appending(path: "examples/mosquitto/mosquitto.conf"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    // All but what names places of this computer.
    let places = ["listener", "cafile", "certfile", "keyfile", "password_file", "acl_file", "persistence"]
    let rest = lines.filter { line in !places.contains { line.hasPrefix($0) } && !line.hasPrefix("allow_anonymous") }
    #expect(rest.count >= 4)
    _ = try MosquittoBroker(
      passwords: ["a": "b"], settings: rest.filter { !$0.hasPrefix("max_queued_messages") }.joined(separator: "\n"))
    #expect(lines.filter { $0.hasPrefix("listener") } == ["listener 8883"])
    for line in ["allow_anonymous false", "acl_file /etc/mosquitto/acl"] { #expect(lines.contains { $0 == line }) }
  }
}
