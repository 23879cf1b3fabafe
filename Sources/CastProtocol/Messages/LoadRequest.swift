/// The fields of LOAD. Source: docs/protocol.md 4.2.
package struct LoadRequest: Codable, Hashable, Sendable {
  package var autoplay = true
  /// Seconds.
  package var currentTime: Double?
  package var playbackRate: Double?
  package var activeTrackIDs: [Int]?
  package var credentials: String?
  package var credentialsType: String?
  /// Leaves out what is marked as explicit.
  package var filtersExplicit: Bool?
  package var customData: JSONValue?
  /// Where old default media receivers want it; newer ones in ``queueData``.
  package var repeatMode: QueueRepeatMode?
  package var queueData: QueueData?
  package var media: MediaInformation

  package init(media: MediaInformation) { self.media = media }
}

extension LoadRequest {
  /// Reads a LOAD, leniently; `nil` when it has neither media nor a queue.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    let queue = object["queueData"].flatMap { QueueData($0) }
    let media = object["media"].flatMap { MediaInformation($0) }
    guard let media = media ?? queue.map({ _ in MediaInformation() }) else { return nil }
    self.init(media: media)
    autoplay = object["autoplay"]?.lenientFlag ?? true
    currentTime = object["currentTime"]?.lenientSeconds
    playbackRate = object["playbackRate"]?.lenientNumber
    activeTrackIDs = object["activeTrackIds"]?.lenientList(\.lenientInteger)
    credentials = object["credentials"]?.lenientText
    credentialsType = object["credentialsType"]?.lenientText
    filtersExplicit = Self.filtersExplicit(object["loadOptions"])
    customData = object["customData"]?.unlessNull
    repeatMode = object["repeatMode"]?.string.flatMap { QueueRepeatMode(rawValue: $0) }
    queueData = queue
  }

  private static let filterWord = "FILTER_EXPLICIT"

  /// `loadOptions`; `nil` where there is nothing to say.
  static func options(filtersExplicit: Bool) -> JSONObject? {
    filtersExplicit ? ["contentFilteringMode": .string(filterWord)] : nil
  }

  static func filtersExplicit(_ options: JSONValue?) -> Bool? {
    options?["contentFilteringMode"]?.string.map { $0 == filterWord }
  }

  /// The fields as an object of its own, as a session state has them.
  package var json: JSONObject {
    var object: JSONObject = ["type": "LOAD"]
    append(to: &object)
    return object
  }

  /// Members in the order of docs/protocol.md 4.2.
  func append(to object: inout JSONObject) {
    object.append("autoplay", autoplay)
    object.append("currentTime", currentTime)
    object.append("playbackRate", playbackRate)
    object.append("activeTrackIds", activeTrackIDs.map { .array($0.map { .int($0) }) })
    object.append("credentials", credentials)
    object.append("credentialsType", credentialsType)
    object.append("loadOptions", Self.options(filtersExplicit: filtersExplicit == true))
    object.append("customData", customData)
    object.append("repeatMode", repeatMode?.rawValue)
    object.append("queueData", queueData?.json)
    object.append("media", media.json)
  }
}
