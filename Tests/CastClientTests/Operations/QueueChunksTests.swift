import CastProtocol
import Testing

@testable import CastClient

@Suite struct QueueChunksTests {
  private static func items(_ count: Int, of size: Int) -> [QueueItem] {
    (0..<count).map { index in
      var item = QueueItem(media: MediaInformation(content: "\(index)-" + String(repeating: "x", count: size)))
      item.itemID = index
      return item
    }
  }

  @Test(
    "Every message of a long queue fits into a frame, and together they are the queue",
    arguments: [(1, 10, 0), (3, 10, 1), (500, 800, 0), (500, 800, 499), (700, 300, 350), (3, 57_000, 1)])
  func splits(count: Int, size: Int, current: Int) throws {
    let items = Self.items(count, of: size)
    let chunks = try #require(QueueChunks(items, current: current))
    func contents(_ items: [QueueItem]) -> [String] { items.compactMap(\.media?.contentID) }
    let all = chunks.preceding.flatMap { $0 } + chunks.loaded + chunks.following.flatMap { $0 }
    #expect(contents(all) == contents(items))
    #expect(contents(chunks.loaded).first == contents(items)[current])
    var messages: [MediaRequest] = [.queueLoad(QueueLoadRequest(items: chunks.loaded))]
    for chunk in chunks.following + chunks.preceding {
      messages.append(MediaRequest(.queueInsert(QueueInsertRequest(items: chunk, insertBefore: 1)), session: 1))
    }
    for message in messages { #expect(message.json(requestID: 2_000_000_000).serialized().utf8.count < 64 * 1024) }
    #expect(all.allSatisfy { $0.itemID == nil })
  }

  @Test("An item that no frame can hold, or an index that is none, is refused")
  func refuses() {
    #expect(QueueChunks(Self.items(2, of: 60_000), current: 0) == nil)
    #expect(QueueChunks(Self.items(2, of: 10), current: 2) == nil)
    #expect(QueueChunks([], current: 0) == nil)
  }
}
