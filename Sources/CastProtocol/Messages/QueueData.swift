/// What a queue is as a whole. Source: docs/protocol.md 5.8.
package struct QueueData: Codable, Hashable, Sendable {
  package var id: String?
  package var name: String?
  package var description: String?
  package var entity: String?
  package var queueType: String?
  package var repeatMode: String?
  package var shuffle: Bool?
  /// Only senders say them here; a status has its own `items`.
  package var items: [QueueItem]?
  /// From 0.
  package var startIndex: Int?
  /// Seconds.
  package var startTime: Double?
  package var container: ContainerMetadata?

  package init() {}

  /// What the items of a queue are part of: an album, an audiobook.
  package struct ContainerMetadata: Codable, Hashable, Sendable {
    /// 0 is generic, 1 an audiobook.
    package var containerType: Int?
    package var title: String?
    /// Seconds.
    package var containerDuration: Double?
    package var containerImages: [MediaImage]?
    /// Metadata of each section, as on the wire.
    package var sections: [JSONObject]?
    package var authors: [String]?
    package var narrators: [String]?
    package var publisher: String?
    /// ISO 8601.
    package var releaseDate: String?

    package init() {}
  }
}

extension QueueData {
  /// Reads queue data, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "id": id = value.lenientText
      case "name": name = value.lenientText
      case "description": description = value.lenientText
      case "entity": entity = value.lenientText
      case "queueType": queueType = value.lenientText
      case "repeatMode": repeatMode = value.lenientText
      case "shuffle": shuffle = value.lenientFlag
      case "items": items = value.lenientList { QueueItem($0) }
      case "startIndex": startIndex = value.lenientInteger
      case "startTime": startTime = value.lenientSeconds
      case "containerMetadata": container = ContainerMetadata(value)
      default: break
      }
    }
  }

  /// The object as LOAD sends it: what is short comes first, the items last.
  package var json: JSONValue {
    var object = JSONObject()
    object.append("id", id)
    object.append("name", name)
    object.append("description", description)
    object.append("entity", entity)
    object.append("queueType", queueType)
    object.append("repeatMode", repeatMode)
    object.append("shuffle", shuffle)
    object.append("startIndex", startIndex)
    object.append("startTime", startTime)
    object.append("containerMetadata", container?.json)
    object.append("items", items.map { .array($0.map(\.json)) })
    return .object(object)
  }
}

extension QueueData.ContainerMetadata {
  /// Reads container metadata, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "containerType": containerType = value.lenientInteger
      case "title": title = value.lenientText
      case "containerDuration": containerDuration = value.lenientSeconds
      case "containerImages": containerImages = value.lenientList { MediaImage($0) }
      case "sections": sections = value.lenientList(\.object)
      case "authors": authors = value.lenientList(\.lenientText)
      case "narrators": narrators = value.lenientList(\.lenientText)
      case "publisher": publisher = value.lenientText
      case "releaseDate": releaseDate = value.lenientText
      default: break
      }
    }
  }

  package var json: JSONValue {
    var object = JSONObject()
    object.append("containerType", containerType)
    object.append("title", title)
    object.append("containerDuration", containerDuration)
    object.append("containerImages", containerImages.map { .array($0.map(\.json)) })
    object.append("sections", sections.map { .array($0.map { .object($0) }) })
    object.append("authors", authors.map { .array($0.map { .string($0) }) })
    object.append("narrators", narrators.map { .array($0.map { .string($0) }) })
    object.append("publisher", publisher)
    object.append("releaseDate", releaseDate)
    return .object(object)
  }
}
