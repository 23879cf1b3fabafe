/// One item of a queue. Source: docs/protocol.md 5.8.
package struct QueueItem: Codable, Hashable, Sendable {
  /// Given by the receiver; absent in what is loaded or inserted.
  package var itemID: Int?
  package var media: MediaInformation?
  /// Absent: it plays by itself.
  package var autoplay: Bool?
  /// Seconds.
  package var startTime: Double?
  /// Seconds; negative counts back from the end.
  package var playbackDuration: Double?
  /// Seconds before the end of the item before.
  package var preloadTime: Double?
  package var activeTrackIDs: [Int]?
  package var customData: JSONValue?
  /// The position in the queue; only receivers say it.
  package var orderID: Int?

  package init(media: MediaInformation? = nil) { self.media = media }
}

extension QueueItem {
  /// Reads an item, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .itemID: itemID = value.lenientInteger
      case .media: media = MediaInformation(value)
      case .autoplay: autoplay = value.lenientFlag
      case .startTime: startTime = value.lenientSeconds
      case .playbackDuration: playbackDuration = value.lenientSeconds
      case .preloadTime: preloadTime = value.lenientSeconds
      case .activeTrackIDs: activeTrackIDs = value.lenientList(\.lenientInteger)
      case .customData: customData = value.unlessNull
      case .orderID: orderID = value.lenientInteger
      default: break
      }
    }
  }

  /// The object as the queue's requests send it: what is short comes first, the media last, as in LOAD.
  package var json: JSONValue {
    var object = JSONObject()
    object.append("itemId", itemID)
    object.append("autoplay", autoplay)
    object.append("startTime", startTime)
    object.append("playbackDuration", playbackDuration)
    object.append("preloadTime", preloadTime)
    object.append("activeTrackIds", activeTrackIDs.map { .array($0.map { .int($0) }) })
    object.append("orderId", orderID)
    object.append("customData", customData)
    object.append("media", media?.json)
    return .object(object)
  }
}
