import CastClient
import CastProtocol

/// The steps that load or insert a queue of any length: each becomes one message of less than 64 KiB.
struct QueueSteps {
  private let entries: [AddressList.Entry]
  private let type: Word?

  /// - Parameter type: The MIME type of all of them, where their addresses do not tell.
  init(_ list: AddressList, type: Word?) {
    entries = list.entries
    self.type = type
  }

  /// Loads all of them and plays the one at `start`, counted from 0.
  /// - Parameter more: Further keys of the step that loads.
  func load(from start: Int, _ more: [(key: String, value: Written)]) -> [WrittenStep] {
    // What cannot be cut is one message, and the language says what is wrong with it.
    let chunks = QueueChunks(entries.map(sized), current: start)
    let sizes = chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count - start]
    var (steps, place) = ([WrittenStep](), start)
    for size in sizes {
      let items = (key: "items", value: Written.list(entries[place..<place + size].map(item)))
      steps.append(
        steps.isEmpty ? WrittenStep("queue", .map([items] + more)) : WrittenStep("queue_insert", .map([items])))
      place += size
    }
    let before = chunks.map { $0.preceding.map(\.count) } ?? (start > 0 ? [start] : [])
    if !before.isEmpty { steps[0].save = (name: "first", field: "queue.current") }
    return steps + inserted(before, from: 0, before: .saved("first"))
  }

  /// Inserts all of them before an item; `nil`: at the end.
  func insert(before item: Written?) -> [WrittenStep] {
    let chunks = QueueChunks(entries.map(sized), current: 0)
    return inserted(chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count], from: 0, before: item)
  }

  private func inserted(_ sizes: [Int], from start: Int, before anchor: Written?) -> [WrittenStep] {
    var place = start
    return sizes.map { size in
      defer { place += size }
      var body = [(key: "items", value: Written.list(entries[place..<place + size].map(item)))]
      if let anchor { body.append(("before", anchor)) }
      return WrittenStep("queue_insert", .map(body))
    }
  }

  private func item(_ entry: AddressList.Entry) -> Written {
    var media: [(key: String, value: Written)] = [("url", entry.address)]
    if let type = Written(type) { media.append(("type", type)) }
    if let duration = entry.duration, let text = Self.milliseconds(duration) {
      media.append(("duration", .fixed(text)))
    }
    if let title = entry.title { media.append(("metadata", .map([("title", .fixed(title))]))) }
    return .map(media)
  }

  private static func milliseconds(_ seconds: Double) -> String? {
    Int(exactly: (seconds * 1000).rounded()).map { "\(max(1, $0))ms" }
  }

  /// What takes as much of a message as the item will, or more.
  private func sized(_ entry: AddressList.Entry) -> QueueItem {
    var media = MediaInformation()
    media.contentID = entry.text
    media.contentType = type?.text ?? "application/vnd.apple.mpegurl"
    media.streamType = "BUFFERED"
    media.duration = 123_456.789
    media.metadata = ["metadataType": 0, "title": .string(entry.title ?? ""), "images": []]
    return QueueItem(media: media)
  }
}
