package import CastProtocol
import ScenarioLanguage

/// The queue of a device: a line for each item, or a list for programs.
extension DeviceState {
  private var currentItem: Int? { view.media?.currentItemID }

  /// `* 2  Sintel  14:48`: the item that plays is marked.
  package var queueLines: [String] {
    let items = queue ?? []
    let width = items.map { Self.number(of: $0).count }.max() ?? 0
    return items.map { item in
      let number = Self.number(of: item)
      let mark = item.itemID != nil && item.itemID == currentItem ? "*" : " "
      var words = [item.media?.nameForPeople ?? "?"]
      if let duration = item.media?.duration, duration > 0 { words.append(Self.clock(duration)) }
      let place = String(repeating: " ", count: width - number.count) + number
      return TerminalText.escaped("\(mark) \(place)  \(words.joined(separator: "  "))")
    }
  }

  private static func number(of item: QueueItem) -> String { item.itemID.map(String.init) ?? "?" }

  /// `id`, `current`, `content`, `title`, `type`, `duration` of each item; `nil` where they were not asked for.
  package var queueJSON: JSONValue? {
    queue.map { items in
      .array(
        items.map { item in
          var object = JSONObject()
          object["id"] = item.itemID.map(JSONValue.int)
          object["current"] = .bool(item.itemID != nil && item.itemID == currentItem)
          object["content"] = item.media.map { .string($0.contentID) }
          object["title"] = item.media?.metadata?["title"]
          object["type"] = item.media?.contentType.map(JSONValue.string)
          object["duration"] = item.media?.duration.map { JSONValue($0) }
          return .object(object)
        })
    }
  }
}
