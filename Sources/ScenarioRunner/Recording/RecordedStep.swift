package import CastProtocol

/// One thing that was seen while a device was recorded: what a sender did, or what came of it by itself.
package struct RecordedStep: Hashable, Sendable {
  /// Since the recording began.
  package var at: Duration
  package var act: Act
  /// What passed since the step before.
  package var lead = Lead()
  /// How long it was under way: a load until its media played.
  package var loadingTime = Duration.zero
  /// Where the content stood afterwards, in seconds; `nil` where that says nothing, as of live streams.
  package var position: Double?

  /// The time between two steps.
  package struct Lead: Hashable, Sendable {
    package var time = Duration.zero
    /// Where the content had come to by itself, in seconds; `nil` where it stood still.
    package var position: Double?
    /// Where it stands while an ad plays, in seconds.
    package var standing: Double?
    /// Whether content moved in a way that no step explains, such as around an ad.
    package var positionIsUnexplained = false

    package init(time: Duration = .zero, position: Double? = nil) {
      self.time = time
      self.position = position
    }
  }

  package enum Act: Hashable, Sendable {
    case launch(App)
    case stopApp
    case load(Load)
    /// The media could not be loaded, and the device's code for it.
    case failedLoad(Load, code: Int?)
    case pause, play, stop
    case seek(Seek)
    case rate(Double)
    /// Wire ids of all tracks that are active now.
    case tracks([Int], of: Int)
    case textStyle(TextTrackStyle)
    case skipAd
    /// 0 to 1.
    case volume(Double)
    case mute(Bool)
    case jump(Jump)
    case insert([Int], before: Int?, into: Int)
    case remove([Int], from: Int)
    case reorder([Int], of: Int)
    case repeatMode(QueueRepeatMode)
    /// The media was played to its end.
    case finished
    /// The next item of the queue came by itself: the media, by its place in the book.
    case advanced(to: Int)
    /// Playing ended with an error.
    case failed(code: Int?)
    /// The device was out of reach for so long.
    case away(Duration)
    /// The recording is over.
    case end
  }

  package struct App: Hashable, Sendable {
    package var id: String
    package var name: String
    /// Whether it ran before the recording began.
    package var isJoined = false
    package var playsMedia = true
  }

  /// A LOAD or QUEUE_LOAD, as far as statuses show it.
  package struct Load: Hashable, Sendable {
    /// Its place in the book of media.
    package var media: Int
    /// Its place among the queues; `nil`: the app tells nothing of a queue.
    package var queue: Int?
    /// Content seconds.
    package var start: Double?
    package var autoplay = true
    package var rate = 1.0
    /// Wire ids.
    package var tracks: [Int] = []
    package var style: TextTrackStyle?
  }

  package struct Seek: Hashable, Sendable {
    /// Content seconds.
    package var to: Double
    /// How far it went, in content seconds.
    package var by: Double
    /// What the player did afterwards where it was another thing than before.
    package var pausesThen: Bool?
    package var isLive = false
  }

  package struct Jump: Hashable, Sendable {
    package enum Way: Hashable, Sendable { case next, previous, item }
    package var way: Way
    /// The media's place in the book.
    package var media: Int
  }
}

/// The items of a queue as statuses showed them, a window at a time.
package struct RecordedQueue: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var id: Int
    /// Its place in the book of media; `nil` while nobody said what it is.
    package var media: Int?
    /// Whether it was put in later.
    package var isInserted = false
  }

  package var items: [Item] = []
  /// The item that played first.
  package var startID: Int?
  /// `nil`: the device did not say it.
  package var repeatMode: QueueRepeatMode?

  /// What was in it when it was loaded, as far as it is known.
  package var initial: [Item] { items.filter { !$0.isInserted && $0.media != nil } }

  package func media(of id: Int) -> Int? { items.first { $0.id == id }?.media }

  /// Takes what a status shows: those around the item that is on, in their order.
  mutating func merge(_ window: [(id: Int, media: Int?)], limit: Int) {
    for (index, shown) in window.enumerated() {
      if let known = items.firstIndex(where: { $0.id == shown.id }) {
        items[known].media = items[known].media ?? shown.media
        continue
      }
      if items.count >= limit { continue }
      let item = Item(id: shown.id, media: shown.media)
      if index > 0, let before = items.firstIndex(where: { $0.id == window[index - 1].id }) {
        items.insert(item, at: before + 1)
      } else if index + 1 < window.count, let after = items.firstIndex(where: { $0.id == window[index + 1].id }) {
        items.insert(item, at: after)
      } else {
        items.append(item)
      }
    }
  }
}
