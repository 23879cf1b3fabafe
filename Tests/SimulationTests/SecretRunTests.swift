import CastProtocol
import CastReceiver
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Testing

@testable import Simulation

/// Runs with secrets: the device gets them, and nobody else.
@Suite struct SecretRunTests {
  private static let token = "p@ss/w0rd+canary"
  private static let pin = "4711"

  private static let document = """
    scenario: Secrets
    device: Living Room TV
    secrets:
      token: { env: TOKEN }
      pin: { env: PIN }
      ticket: { saved: true }
    media:
      film:
        url: https://cdn.example.com/a.mp4?k=${secret.token}
        metadata: { title: "PIN ${secret.pin}" }
        custom: { pin: "${secret.pin}", auth: ["${secret.token}"] }
    steps:
      - launch: { app: default, params: { token: "${secret.token}" } }
      - load: { media: film, credentials: "${secret.token}", custom: { t: "${secret.token}" } }
        save: { p0: content, ticket: title }
      - log: loaded with ${secret.token} and ${p0} and ${secret.ticket}
      - expect: { content: "https://cdn.example.com/a.mp4?k=${secret.token}" }
      - expect: { title: "PIN ${secret.pin}" }
      - load: { media: "https://cdn.example.com/b.mp4?t=${secret.ticket}" }
      - expect: { content: { contains: nowhere } }
        within: 1s
    """

  /// What goes over the link, in both directions.
  private final class Tap: ByteChannel {
    private let inner: any ByteChannel
    private let bytes: @Sendable ([UInt8]) -> Void

    init(_ inner: any ByteChannel, _ bytes: @escaping @Sendable ([UInt8]) -> Void) {
      self.inner = inner
      self.bytes = bytes
    }
    func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
      inner.start { [bytes] event in
        if case .received(let new) = event { bytes(new) }
        receive(event)
      }
    }
    func send(_ messages: [[UInt8]]) { inner.send(messages) }
    func close() { inner.close() }
    func abort() { inner.abort() }
    var peerCertificateDER: [UInt8]? { inner.peerCertificateDER }
    var securityProtocol: String? { inner.securityProtocol }
  }

  private final class Lines: EventSink {
    private let text = Mutex("")
    func record(_ event: Event) { text.withLock { $0 += EventRecord(event).jsonLine + "\n" } }
    var all: String { text.withLock { $0 } }
  }

  private static func plan(_ document: String = document) throws -> Plan {
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { ["TOKEN": token, "PIN": pin][$0] }
    let outcome = PlanCompiler.compile(
      SourceFile(name: "secrets.yaml", bytes: Array(document.utf8)), inputs: inputs)
    guard case .scenario(let plan)? = outcome.document else {
      throw CompileFailure(problems: outcome.diagnostics.map { "\($0.code) \($0.message)" })
    }
    return plan
  }
  private struct CompileFailure: Error { var problems: [String] }

  @Test("What a run's folder keeps of its document has the names of secrets and no value")
  func stored() throws {
    let document = RunnableDocument(try Self.plan())
    let text = try StoredDocuments.json(of: [document]).serialized()
    #expect(text.contains("‹secret.token›") && text.contains("‹secret.pin›"))
    for value in [Self.token, "p%40ss%2Fw0rd%2Bcanary", "4711"] { #expect(!text.contains(value), "\(value)") }
    let read = try StoredDocuments.read(JSONValue(parsing: text)) { _ in nil }
    #expect(read == [document])
    #expect(read.first?.secrets.map(\.name) == document.secrets.map(\.name))
  }

  @Test(
    "The device gets the values; events, with a failure and every message or the last ones, only have the names",
    arguments: [true, false])
  func run(isWire: Bool) throws {
    let plan = try Self.plan()
    let received = Mutex<[UInt8]>([])
    let lines = Lines()
    var simulation = ScenarioSimulation()
    let device = VirtualDevice.answering(plan.device)
    let receiverConfiguration = VirtualDevice.configuration(
      for: device, needs: .init(of: RunnableDocument(plan)), seed: 0)
    let receiver = Mutex<VirtualReceiver?>(nil)
    simulation.accept = { channel, times in
      let virtual = VirtualReceiver(configuration: receiverConfiguration, times: times)
      receiver.withLock { $0 = virtual }
      virtual.accept(Tap(channel) { bytes in received.withLock { $0 += bytes } })
    }
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.includesWire = isWire
    configuration.secrets = Secrets(["token": Self.token, "pin": Self.pin], saved: ["ticket"])
    let outcome = try simulation.run(plan, configuration: configuration, reportingTo: lines)
    #expect(outcome.exitCode == 1, "\(lines.all)")
    #expect(lines.all.contains(#""type":"messages""#) == !isWire && lines.all.contains(#""type":"request""#) == isWire)

    let sent = String(decoding: received.withLock { $0 }, as: UTF8.self)
    #expect(sent.contains("a.mp4?k=\(Self.token)\""))
    #expect(sent.contains(#""credentials":"\#(Self.token)""#))
    #expect(sent.contains(#""title":"PIN 4711""#) && sent.contains(#""pin":"4711""#))
    #expect(sent.contains("b.mp4?t=PIN 4711"))
    #expect(!sent.contains("‹secret."))

    let told = lines.all
    #expect(told.contains("‹secret.token›") && told.contains("‹secret.pin›") && told.contains("‹secret.ticket›"))
    for form in [Self.token, "p%40ss%2Fw0rd%2Bcanary", "cEBzcy93MHJkK2NhbmFye", #""4711""#, "PIN 4711"] {
      #expect(!told.contains(form), "\(form) in \(told.split(separator: "\n").first { $0.contains(form) } ?? "")")
    }
    #expect(told.contains(#""result":"failed""#))
  }

  static let verbs = [
    "queue: [a]", "queue_insert: { items: [a] }", "queue_update: { items: [{ item: b, media: a }] }",
    "send: { namespace: urn:x-cast:com.example.chat, message: { token: \"${secret.token}\" } }",
  ]
  @Test("Every verb that sends a secret sends its value, never its name", arguments: verbs)
  func bytes(verb: String) throws {
    let app = verb.hasPrefix("send") ? "launch: A1B2C3D4" : "queue: [b]"
    let text = """
      scenario: Secrets of verbs
      device: Living Room TV
      secrets: { token: { env: TOKEN } }
      media:
        a: { url: "https://cdn.example.com/a.mp4?k=${secret.token}", duration: 1m }
        b: { url: "https://cdn.example.com/b.mp4", duration: 1m }
      steps:
        - \(app)
        - \(verb)
      """
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { $0 == "TOKEN" ? Self.token : nil }
    let compiled = PlanCompiler.compile(SourceFile(name: "v.yaml", bytes: Array(text.utf8)), inputs: inputs)
    let document = try #require(RunnableDocument(compiled.plans), "\(compiled.diagnostics.map(\.message))")
    let received = Mutex<[UInt8]>([])
    var simulation = ScenarioSimulation()
    let configured = VirtualDevice.configuration(
      for: VirtualDevice.answering(document.rows[0].device), needs: .init(of: document), seed: 0)
    simulation.accept = { channel, times in
      VirtualReceiver(configuration: configured, times: times).accept(
        Tap(channel) { bytes in received.withLock { $0 += bytes } })
    }
    var configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    configuration.secrets = Secrets(["token": Self.token])
    let lines = Lines()
    let outcome = try simulation.run(document, configuration: configuration, reportingTo: lines)
    #expect(outcome.exitCode == 0, "\(lines.all)")
    let sent = String(decoding: received.withLock { $0 }, as: UTF8.self)
    #expect(sent.contains(Self.token) && !sent.contains("‹secret."), "\(verb)")
    #expect(!lines.all.contains(Self.token))
  }

  @Test("Outside a simulation nothing is sent in place of a secret without a value: the step fails")
  func missing() throws {
    let plan = try Self.plan()
    let received = Mutex<[UInt8]>([])
    let lines = Lines()
    var simulation = ScenarioSimulation()
    simulation.standsIn = false
    let configured = VirtualDevice.configuration(
      for: VirtualDevice.answering(plan.device), needs: .init(of: RunnableDocument(plan)), seed: 0)
    simulation.accept = { channel, times in
      VirtualReceiver(configuration: configured, times: times).accept(
        Tap(channel) { bytes in received.withLock { $0 += bytes } })
    }
    let configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    let outcome = try simulation.run(plan, configuration: configuration, reportingTo: lines)
    #expect(outcome.exitCode == 5, "\(lines.all)")
    #expect(lines.all.contains("secret `token` has no value"))
    #expect(!String(decoding: received.withLock { $0 }, as: UTF8.self).contains("‹secret."))
  }

  @Test("Without values the names are sent, so that a simulation needs no secrets")
  func withoutValues() throws {
    let plan = try Self.plan()
    let lines = Lines()
    let configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    let outcome = try ScenarioSimulation().run(plan, configuration: configuration, reportingTo: lines)
    #expect(outcome.exitCode == 1)
  }
}
