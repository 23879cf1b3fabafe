import CastClient
import CastProtocol
package import ScenarioLanguage

/// The steps that load or insert a queue of any length: each becomes one message of less than 64 KiB.
package struct QueueSteps {
  private let entries: [AddressEntry]
  private let type: String?

  /// - Parameter type: The MIME type of all of them, where their addresses do not tell.
  package init(_ entries: [AddressEntry], type: String?) {
    self.entries = entries
    self.type = type
  }

  /// Loads all of them and plays the one at `start`, counted from 0.
  /// - Parameter more: Further keys of the step that loads.
  package func load(from start: Int, _ more: [(key: String, value: CommandValue)], into reader: inout CommandReader) {
    // What cannot be cut is one message, and the language says what is wrong with it.
    let chunks = QueueChunks(entries.map(sized), current: start)
    let sizes = chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count - start]
    let loaded = items(start..<start + (sizes.first ?? 0))
    reader.add("queue", .map([(key: "items", value: loaded)] + more))
    insert(Array(sizes.dropFirst()), from: start + (sizes.first ?? 0), before: nil, into: &reader)
    let before = chunks.map { $0.preceding.map(\.count) } ?? (start > 0 ? [start] : [])
    if before.isEmpty || reader.steps.isEmpty { return }
    reader.steps[0].save = [Plan.SavedField(name: "first", field: FieldPath(["queue", "current"]))]
    let count = reader.steps.count
    insert(before, from: 0, before: nil, into: &reader)
    for index in reader.steps.indices.dropFirst(count) {
      guard case .queueInsert(var action) = reader.steps[index].action else { continue }
      action.before = .saved("first")
      reader.steps[index].action = .queueInsert(action)
    }
  }

  /// Inserts all of them before an item; `nil`: at the end.
  package func insert(before item: CommandValue?, into reader: inout CommandReader) {
    let chunks = QueueChunks(entries.map(sized), current: 0)
    let sizes = chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count]
    insert(sizes, from: 0, before: item, into: &reader)
  }

  private func insert(
    _ sizes: [Int], from start: Int, before anchor: CommandValue?, into reader: inout CommandReader
  ) {
    var place = start
    for size in sizes {
      var body = [(key: "items", value: items(place..<place + size))]
      if let anchor { body.append(("before", anchor)) }
      reader.add("queue_insert", .map(body))
      place += size
    }
  }

  private func items(_ range: Range<Int>) -> CommandValue { .list(entries[range].map(item)) }

  private func item(_ entry: AddressEntry) -> CommandValue {
    var media: [(key: String, value: CommandValue)] = [("url", entry.address)]
    if let type { media.append(("type", .word(type))) }
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
  private func sized(_ entry: AddressEntry) -> QueueItem {
    var media = MediaInformation()
    media.contentID = entry.text
    media.contentType = type ?? "application/vnd.apple.mpegurl"
    media.streamType = "BUFFERED"
    media.duration = 123_456.789
    media.metadata = ["metadataType": 0, "title": .string(entry.title ?? ""), "images": []]
    return QueueItem(media: media)
  }
}
