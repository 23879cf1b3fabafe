package import CastProtocol

/// What several verbs of the queue name.
extension Plan {
  /// One item to load, insert or put in another's place.
  package struct QueueItem: Codable, Hashable, Sendable {
    /// The media's id, `nil` for a bare URL.
    package var mediaID: String?
    package var media: MediaInformation
    package var isImage = false
    /// The document's names of tracks, by wire id.
    package var trackNames: [Int: String] = [:]

    package init(mediaID: String?, media: MediaInformation) {
      self.mediaID = mediaID
      self.media = media
    }
  }

  /// An item of the queue that plays, as the document names it.
  package enum QueueItemReference: Codable, Hashable, Sendable {
    /// By the media's id, or a URL: the first item with that content.
    case media(id: String, content: String)
    /// By the device's item id.
    case number(Int)
    /// By an item id that an earlier step saved.
    case saved(String)
  }

  package enum RepeatMode: String, Codable, Hashable, Sendable, CaseIterable { case none, all, one, shuffle }
}

extension Plan.RepeatMode {
  /// The wire's word.
  package var wire: QueueRepeatMode {
    switch self {
    case .none: .off
    case .all: .all
    case .one: .single
    case .shuffle: .allAndShuffle
    }
  }
}

extension Plan.QueueItem {
  /// The media's id where it has one, and its URL.
  var json: JSONValue {
    var object = JSONObject()
    object["media"] = mediaID.map { .string($0) }
    object["url"] = .string(media.contentURL ?? media.contentID)
    return .object(object)
  }
}

extension Plan.QueueItemReference {
  /// A media's id or URL, the device's number, or `${name}`.
  var json: JSONValue {
    switch self {
    case .media(let id, _): .string(id)
    case .number(let number): .int(number)
    case .saved(let name): .string("${\(name)}")
    }
  }

  /// As the document names it.
  var text: String {
    switch self {
    case .media(let id, _): id
    case .number(let number): "item \(number)"
    case .saved(let name): "${\(name)}"
    }
  }

  /// The item's id, or what stands for it.
  var wire: JSONValue {
    switch self {
    case .media(let id, _): .string("‹item of \(id)›")
    case .number(let number): .int(number)
    case .saved(let name): .string("‹\(name)›")
    }
  }
}
