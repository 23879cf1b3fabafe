import CastProtocol

/// What we ask of a browser: the calls of Chromium's debugging protocol that receiver pages need.
enum DevToolsCall: Hashable, Sendable {
  // Of the browser.
  case attachToTargets
  case createContext
  case disposeContext(String)
  /// A page from the internet may reach media and servers of this network and computer.
  case grantNetwork(context: String)
  case createTarget(address: String, context: String)
  case closeTarget(String)
  // Of a page.
  case enablePage, enableRuntime, enableNetwork, enableLog
  case addBinding(String)
  case addScript(String)
  case setUserAgent(String)
  case setSize(width: Int, height: Int)
  /// Answers of these addresses wait for us before the page gets them.
  case interceptAnswers([String])
  case runIfWaiting
  case evaluate(String)
  case answerDialog(accepts: Bool)
  case capture
  case answerBody(request: String)
  case continueRequest(String)
  case fulfill(request: String, body: [UInt8])

  private var parts: (method: String, parameters: JSONObject) {
    switch self {
    case .attachToTargets:
      ("Target.setAutoAttach", ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true])
    case .createContext: ("Target.createBrowserContext", ["disposeOnDetach": true])
    case .disposeContext(let id): ("Target.disposeBrowserContext", ["browserContextId": .string(id)])
    case .grantNetwork(let id):
      (
        "Browser.grantPermissions",
        ["permissions": ["loopbackNetwork", "localNetwork"], "browserContextId": .string(id)]
      )
    case .createTarget(let address, let context):
      (
        "Target.createTarget",
        ["url": .string(address), "browserContextId": .string(context), "width": 1280, "height": 720]
      )
    case .closeTarget(let id): ("Target.closeTarget", ["targetId": .string(id)])
    case .enablePage: ("Page.enable", [:])
    case .enableRuntime: ("Runtime.enable", [:])
    case .enableNetwork: ("Network.enable", [:])
    case .enableLog: ("Log.enable", [:])
    case .addBinding(let name): ("Runtime.addBinding", ["name": .string(name)])
    case .addScript(let source): ("Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)])
    case .setUserAgent(let text): ("Emulation.setUserAgentOverride", ["userAgent": .string(text)])
    case .setSize(let width, let height):
      (
        "Emulation.setDeviceMetricsOverride",
        ["width": .int(width), "height": .int(height), "deviceScaleFactor": 1, "mobile": false]
      )
    case .interceptAnswers(let patterns):
      (
        "Fetch.enable",
        ["patterns": .array(patterns.map { ["urlPattern": .string($0), "requestStage": "Response"] })]
      )
    case .runIfWaiting: ("Runtime.runIfWaitingForDebugger", [:])
    case .evaluate(let text): ("Runtime.evaluate", ["expression": .string(text), "returnByValue": true])
    case .answerDialog(let accepts): ("Page.handleJavaScriptDialog", ["accept": .bool(accepts)])
    case .capture: ("Page.captureScreenshot", ["format": "png"])
    case .answerBody(let id): ("Fetch.getResponseBody", ["requestId": .string(id)])
    case .continueRequest(let id): ("Fetch.continueRequest", ["requestId": .string(id)])
    case .fulfill(let id, let body):
      (
        "Fetch.fulfillRequest",
        [
          "requestId": .string(id), "responseCode": 200, "body": .string(Base64.encoded(body)),
          "responseHeaders": [
            ["name": "Content-Type", "value": "text/javascript; charset=utf-8"],
            ["name": "Access-Control-Allow-Origin", "value": "*"],
          ],
        ]
      )
    }
  }

  /// The call as it is written to the pipe.
  func bytes(id: Int, session: String?) -> [UInt8] {
    let parts = parts
    var json: JSONObject = [
      "id": .int(id), "method": .string(parts.method), "params": .object(parts.parameters),
    ]
    if let session { json["sessionId"] = .string(session) }
    return Array(json.serialized().utf8) + [0]
  }
}
