package import CastProtocol

/// What the verbs of the queue say (docs/language/steps.md "Media").
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

  /// `QUEUE_LOAD`, one message.
  package struct QueueAction: Codable, Hashable, Sendable {
    package var items: [QueueItem]
    /// 1 is the first.
    package var startAt = 1
    package var repeatMode = RepeatMode.none
    /// As of ``LoadAction``.
    package var appID: String?
    package var defaultAppID: String
    package var until = LoadAction.Until.playing

    package init(items: [QueueItem], defaultAppID: String) {
      self.items = items
      self.defaultAppID = defaultAppID
    }

    /// What goes over the wire.
    package var request: QueueLoadRequest {
      var request = QueueLoadRequest(items: items.map { CastProtocol.QueueItem(media: $0.media) })
      request.startIndex = startAt - 1
      request.repeatMode = repeatMode.wire
      return request
    }
  }

  package enum RepeatMode: String, Codable, Hashable, Sendable { case none, all, one, shuffle }

  package struct QueueInsertAction: Codable, Hashable, Sendable {
    package var items: [QueueItem]
    /// `nil`: at the end.
    package var before: QueueItemReference?

    package init(items: [QueueItem]) { self.items = items }
  }

  package enum QueueJump: Codable, Hashable, Sendable {
    case next, previous
    case item(QueueItemReference)
  }

  package struct QueueUpdateAction: Codable, Hashable, Sendable {
    package struct Replacement: Codable, Hashable, Sendable {
      package var item: QueueItemReference
      package var media: QueueItem

      package init(item: QueueItemReference, media: QueueItem) {
        self.item = item
        self.media = media
      }
    }
    /// How many items forward, or back where negative.
    package var jump: Int?
    package var repeatMode: RepeatMode?
    package var shuffle: Bool?
    package var items: [Replacement] = []

    package init() {}
  }

  package struct QueueReorderAction: Codable, Hashable, Sendable {
    /// In their new order.
    package var items: [QueueItemReference]
    /// `nil`: at the end.
    package var before: QueueItemReference?

    package init(items: [QueueItemReference]) { self.items = items }
  }
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
