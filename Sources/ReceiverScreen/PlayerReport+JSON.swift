package import CastProtocol
package import CastReceiver

extension PlayerReport {
  /// Reads what a page tells; `nil` for what is no report. Nothing of it is believed but for what it has on.
  package init?(_ json: JSONValue) {
    guard let text = json["playback"]?.string, let playback = PlaybackID(spelled: text),
      let order = json["order"]?.int, order >= 0,
      let state = json["state"]?.string.flatMap({ State($0, error: json["error"]?.int) }),
      let position = Self.time(json["position"])
    else { return nil }
    self.init(playback, order: order, state, position: position)
    if let value = json["duration"], !value.isNull {
      guard let known = Self.time(value) else { return nil }
      duration = known
    }
    if let width = json["width"]?.int, let height = json["height"]?.int {
      size = MediaBehavior.VideoSize(width: width, height: height)
    }
  }

  /// Seconds of at most a year.
  private static func time(_ value: JSONValue?) -> Duration? {
    guard let seconds = value?.number, (0...31_536_000).contains(seconds) else { return nil }
    return .milliseconds(Int((seconds * 1000).rounded()))
  }
}

extension PlayerReport.State {
  /// - Parameter error: `code` of the element's `MediaError`.
  fileprivate init?(_ word: String, error: Int?) {
    switch word {
    case "loading": self = .loading
    case "paused": self = .paused
    case "playing": self = .playing
    case "waiting": self = .waiting
    case "ended": self = .ended
    case "blocked": self = .blocked
    case "failed":
      // Of HTML: aborted, network, decode, no source that it can play; of Cast: docs/protocol.md 5.9.
      switch error {
      case 1: self = .failed(code: 101)
      case 2: self = .failed(code: 103)
      case 3: self = .failed(code: 102)
      case 4: self = .failed(code: 104)
      default: self = .failed(code: 100)
      }
    default: return nil
    }
  }
}

extension PlaybackID {
  /// As pages get it and give it back.
  package var spelled: String { "\(sessionID).\(number)" }

  /// Reads ``spelled``.
  package init?(spelled text: String) {
    guard text.utf8.count <= 100, let dot = text.lastIndex(of: "."), dot != text.startIndex,
      let number = Int(text[text.index(after: dot)...]), number > 0
    else { return nil }
    self.init(sessionID: String(text[..<dot]), number: number)
  }
}
