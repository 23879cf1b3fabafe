import CastProtocol
import CastReceiver

/// The rules of a browser that shows receiver pages: orders and what the browser tells in, calls and reports out.
///
/// Holds no process and no clock: how long a page may take to be ready is for the receiver that started it to say.
struct PageHostStateMachine: Sendable {
  enum Input: Hashable, Sendable {
    case order(PageOrder)
    case browserStarted
    /// It could not be started, or is gone.
    case browserEnded(String)
    case message(DevToolsMessage)
    /// Somebody wants a picture of a page; ``Effect/picture(_:_:)`` has the same number.
    case picture(sessionID: String, number: Int)
    /// What the cache has of a script, for ``Effect/readCache(_:_:)``.
    case cached(PausedRequest, [UInt8]?)
  }

  enum Effect: Hashable, Sendable {
    case startBrowser
    case send([UInt8])
    case report(sessionID: String, PageReport)
    case news(sessionID: String, PageNews)
    /// `nil`: there is none.
    case picture(Int, [UInt8]?)
    case readCache(PausedRequest)
    case writeCache(address: String, [UInt8])
  }

  /// A script of the SDK that could not be fetched.
  struct PausedRequest: Hashable, Sendable {
    let session: String
    let id: String
    let address: String
  }

  /// What a call that is not answered yet was for.
  private enum Purpose: Hashable {
    case context(sessionID: String)
    case target(sessionID: String)
    case picture(Int, sessionID: String)
    case body(PausedRequest)
    case delivery(sessionID: String)
  }

  struct Page: Sendable {
    let address: String
    var context: String?
    var target: String?
    /// The debugging session.
    var session: String?
    /// The script context of its document; only that one speaks for the page.
    var document: Int?
    /// The request for the page itself.
    var firstRequest: String?
    /// Addresses of requests that are not over.
    var requests: [String: String] = [:]
    var newsLeft = PageHostStateMachine.newsLimit
  }

  /// What one page may tell, and how many of its requests are kept in mind.
  static let newsLimit = 2000
  static let requestLimit = 1024
  /// What real devices of 2023 call themselves; players look for `CrKey`.
  static let userAgent =
    "Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 CrKey/1.56.500000 DeviceType/Chromecast"
  /// Where Google's scripts for receivers come from.
  static let scripts = [
    "*://www.gstatic.com/cast/sdk/libs/*", "*://ajax.googleapis.com/ajax/libs/shaka-player/*",
  ]

  private enum Browser { case off, starting, on }

  private var browser = Browser.off
  /// By the session id of their apps.
  private(set) var pages: [String: Page] = [:]
  /// In the order of their starts.
  private var order: [String] = []
  private var calls: [Int: Purpose] = [:]
  private var lastCall = 0
  private var effects: [Effect] = []

  mutating func receive(_ input: Input) -> [Effect] {
    switch input {
    case .order(let order): perform(order)
    case .browserStarted:
      browser = .on
      call(.attachToTargets)
      for id in order { create(id) }
    case .browserEnded(let reason): browserEnded(reason)
    case .message(.reply(let id, let result)):
      if let purpose = calls.removeValue(forKey: id) { take(result, for: purpose) }
    case .message(.event(let event, let session)): take(event, session)
    case .picture(let sessionID, let number): capture(sessionID, number)
    case .cached(let request, let body): answer(request, body)
    }
    defer { effects = [] }
    return effects
  }

  // MARK: orders

  private mutating func perform(_ order: PageOrder) {
    switch order {
    case .start(let sessionID, _, let address):
      guard pages[sessionID] == nil else { return }
      pages[sessionID] = Page(address: address)
      self.order.append(sessionID)
      switch browser {
      case .off:
        browser = .starting
        effects.append(.startBrowser)
      case .starting: break
      case .on: create(sessionID)
      }
    case .deliver(let sessionID, let message):
      guard let session = pages[sessionID]?.session else { return }
      // Without bound they would be kept for a page that stands.
      let purpose = calls.count < Self.requestLimit ? Purpose.delivery(sessionID: sessionID) : nil
      call(.evaluate(PlatformScript.delivery(message.text)), session, for: purpose)
    case .warn(let sessionID, let text): tell(PageNews(.platform, .warning, text), of: sessionID)
    case .fail(let sessionID, let text): tell(PageNews(.platform, .error, text), of: sessionID)
    case .stop(let sessionID): close(sessionID)
    }
  }

  private mutating func create(_ sessionID: String) {
    call(.createContext, for: .context(sessionID: sessionID))
  }

  /// Closes a page and forgets it.
  private mutating func close(_ sessionID: String) {
    guard let page = pages.removeValue(forKey: sessionID) else { return }
    order.removeAll { $0 == sessionID }
    for (id, purpose) in calls {
      if case .picture(let number, sessionID) = purpose {
        calls[id] = nil
        effects.append(.picture(number, nil))
      }
    }
    if let target = page.target { call(.closeTarget(target)) }
    if let context = page.context { call(.disposeContext(context)) }
  }

  /// A page that is over by itself.
  private mutating func end(_ sessionID: String, _ news: PageNews?) {
    guard pages[sessionID] != nil else { return }
    if let news { tell(news, of: sessionID) }
    close(sessionID)
    effects.append(.report(sessionID: sessionID, .ended))
  }

  private mutating func browserEnded(_ reason: String) {
    browser = .off
    for purpose in calls.values { if case .picture(let number, _) = purpose { effects.append(.picture(number, nil)) } }
    calls = [:]
    for id in order {
      tell(PageNews(.platform, .error, reason), of: id)
      effects.append(.report(sessionID: id, .ended))
    }
    pages = [:]
    order = []
  }

  // MARK: answers

  private mutating func take(_ result: JSONObject?, for purpose: Purpose) {
    switch purpose {
    case .context(let sessionID):
      guard let context = result?["browserContextId"]?.string else {
        end(sessionID, PageNews(.platform, .error, "the browser could not open a page"))
        return
      }
      guard let page = pages[sessionID] else {
        call(.disposeContext(context))
        return
      }
      pages[sessionID]?.context = context
      call(.grantNetwork(context: context))
      call(.createTarget(address: page.address, context: context), for: .target(sessionID: sessionID))
    case .target(let sessionID):
      if result?["targetId"]?.string == nil {
        end(sessionID, PageNews(.platform, .error, "the browser refused the address of the page"))
      }
    case .picture(let number, _):
      effects.append(.picture(number, result?["data"]?.string.flatMap(Base64.decoded)))
    case .body(let request):
      if let body = result?["body"]?.string {
        let isEncoded = result?["base64Encoded"] == true
        if let bytes = isEncoded ? Base64.decoded(body) : Array(body.utf8), !bytes.isEmpty {
          effects.append(.writeCache(address: request.address, bytes))
        }
      }
      call(.continueRequest(request.id), request.session)
    case .delivery(let sessionID):
      // The browser tells what a handler throws only here.
      if let details = result?["exceptionDetails"] { tell(PageNews(thrown: details), of: sessionID) }
    }
  }

  private mutating func capture(_ sessionID: String, _ number: Int) {
    guard let session = pages[sessionID]?.session else {
      effects.append(.picture(number, nil))
      return
    }
    call(.capture, session, for: .picture(number, sessionID: sessionID))
  }

  /// The browser goes on with what the cache has, or with the failure.
  private mutating func answer(_ request: PausedRequest, _ body: [UInt8]?) {
    if let body {
      call(.fulfill(request: request.id, body: body), request.session)
    } else {
      call(.continueRequest(request.id), request.session)
    }
  }

  // MARK: events

  private mutating func take(_ event: DevToolsEvent, _ session: String?) {
    if case .attached(let session, let target, let context, let isPage) = event {
      attach(session, target, context, isPage)
      return
    }
    if case .detached(let session) = event {
      if let id = page(of: session) { end(id, PageNews(.platform, .info, "the page closed")) }
      return
    }
    guard let session, let id = page(of: session) else { return }
    switch event {
    case .attached, .detached, .other: return
    case .crashed: end(id, PageNews(.platform, .error, "the page crashed"))
    case .contextCreated(let number, let frame, let isDefault):
      if isDefault, frame == pages[id]?.target { pages[id]?.document = number }
    case .contextsCleared: pages[id]?.document = nil
    case .bindingCalled(let payload, let context):
      if context == pages[id]?.document, let word = PlatformScript.Word(payload) { take(word, of: id) }
    case .news(let news): tell(news, of: id)
    case .dialog(let kind, let text):
      // Nobody sits before a receiver; a page may always leave.
      call(.answerDialog(accepts: kind == "beforeunload"), session)
      tell(PageNews(.browser, .warning, "\(kind) was closed, for nobody can answer it: \(text)"), of: id)
    case .requested(let request, let address):
      if pages[id]?.requests.count ?? 0 >= Self.requestLimit { pages[id]?.requests = [:] }
      pages[id]?.requests[request] = address
      if pages[id]?.firstRequest == nil { pages[id]?.firstRequest = request }
    case .answered(let request, let address, let status):
      guard status >= 400 else { return }
      tell(PageNews(.request, .error, "was answered with \(status)", address: address), of: id)
      if request == pages[id]?.firstRequest { end(id, PageNews(.platform, .error, "the page is not there")) }
    case .requestFailed(let request, let reason):
      let address = pages[id]?.requests.removeValue(forKey: request)
      tell(PageNews(.request, .error, "failed: \(reason)", address: address), of: id)
      if request == pages[id]?.firstRequest {
        end(id, PageNews(.platform, .error, "the page could not be loaded"))
      }
    case .requestEnded(let request): pages[id]?.requests[request] = nil
    case .paused(let request, let address, let status):
      let paused = PausedRequest(session: session, id: request, address: address)
      switch status {
      case nil: effects.append(.readCache(paused))
      case 200: call(.answerBody(request: request), session, for: .body(paused))
      default: call(.continueRequest(request), session)
      }
    }
  }

  private mutating func take(_ word: PlatformScript.Word, of sessionID: String) {
    switch word {
    case .opened: return
    case .closed: end(sessionID, PageNews(.platform, .info, "the page ended itself"))
    case .sent(let text):
      guard let message = PageMessage(parsing: text) else {
        tell(
          PageNews(
            .platform, .warning,
            "dropped what is no message: it has to be JSON with the texts namespace, senderId and data"),
          of: sessionID)
        return
      }
      effects.append(.report(sessionID: sessionID, .message(message)))
    }
  }

  /// Prepares a page before its first script runs; whatever else is there goes on, and windows that pages open close.
  private mutating func attach(_ session: String, _ target: String, _ context: String?, _ isPage: Bool) {
    guard isPage, let context, let id = order.first(where: { pages[$0]?.context == context }) else {
      call(.runIfWaiting, session)
      return
    }
    guard pages[id]?.session == nil else {
      call(.closeTarget(target))
      return
    }
    pages[id]?.session = session
    pages[id]?.target = target
    // A page that waits answers some of these only once it runs.
    call(.enablePage, session)
    call(.setUserAgent(Self.userAgent), session)
    call(.setSize(width: 1280, height: 720), session)
    call(.enableRuntime, session)
    call(.addBinding(PlatformScript.binding), session)
    call(.addScript(PlatformScript.source), session)
    call(.enableNetwork, session)
    call(.enableLog, session)
    call(.interceptAnswers(Self.scripts), session)
    call(.runIfWaiting, session)
  }

  private func page(of session: String) -> String? { order.first { pages[$0]?.session == session } }

  private mutating func tell(_ news: PageNews, of sessionID: String) {
    guard let left = pages[sessionID]?.newsLeft, left > 0 else { return }
    pages[sessionID]?.newsLeft = left - 1
    let last = PageNews(.platform, .warning, "more of this page is not told")
    effects.append(.news(sessionID: sessionID, left == 1 ? last : news))
  }

  private mutating func call(_ call: DevToolsCall, _ session: String? = nil, for purpose: Purpose? = nil) {
    lastCall += 1
    if let purpose { calls[lastCall] = purpose }
    effects.append(.send(call.bytes(id: lastCall, session: session)))
  }
}
