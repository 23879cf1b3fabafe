import CastProtocol
import FleetMessages
import Signage
import Synchronization
import Testing

@testable import FleetAgent

/// The agent of a site on a link of the test.
@Suite(.timeLimit(.minutes(1))) struct SiteAgentTests {
  /// A site whose screens and documents the test holds.
  private final class Host: Sendable {
    let view: Mutex<SiteView>
    let changes = ScreenBoard()
    let orders = Mutex(0)
    let taken = Mutex<[Int]>([])

    init(_ view: SiteView) { self.view = Mutex(view) }

    func change(_ view: SiteView) {
      self.view.withLock { $0 = view }
      changes.ring()
    }

    /// - Parameter slow: How long a document takes.
    func host(outcome: DocumentOutcome = .on, slow: Bell? = nil) -> SiteHost {
      SiteHost(
        site: SiteControl(
          view: { self.view.withLock { $0 } }, changes: { self.changes.changes() },
          order: { _, _, _ in
            self.orders.withLock { $0 += 1 }
            return .given
          }, trigger: { _, _, _ in .unknown }),
        take: { document in
          await slow?.wait()
          self.taken.withLock { $0.append(document.edition) }
          return outcome
        }, kept: { [] }, ledgers: { [LedgerMark(playlist: "cafe", file: "2026-11.jsonl", lines: 9, hash: "ab")] })
    }
  }

  private let example: SiteExample
  private let host: Host

  init() throws {
    example = try SiteExample()
    host = Host(try SiteExample.usualView())
  }

  private func agent(_ siteHost: SiteHost, _ options: SiteAgentOptions = .init()) -> SiteAgent {
    SiteAgent(
      site: example.site, host: siteHost, keys: example.keys, options: options,
      clock: TimeSource(ContinuousClock()), unixTime: { SiteExample.time })
  }

  /// Runs an agent while `body` is done, then ends it.
  private func run(_ agent: SiteAgent, on link: FakeLink, _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await agent.run(on: link) }
      link.tell(.connected)
      try await body()
      group.cancelAll()
    }
  }

  @Test("A site tells what it shows after each connection, and at its end that it is offline before it says goodbye")
  func tells() async throws {
    let link = FakeLink()
    try await run(agent(host.host()), on: link) {
      for _ in 0..<2 {
        _ = await link.message { $0.payload == Array("online".utf8) }
        let ledger = "showcaller/berlin/ledger/cafe/2026-11.jsonl"
        #expect(await link.message { $0.topic == ledger }?.isRetained == true)
        let state = await link.message { $0.topic == "showcaller/berlin/tv/state" }
        #expect(state.flatMap { ScreenReport(payload: $0.payload) }?.title == "The menu")
        link.tell(.disconnected(BrokerFailure(.lost, "gone")))
        link.tell(.connected)
      }
    }
    #expect(link.messages.last == SiteAgent.lastWill(of: example.site))
    #expect(link.isClosed.withLock { $0 })
  }

  @Test("A change is told, and what happened with it")
  func changes() async throws {
    let link = FakeLink()
    let program = try SiteExample.program()
    let dark = SiteExample.screen("tv", [.showing(try SiteExample.showing(program)), .lost("no answer")])
    try await run(agent(host.host()), on: link) {
      _ = await link.message { $0.topic == "showcaller/berlin/tv/state" }
      host.change(SiteExample.view([.init(program: program, screens: [dark], fired: [:])]))
      let event = await link.message { $0.topic == "showcaller/berlin/tv/event" }
      #expect(event.flatMap { ScreenNews(payload: $0.payload) }?.kind == .dark)
      #expect(event?.isRetained == false)
      let state = await link.message { $0.topic == "showcaller/berlin/tv/state" }
      #expect(state.flatMap { ScreenReport(payload: $0.payload) }?.phase == "dark")
    }
  }

  @Test("A document that takes long holds up neither orders nor states, and is reported when it is done")
  func slowDocument() async throws {
    let (link, slow) = (FakeLink(), Bell())
    try await run(agent(host.host(slow: slow)), on: link) {
      link.tell(.message(try example.put(example.document(3))))
      link.tell(.message(try example.put(example.document(4))))
      link.tell(.message(try example.put(example.order())))
      link.tell(.message(try example.put(example.order())))
      let answer = await link.message { $0.topic == "showcaller/berlin/order/7/report" }
      #expect(answer.flatMap { OrderReport(payload: $0.payload) }?.isObeyed == true)
      #expect(host.taken.withLock { $0 }.isEmpty && host.orders.withLock { $0 } == 1)
      slow.ring()
      let topic = "showcaller/berlin/document/cafe/report"
      let report = await link.message {
        $0.topic == topic && DocumentReport(payload: $0.payload)?.edition == 4
      }
      #expect(report.flatMap { DocumentReport(payload: $0.payload) }?.shown == 4)
      #expect(host.taken.withLock { $0 }.last == 4)
    }
  }

  @Test("What nobody signed is told in the log and counted in the site's health, and shows nothing")
  func unsigned() async throws {
    let link = FakeLink()
    let lines = Mutex<[String]>([])
    let (told, telling) = AsyncStream<String>.makeStream()
    var options = SiteAgentOptions()
    options.tell = { telling.yield($0) }
    try await run(agent(host.host(), options), on: link) {
      link.tell(.message(BrokerMessage("showcaller/berlin/document/cafe/put", Array("playlist: x".utf8))))
      for await line in told {
        lines.withLock { $0.append(line) }
        break
      }
      let health = await link.message {
        $0.topic == "showcaller/berlin/health" && SiteHealth(payload: $0.payload)?.refused == 1
      }
      #expect(health.flatMap { SiteHealth(payload: $0.payload) }?.refusal?.contains("not signed") == true)
    }
    #expect(lines.withLock { $0 } == ["`showcaller/berlin/document/cafe/put` was not taken: it is not signed"])
    #expect(host.taken.withLock { $0 }.isEmpty)
  }

  @Test("A flood of messages that nobody asked for ends the connection for a minute")
  func flood() async throws {
    let link = FakeLink()
    try await run(agent(host.host()), on: link) {
      for number in 0..<300 { link.tell(.message(BrokerMessage("x/\(number)", []))) }
      for await command in link.sent where command == .reconnect(after: .seconds(60)) { break }
    }
  }

  @Test("When the link ends so does the agent")
  func linkEnds() async {
    let link = FakeLink()
    await link.close()
    await agent(host.host()).run(on: link)
    #expect(link.messages == [SiteAgent.lastWill(of: example.site)])
  }
}
