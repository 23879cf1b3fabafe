import CastProtocol
import Testing

@testable import CastReceiver

/// Apps that are pages in a browser.
@Suite struct PageTests {
  private static let chat = "urn:x-cast:com.example.chat"
  private let address = "http://localhost:3000/"

  private func harness(_ change: (inout ReceiverConfiguration) -> Void = { _ in }) -> ReceiverHarness {
    ReceiverHarness { configuration in
      configuration.appIDs.insert("A1B2C3D4")
      configuration.pageAddresses["A1B2C3D4"] = address
      change(&configuration)
    }
  }

  /// Opens connection 1 and launches the page; it is not ready yet.
  private func launch(_ harness: inout ReceiverHarness) -> [ReceiverHarness.Heard] {
    _ = harness.open(1) + harness.connect()
    return harness.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 7])
  }

  /// The page that was started last.
  private func page(_ harness: ReceiverHarness) throws -> String {
    try #require(harness.lastPage)
  }

  private func say(
    _ harness: inout ReceiverHarness, _ json: JSONObject, on namespace: String = PageMessage.systemNamespace.rawValue,
    to peer: PageMessage.Peer = .system
  ) throws -> [ReceiverHarness.Heard] {
    let message = PageMessage(namespace: Namespace(rawValue: namespace), peer: peer, data: json.serialized())
    return harness.input(.page(sessionID: try page(harness), .message(message)))
  }

  private static let ready: JSONObject = [
    "type": "ready", "activeNamespaces": ["urn:x-cast:com.google.cast.media", .string(chat)], "version": "2.0.0",
  ]

  /// Launches the page, has it say that it is ready, and joins it.
  private func start(_ harness: inout ReceiverHarness) throws {
    _ = launch(&harness)
    _ = try say(&harness, Self.ready)
    _ = harness.connect(to: harness.transport)
  }

  /// What the page was told, each message in few words, and forgets it.
  private func told(_ harness: inout ReceiverHarness) -> [String] {
    defer { harness.orders = [] }
    return harness.orders.map { order in
      switch order {
      case .start: return "start"
      case .stop: return "stop"
      case .warn(_, let text): return "warn \(text.prefix(24))"
      case .fail(_, let text): return "fail \(text.prefix(24))"
      case .deliver(_, let message):
        let json = (try? JSONValue(parsing: message.data)) ?? .null
        let rest = ["senderId", "reason", "level", "muted", "visible", "standby"].compactMap { name in
          json[name].map { $0.string ?? $0.serialized() }
        }
        let who = message.peer == .system ? "" : "\(message.peer) "
        return who.isEmpty ? ([json["type"]?.string ?? "?"] + rest).joined(separator: " ") : message.data
      }
    }
  }

  @Test("A launch of a page is answered when the page says ready, with the page's namespaces and status text")
  func launchesWhenReady() throws {
    var harness = harness()
    #expect(launch(&harness).summary == ["LAUNCH_STATUS"])
    #expect(harness.machine.application == nil)
    #expect(try say(&harness, ["type": "setappstate", "statusText": "early"]).isEmpty)
    let heard = try say(
      &harness, ["type": "ready", "activeNamespaces": [.string(Self.chat), 7, ""], "statusText": "Hello"])
    #expect(heard.summary == ["RECEIVER_STATUS #7"])
    let app = heard.first?.json["status"]?["applications"]?.array?.first
    #expect(app?["namespaces"] == [["name": .string(Self.chat)]] && app?["statusText"] == "Hello")
    #expect(app?["sessionId"]?.string == (try page(harness)) && app?["transportId"] == app?["sessionId"])
    #expect(
      told(&harness) == ["start", "ready", "volumechanged 1 false", "visibilitychanged true", "standbychanged false"])
  }

  @Test("A page that ends, or is not ready within 20 s, before it was an app, fails the launch, and the old app stays")
  func failedStart() throws {
    for isSilent in [true, false] {
      var harness = harness()
      harness.start()
      _ = harness.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 8])
      let id = try page(harness)
      let heard =
        isSilent ? harness.advance(by: .seconds(21)) : harness.input(.page(sessionID: id, .ended))
      #expect(heard.summary == ["LAUNCH_ERROR SYSTEM_ERROR #8"])
      #expect(harness.machine.application?.appID == "CC1AD845")
      #expect(harness.orders.contains(.stop(sessionID: id)) == isSilent)
      #expect(try say(&harness, Self.ready).isEmpty, "what comes too late counts for nothing")
    }
  }

  @Test("A page that another app replaces, by a launch or by another sender, is stopped", arguments: [true, false])
  func replaced(isTakeover: Bool) throws {
    var harness = harness()
    try start(&harness)
    let id = try page(harness)
    if isTakeover {
      _ = harness.input(.directive(.takeover(appID: "233637DE", name: "YouTube")))
    } else {
      _ = harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 9])
    }
    #expect(harness.machine.application?.appID == (isTakeover ? "233637DE" : "CC1AD845"))
    #expect(harness.orders.contains(.stop(sessionID: id)))
  }

  @Test("The receiver's own player does nothing while a page runs: no idle exit, and no faults of it")
  func noPlayerOfOurs() throws {
    var harness = harness { $0.media.idleExit = .seconds(3) }
    try start(&harness)
    _ = told(&harness)
    #expect(harness.advance(by: .seconds(60)).isEmpty && harness.machine.application?.appID == "A1B2C3D4")
    let directives: [ReceiverStateMachine.Directive] = [.mediaError(code: 905), .hinder(.stall), .hinder(.freeze)]
    for directive in directives { #expect(harness.input(.directive(directive)).isEmpty) }
    let warnings = told(&harness)
    #expect(warnings.count == 3 && warnings.allSatisfy { $0.hasPrefix("warn a fault did nothing") }, "\(warnings)")
  }

  @Test("A fault answers a page's request in its place; one that only a player of ours can have is told to the page")
  func spoiltRequests() throws {
    var harness = harness()
    try start(&harness)
    _ = told(&harness)
    func ask(_ fault: ReceiverStateMachine.RequestFault) -> [ReceiverHarness.Heard] {
      let request = CastMessage(
        source: EndpointID("sender-0"), destination: EndpointID(harness.transport), namespace: .media,
        json: ["type": "PAUSE", "requestId": 5, "mediaSessionId": 1])
      return harness.input(.faulty(ConnectionID(rawValue: 1), request, fault))
    }
    let refused = ask(.fail(.invalidRequest(reason: "INVALID_COMMAND"), after: .zero))
    #expect(refused.map(\.type) == ["INVALID_REQUEST"] && refused.map(\.requestID) == [5])
    #expect(refused.map(\.namespace) == [.media] && told(&harness).isEmpty)
    for fault in [ReceiverStateMachine.RequestFault.ignore, .fail(.loadFailed(code: 311), after: .seconds(1))] {
      #expect(ask(fault).isEmpty)
      let orders = told(&harness)
      #expect(orders.count == 2 && orders.first?.hasPrefix("warn a fault did nothing") == true, "\(orders)")
    }
  }

  @Test("A page is told who joins and leaves, and whether a sender went on purpose or its connection broke")
  func senders() throws {
    var harness = harness()
    try start(&harness)
    _ = told(&harness)
    _ = harness.open(2)
    _ = harness.connect("sender-0", to: harness.transport, connection: 2)
    _ = harness.send(["type": "CONNECT", "connType": 2], on: .connection, from: "spy", to: harness.transport)
    _ = harness.send(["type": "CLOSE"], on: .connection, from: "sender-0", to: harness.transport)
    _ = harness.close(2)
    #expect(
      told(&harness) == [
        "senderconnected 2:sender-0", "senderdisconnected 1:sender-0 closed_by_peer",
        "senderdisconnected 2:sender-0 transport_closed",
      ])
  }

  @Test("Messages of the page's namespaces go both ways unchanged: to one sender, to everyone, to nobody who left")
  func messages() throws {
    var harness = harness()
    try start(&harness)
    _ = harness.open(2)
    _ = harness.connect("b", to: harness.transport, connection: 2)
    _ = told(&harness)
    #expect(
      harness.send(["a": 1], on: Namespace(rawValue: Self.chat), to: harness.transport).isEmpty)
    #expect(harness.send(["a": 2], on: Namespace(rawValue: "urn:x-cast:other"), to: harness.transport).isEmpty)
    #expect(told(&harness).map { String($0.suffix(7)) } == [#"{"a":1}"#])
    let one = PageSenderID(connection: ConnectionID(rawValue: 2), id: EndpointID("b"))
    let heard = try say(&harness, ["x": 1], on: Self.chat, to: .sender(one))
    #expect(heard.map(\.connection) == [2] && heard.map(\.destination) == ["b"] && heard.first?.json == ["x": 1])
    #expect(try say(&harness, ["x": 2], on: Self.chat, to: .everyone).map(\.connection) == [1, 2])
    _ = harness.close(2)
    #expect(try say(&harness, ["x": 3], on: Self.chat, to: .sender(one)).isEmpty)
    #expect(try say(&harness, ["x": 4], on: "urn:x-cast:undeclared", to: .everyone).isEmpty)
    let long = try say(&harness, ["x": .string(String(repeating: "y", count: 70_000))], on: Self.chat, to: .everyone)
    #expect(long.isEmpty)
    #expect(told(&harness).filter { $0.hasPrefix("warn") }.count == 2)
  }

  @Test("The volume goes both ways, and visibility and standby reach the page and the status")
  func volumeAndDisplay() throws {
    var harness = harness()
    try start(&harness)
    _ = told(&harness)
    _ = harness.send(["type": "SET_VOLUME", "volume": ["level": 0.5], "requestId": 9])
    #expect(told(&harness) == ["volumechanged 0.5 false"])
    let heard = try say(&harness, ["type": "setvolume", "muted": true])
    #expect(heard.summary == ["RECEIVER_STATUS"] && heard.first?.json["status"]?["volume"]?["muted"] == true)
    #expect(told(&harness) == ["volumechanged 0.5 true"])
    #expect(try say(&harness, ["type": "setvolume", "level": "loud"]).isEmpty)
    let off = harness.input(.display(ReceiverDisplay(isActiveInput: false, isStandby: true)))
    #expect(off.first?.json["status"]?["isStandBy"] == true && off.first?.json["status"]?["isActiveInput"] == false)
    #expect(told(&harness) == ["visibilitychanged false", "standbychanged true"])
  }

  @Test("setappstate is the status text that senders see")
  func statusText() throws {
    var harness = harness()
    try start(&harness)
    let heard = try say(&harness, ["type": "setappstate", "statusText": "Casting: Film"])
    #expect(heard.first?.json["status"]?["applications"]?.array?.first?["statusText"] == "Casting: Film")
    #expect(try say(&harness, ["type": "setappstate", "statusText": "Casting: Film"]).isEmpty)
  }

  @Test("A page that ends by itself is an app that is gone: a status without it, and its senders' connections closed")
  func endsItself() throws {
    var harness = harness()
    try start(&harness)
    let heard = harness.input(.page(sessionID: try page(harness), .ended))
    #expect(heard.map(\.type) == ["RECEIVER_STATUS", "CLOSE"])
    #expect(heard.first?.json["status"]?["applications"] == nil)
    #expect(harness.machine.application == nil)
  }

  @Test("STOP, another app and the receiver's end close the page", arguments: ["STOP", "LAUNCH", "off"])
  func closesPage(by what: String) throws {
    var harness = harness()
    try start(&harness)
    let stop = PageOrder.stop(sessionID: try page(harness))
    _ = told(&harness)
    switch what {
    case "STOP": _ = harness.send(["type": "STOP", "requestId": 3])
    case "LAUNCH": _ = harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 3])
    default: #expect(harness.machine.stop() == [.page(stop)]); return
    }
    #expect(harness.orders == [stop])
  }

  @Test("Another launch gives up a page that is still starting")
  func cancelled() throws {
    var harness = harness()
    _ = launch(&harness)
    let first = try page(harness)
    let heard = harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 8])
    #expect(heard.summary.first == "LAUNCH_ERROR CANCELLED #7" && harness.orders.last == .stop(sessionID: first))
  }

  @Test("A page that was loaded again is told everything again")
  func reload() throws {
    var harness = harness()
    try start(&harness)
    _ = told(&harness)
    _ = try say(&harness, Self.ready)
    #expect(
      told(&harness) == [
        "ready", "volumechanged 1 false", "visibilitychanged true", "standbychanged false",
        "senderconnected 1:sender-0",
      ])
  }

  @Test(
    "What a page writes is a message only with a namespace, an addressee and a text",
    arguments: [
      (#"{"namespace":"n","senderId":"*:*","data":"d"}"#, true),
      (#"{"namespace":"n","senderId":"3:s:0","data":""}"#, true),
      (#"{"namespace":"","senderId":"*:*","data":"d"}"#, false),
      (#"{"namespace":"n","senderId":"s","data":"d"}"#, false),
      (#"{"namespace":"n","senderId":"*:*","data":{}}"#, false), ("[]", false), ("{", false),
      (#"{"namespace":"n","senderId":"0:s","data":"d"}"#, false),
    ])
  func parsing(text: String, isMessage: Bool) {
    let message = PageMessage(parsing: text)
    #expect((message != nil) == isMessage)
    if let message { #expect(PageMessage(parsing: message.text) == message) }
  }
}
