/// What the rules want of the browser that shows receiver pages; each page is one life of an app, by its session id.
package enum PageOrder: Hashable, Sendable {
  /// Open `address` for the app; ``PageReport`` tells what becomes of it.
  case start(sessionID: String, appID: String, address: String)
  /// Hand the page a message; nothing where it has gone.
  case deliver(sessionID: String, PageMessage)
  /// Tell the page's developer what the platform did not like.
  case warn(sessionID: String, String)
  /// Tell the page's developer why it is given up.
  case fail(sessionID: String, String)
  /// Close it; nothing comes from it any more.
  case stop(sessionID: String)

  package var sessionID: String {
    switch self {
    case .start(let id, _, _), .deliver(let id, _), .warn(let id, _), .fail(let id, _), .stop(let id): id
    }
  }
}

/// What comes of a page, in its order.
package enum PageReport: Hashable, Sendable {
  case message(PageMessage)
  /// It closed its channel, crashed, could not be loaded, or the browser went away; the last that comes of it.
  case ended
}
