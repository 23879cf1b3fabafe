import BrokerClient
import CastTransport
import FleetMessages
import Foundation
import TestSupport
import Testing

/// Many links of one process.
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled), .timeLimit(.minutes(3))) struct ManyLinksTests
{
  private static var threads: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }
  /// In kilobytes.
  private static var resident: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) } ?? 0
  }

  @Test("A thousand links are connected and publish on one thread, and say goodbye")
  func thousand() async throws {
    // Three descriptors each here, and one at the broker, which inherits the limit.
    try #require(OpenFiles.raiseLimit() > 4_000)
    let broker = try MosquittoBroker()
    let watcher = try LabLink(BrokerConfiguration(broker, as: "watcher"))
    try await watcher.connected()
    try await watcher.subscribe("site/#")
    let (threads, resident) = (Self.threads, Self.resident)
    let clock = ContinuousClock()
    let begin = clock.now
    var links: [LabLink] = []
    for number in 0..<1_000 {
      var configuration = try BrokerConfiguration(broker, as: "site-\(number)", host: "127.0.0.1")
      configuration.will = BrokerMessage("site/will", [])
      links.append(try LabLink(configuration))
    }
    for link in links { try await link.connected() }
    let connected = clock.now - begin
    print("links: 1 000 connected after \(connected), \(Self.resident - resident) KB more")
    // What runs tasks may have grown meanwhile; a thread for each link has not come.
    #expect(Self.threads < threads + 50)
    for (number, link) in links.enumerated() {
      #expect(link.link.send(.publish(BrokerMessage("site/\(number)", [1]), id: 1)))
    }
    var topics: Set<String> = []
    while topics.count < 1_000 { topics.insert(try await watcher.message().topic) }
    await withTaskGroup { group in
      for link in links.map(\.link) { group.addTask { await link.close() } }
    }
    #expect(watcher.link.send(.publish(BrokerMessage("x", []), id: 5)))
    try await watcher.settle()
    await watcher.link.close()
    #expect(await watcher.firstLeft { if case .message(let message) = $0 { message.topic } else { nil } } == nil)
    #expect(!topics.contains("site/will"))
  }
}
