import CastClient
import CastProtocol
package import ScenarioLanguage

/// Loading or inserting a queue of any length: each part becomes one message of less than 64 KiB.
extension DeviceCommand {
  /// Loads all of the addresses and plays the one at `start`, counted from 0.
  /// - Returns: `nil` where one is wrong, which the reader was told.
  package init?(
    queue entries: [AddressEntry], from start: Int, _ words: QueueWords, read reader: inout CommandReader
  ) {
    // What cannot be cut is one message, and the language says what is wrong with it.
    let chunks = QueueChunks(entries.map { $0.sized(words.type) }, current: start)
    var sizes = chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count - start]
    let count = sizes.isEmpty ? 0 : sizes.removeFirst()
    let loaded = reader.queue(Array(entries[start..<start + count]), words)
    let following = Self.insertions(of: entries[(start + count)...], sizes, words.type, before: nil, &reader)
    // Where nothing could be read, more of the same kind is no help.
    guard loaded != nil || !following.isEmpty else { return nil }
    let before = chunks.map { $0.preceding.map(\.count) } ?? (start > 0 ? [start] : [])
    let preceding = Self.insertions(of: entries[..<start], before, words.type, before: nil, &reader)
    guard let loaded, following.count == sizes.count, preceding.count == before.count else { return nil }
    let parts =
      [Part.action(.queueLoad(loaded))]
      + following.map { Part.action(.queueInsert(items: $0.items, before: nil)) }
      + preceding.map { Part.insertBeforeFirst($0.items) }
    self.init(parts, limitIsForAll: true)
  }

  /// Inserts all of the addresses.
  /// - Parameter place: The item they go before; `nil`: at the end.
  /// - Returns: `nil` where a word is wrong, which the reader was told.
  package init?(
    insert entries: [AddressEntry], type: String?, before place: String?, read reader: inout CommandReader
  ) {
    let chunks = QueueChunks(entries.map { $0.sized(type) }, current: 0)
    let sizes = chunks.map { ([$0.loaded] + $0.following).map(\.count) } ?? [entries.count]
    let insertions = Self.insertions(of: entries[...], sizes, type, before: place, &reader)
    guard insertions.count == sizes.count else { return nil }
    self.init(
      insertions.map { insertion in
        .action(
          .queueInsert(items: insertion.items, before: insertion.before.flatMap(QueueItemName.init(typed:))))
      }, limitIsForAll: true)
  }

  /// Those of the insertions that could be read.
  private static func insertions(
    of entries: ArraySlice<AddressEntry>, _ sizes: [Int], _ type: String?, before place: String?,
    _ reader: inout CommandReader
  ) -> [Plan.QueueInsertAction] {
    var rest = entries
    var insertions: [Plan.QueueInsertAction] = []
    for size in sizes {
      if let insertion = reader.insertion(of: Array(rest.prefix(size)), type: type, before: place) {
        insertions.append(insertion)
      }
      rest = rest.dropFirst(size)
    }
    return insertions
  }
}

extension AddressEntry {
  /// What takes as much of a message as the item will, or more.
  fileprivate func sized(_ type: String?) -> QueueItem {
    var media = MediaInformation()
    media.contentID = text
    media.contentType = type ?? "application/vnd.apple.mpegurl"
    media.streamType = "BUFFERED"
    media.duration = 123_456.789
    media.metadata = ["metadataType": 0, "title": .string(title ?? ""), "images": []]
    return QueueItem(media: media)
  }
}
