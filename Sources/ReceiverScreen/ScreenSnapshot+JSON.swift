package import CastProtocol
package import CastReceiver

extension ScreenSnapshot {
  /// What pages get: bounded texts, and addresses of the web only.
  /// - Parameter driver: The name of the page that plays.
  package func json(driver: String?) -> JSONObject {
    [
      "name": .string(Self.text(name)), "model": .string(Self.text(model)), "plays": .bool(playsOutside),
      "driver": driver.map { .string($0) } ?? .null, "standby": .bool(display.isStandby),
      "input": .bool(display.isActiveInput), "level": JSONValue(level), "muted": .bool(isMuted),
      "stream_level": JSONValue(streamLevel), "stream_muted": .bool(isStreamMuted),
      "app": app.map { app in
        [
          "session": .string(app.sessionID), "id": .string(Self.text(app.id)), "name": .string(Self.text(app.name)),
          "status": .string(Self.text(app.statusText)), "page": .bool(app.isPage),
        ]
      } ?? .null,
      "media": media?.json ?? .null, "fault": fault.map { .string($0.words) } ?? .null,
    ]
  }

  /// The longest text that a page gets, in characters.
  static let textLength = 300
  /// The longest address, in bytes.
  static let addressLength = 8_192

  static func text(_ text: String) -> String {
    text.count <= textLength ? text : text.prefix(textLength - 1) + "…"
  }

  /// An address that a page may load; `nil` for all that is none of the web.
  static func address(_ text: String?) -> JSONValue {
    guard let text, text.utf8.count <= addressLength else { return .null }
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://") ? .string(text) : .null
  }
}

extension ScreenSnapshot.Media {
  fileprivate var json: JSONValue {
    [
      "phase": .string(phase.rawValue), "category": .string(category.rawValue), "live": .bool(isLive),
      "title": text("title"), "subtitle": subtitle, "artwork": artwork, "content": content.json,
      "captions": captions?.json ?? .null, "break": adBreak?.json ?? .null, "item": .int(item), "items": .int(items),
    ]
  }

  private func text(_ name: String) -> JSONValue {
    guard let value = metadata[name]?.string, !value.isEmpty else { return .null }
    return .string(ScreenSnapshot.text(value))
  }

  /// What stands below the title, by the kinds of metadata (docs/protocol.md 5.4).
  private var subtitle: JSONValue {
    let season = metadata["season"]?.int.map { "Season \($0)" }
    let episode = metadata["episode"]?.int.map { "Episode \($0)" }
    let parts = [
      metadata["subtitle"]?.string, metadata["seriesTitle"]?.string, season, episode, metadata["artist"]?.string,
      metadata["albumName"]?.string, metadata["studio"]?.string, metadata["location"]?.string,
    ]
    let known = parts.compactMap { $0 }.filter { !$0.isEmpty }
    return known.isEmpty ? .null : .string(ScreenSnapshot.text(known.joined(separator: " · ")))
  }

  private var artwork: JSONValue {
    for image in (metadata["images"]?.array ?? []).prefix(16) {
      let address = ScreenSnapshot.address(image["url"]?.string)
      if !address.isNull { return address }
    }
    return .null
  }
}

extension ScreenSnapshot.Playback {
  fileprivate var json: JSONValue {
    [
      "id": id.map { .string($0.spelled) } ?? .null, "address": ScreenSnapshot.address(address),
      "type": contentType.map { .string(ScreenSnapshot.text($0)) } ?? .null, "order": .int(order), "jumps": .int(jumps),
      "position": JSONValue(position.seconds),
      "duration": duration.map { JSONValue($0.seconds) } ?? .null, "rate": JSONValue(rate), "runs": .bool(runs),
    ]
  }
}

extension ScreenSnapshot.Captions {
  fileprivate var json: JSONValue {
    [
      "address": ScreenSnapshot.address(address),
      "language": language.map { .string(ScreenSnapshot.text($0)) } ?? .null,
      "style": CaptionStyle(style).json,
    ]
  }
}

extension ScreenSnapshot.Break {
  fileprivate var json: JSONValue {
    [
      "title": title.map { .string(ScreenSnapshot.text($0)) } ?? .null, "position": JSONValue(position.seconds),
      "duration": JSONValue(duration.seconds), "number": .int(number), "count": .int(count),
      "skippable_after": skippableAfter.map { JSONValue($0.seconds) } ?? .null, "runs": .bool(runs),
      "clip": clip?.json ?? .null,
    ]
  }
}

extension MediaFault {
  /// For people.
  package var words: String {
    switch self {
    case .media(let code):
      "It cannot be played: \(DetailedErrorCode.name(of: code).map { "\($0), " } ?? "")error \(code)"
    case .noPage: "No page was open that could have played it"
    case .pageGone: "The page that played it was closed"
    case .pageSilent: "The page that should play it said nothing for too long"
    }
  }
}
