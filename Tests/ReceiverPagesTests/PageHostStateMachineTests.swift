import CastProtocol
import CastReceiver
import Testing

@testable import ReceiverPages

/// The rules of the browser, without one.
@Suite struct PageHostStateMachineTests {
  private var machine = PageHostStateMachine()

  private static let start = PageOrder.start(sessionID: "s", appID: "A1B2C3D4", address: "http://h/")

  /// The calls among what is to be done, each with its id, method and parameters.
  private static func calls(_ effects: [PageHostStateMachine.Effect]) -> [(id: Int, method: String, json: JSONValue)] {
    effects.compactMap { effect in
      guard case .send(let bytes) = effect, let json = try? JSONValue(parsing: Array(bytes.dropLast())) else {
        return nil
      }
      return (json["id"]?.int ?? 0, json["method"]?.string ?? "", json)
    }
  }

  private mutating func event(_ event: DevToolsEvent, _ session: String? = "page") -> [PageHostStateMachine.Effect] {
    machine.receive(.message(.event(event, session: session)))
  }

  /// Starts a page up to its document, context 5.
  private mutating func open() throws {
    #expect(machine.receive(.order(Self.start)) == [.startBrowser])
    let started = Self.calls(machine.receive(.browserStarted))
    #expect(started.map(\.method) == ["Target.setAutoAttach", "Target.createBrowserContext"])
    let created = Self.calls(
      machine.receive(.message(.reply(id: try #require(started.last).id, ["browserContextId": "ctx"]))))
    #expect(created.map(\.method) == ["Browser.grantPermissions", "Target.createTarget"])
    #expect(created.last?.json["params"]?["url"] == "http://h/")
    let prepared = Self.calls(event(.attached(session: "page", target: "T", context: "ctx", isPage: true), nil))
    #expect(prepared.last?.method == "Runtime.runIfWaitingForDebugger")
    #expect(prepared.contains { $0.method == "Page.addScriptToEvaluateOnNewDocument" })
    #expect(prepared.allSatisfy { $0.json["sessionId"] == "page" })
    _ = machine.receive(.message(.reply(id: try #require(created.last).id, ["targetId": "T"])))
    _ = event(.contextCreated(5, frame: "T", isDefault: true))
  }

  private static let message = #"send {"namespace":"n","senderId":"*:*","data":"d"}"#

  @Test("What the page's own document says is reported; frames and other scripts are not heard")
  mutating func speaks() throws {
    try open()
    let heard = event(.bindingCalled(payload: Self.message, context: 5))
    #expect(
      heard == [
        .report(
          sessionID: "s", .message(PageMessage(namespace: Namespace(rawValue: "n"), peer: .everyone, data: "d")))
      ])
    _ = event(.contextCreated(6, frame: "frame of an ad", isDefault: true))
    _ = event(.contextCreated(7, frame: "T", isDefault: false))
    for context in [6, 7, 8] { #expect(event(.bindingCalled(payload: Self.message, context: context)).isEmpty) }
    #expect(event(.bindingCalled(payload: Self.message, context: 5), "another session").isEmpty)
    _ = event(.contextsCleared)
    #expect(event(.bindingCalled(payload: Self.message, context: 5)).isEmpty)
  }

  @Test("What a handler of the page throws while it is given a message is told, with its place")
  mutating func throwsInHandler() throws {
    try open()
    let message = PageMessage(namespace: Namespace(rawValue: "n"), peer: .everyone, data: "d")
    let call = try #require(Self.calls(machine.receive(.order(.deliver(sessionID: "s", message)))).first)
    let details: JSONValue = [
      "text": "Uncaught", "lineNumber": 0, "exception": ["description": "ReferenceError: x"],
      "stackTrace": ["callFrames": [["url": "", "lineNumber": 0], ["url": "http://h/a.js", "lineNumber": 6]]],
    ]
    let effects = machine.receive(.message(.reply(id: call.id, ["exceptionDetails": details])))
    let news = PageNews(.exception, .error, "Uncaught: ReferenceError: x", address: "http://h/a.js", line: 7)
    #expect(effects == [.news(sessionID: "s", news)])
  }

  @Test("A question of the page is closed, so that the page goes on, and is told")
  mutating func dialogs() throws {
    try open()
    for (kind, accepts) in [("alert", false), ("confirm", false), ("beforeunload", true)] {
      let effects = event(.dialog(kind: kind, text: "Sure?"))
      let call = try #require(Self.calls(effects).first)
      #expect(call.method == "Page.handleJavaScriptDialog" && call.json["params"]?["accept"] == .bool(accepts))
      #expect(call.json["sessionId"] == "page")
      let told = PageNews(.browser, .warning, "\(kind) was closed, for nobody can answer it: Sure?")
      #expect(effects.contains(.news(sessionID: "s", told)))
    }
  }

  @Test("Why a page is given up is an error for its developer")
  mutating func givenUp() throws {
    try open()
    let effects = machine.receive(.order(.fail(sessionID: "s", "too late")))
    #expect(effects == [.news(sessionID: "s", PageNews(.platform, .error, "too late"))])
  }

  @Test("A message for the page is handed over as a text, whatever is in it")
  mutating func hears() throws {
    try open()
    let data = "\"); alert(1); //\u{2028}\\"
    let message = PageMessage(namespace: Namespace(rawValue: "n"), peer: .everyone, data: data)
    let call = Self.calls(machine.receive(.order(.deliver(sessionID: "s", message)))).first
    let expression = try #require(call?.json["params"]?["expression"]?.string)
    let start = try #require(expression.firstIndex(of: "("))
    let literal = String(expression[start...].dropFirst().dropLast())
    #expect(try JSONValue(parsing: literal) == .string(message.text))
    #expect(machine.receive(.order(.deliver(sessionID: "other", message))).isEmpty)
  }

  @Test(
    "However a page ends, its receiver is told once, and target and context are closed",
    arguments: [
      DevToolsEvent.crashed, .detached(session: "page"), .bindingCalled(payload: "close", context: 5),
    ])
  mutating func ends(by event: DevToolsEvent) throws {
    try open()
    let effects = self.event(event)
    #expect(effects.filter { $0 == .report(sessionID: "s", .ended) }.count == 1)
    #expect(Self.calls(effects).map(\.method) == ["Target.closeTarget", "Target.disposeBrowserContext"])
    #expect(self.event(.crashed).isEmpty && self.event(.detached(session: "page"), nil).isEmpty)
  }

  @Test("A page that is not there, or whose server is not, ends at once instead of after the launch's time")
  mutating func missing() throws {
    for isAnswered in [true, false] {
      machine = PageHostStateMachine()
      try open()
      _ = event(.requested(id: "1", address: "http://h/"))
      let effects =
        isAnswered
        ? event(.answered(id: "1", address: "http://h/", status: 404))
        : event(.requestFailed(id: "1", reason: "net::ERR_CONNECTION_REFUSED"))
      #expect(effects.contains(.report(sessionID: "s", .ended)))
    }
  }

  @Test("A failed request of the page's is told with its address, and is not the page's end")
  mutating func failedRequest() throws {
    try open()
    _ = event(.requested(id: "1", address: "http://h/"))
    _ = event(.requested(id: "2", address: "http://h/a.png"))
    #expect(
      event(.requestFailed(id: "2", reason: "csp"))
        == [.news(sessionID: "s", PageNews(.request, .error, "failed: csp", address: "http://h/a.png"))])
  }

  @Test("When the browser goes, its pages end, whoever waits for a picture gets none, and the next page starts another")
  mutating func browserEnds() throws {
    try open()
    #expect(
      Self.calls(machine.receive(.picture(sessionID: "s", number: 4))).map(\.method) == ["Page.captureScreenshot"])
    let effects = machine.receive(.browserEnded("killed"))
    #expect(effects.first == .picture(4, nil) && effects.last == .report(sessionID: "s", .ended))
    #expect(machine.receive(.order(Self.start)) == [.startBrowser])
  }

  @Test("Two pages have a context each, and each hears of its own end only")
  mutating func severalPages() throws {
    try open()
    let second = PageOrder.start(sessionID: "t", appID: "B", address: "http://h/2")
    let asked = try #require(Self.calls(machine.receive(.order(second))).first)
    #expect(asked.method == "Target.createBrowserContext")
    _ = machine.receive(.message(.reply(id: asked.id, ["browserContextId": "ctx2"])))
    _ = event(.attached(session: "page2", target: "T2", context: "ctx2", isPage: true), nil)
    #expect(event(.crashed, "page2").contains(.report(sessionID: "t", .ended)))
    _ = event(.contextCreated(5, frame: "T", isDefault: true))
    #expect(!event(.bindingCalled(payload: Self.message, context: 5)).isEmpty)
  }

  @Test("A page that is stopped while its context is made leaves none behind")
  mutating func stoppedEarly() throws {
    _ = machine.receive(.order(Self.start))
    let asked = try #require(Self.calls(machine.receive(.browserStarted)).last)
    _ = machine.receive(.order(.stop(sessionID: "s")))
    let effects = machine.receive(.message(.reply(id: asked.id, ["browserContextId": "ctx"])))
    #expect(Self.calls(effects).map(\.method) == ["Target.disposeBrowserContext"])
  }

  @Test("Windows that a page opens are closed, and workers go on")
  mutating func others() throws {
    try open()
    let window = event(.attached(session: "w", target: "W", context: "ctx", isPage: true), nil)
    #expect(Self.calls(window).map(\.method) == ["Target.closeTarget"])
    let worker = event(.attached(session: "x", target: "X", context: "ctx", isPage: false), nil)
    #expect(Self.calls(worker).map(\.method) == ["Runtime.runIfWaitingForDebugger"])
  }

  @Test("Google's scripts are kept when they come, and taken from there when they do not")
  mutating func scripts() throws {
    try open()
    let address = "https://www.gstatic.com/cast/sdk/libs/a.js"
    let asked = try #require(Self.calls(event(.paused(request: "r", address: address, status: 200))).first)
    #expect(asked.method == "Fetch.getResponseBody")
    let kept = machine.receive(.message(.reply(id: asked.id, ["body": "TWFu", "base64Encoded": true])))
    #expect(kept.first == .writeCache(address: address, Array("Man".utf8)))
    #expect(Self.calls(kept).map(\.method) == ["Fetch.continueRequest"])
    let paused = PageHostStateMachine.PausedRequest(session: "page", id: "r", address: address)
    #expect(event(.paused(request: "r", address: address, status: nil)) == [.readCache(paused)])
    #expect(Self.calls(machine.receive(.cached(paused, Array("Man".utf8)))).map(\.method) == ["Fetch.fulfillRequest"])
    #expect(Self.calls(machine.receive(.cached(paused, nil))).map(\.method) == ["Fetch.continueRequest"])
    #expect(
      Self.calls(event(.paused(request: "r", address: address, status: 304))).map(\.method) == ["Fetch.continueRequest"]
    )
  }

  @Test("A page that talks without end is told of up to a limit, and the last line says so")
  mutating func flood() throws {
    try open()
    var news: [PageHostStateMachine.Effect] = []
    for _ in 0..<(PageHostStateMachine.newsLimit + 50) { news += event(.news(PageNews(.console, .info, "x"))) }
    #expect(news.count == PageHostStateMachine.newsLimit)
    #expect(news.last == .news(sessionID: "s", PageNews(.platform, .warning, "more of this page is not told")))
  }
}
