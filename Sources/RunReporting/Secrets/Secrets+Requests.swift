package import CastProtocol

/// What messages to a device carry, with the values in place.
extension Secrets {
  package func revealed(_ text: String?) throws(StepFailure) -> String? {
    guard let text else { return nil }
    return try revealed(text) as String
  }

  package func revealed(_ request: LoadRequest) throws(StepFailure) -> LoadRequest {
    var result = request
    result.credentials = try revealed(request.credentials)
    if let data = request.customData { result.customData = try revealed(data) }
    result.media = try revealed(request.media)
    return result
  }

  package func revealed(_ media: MediaInformation) throws(StepFailure) -> MediaInformation {
    var result = media
    result.contentID = try revealed(media.contentID)
    result.contentURL = try revealed(media.contentURL)
    result.vmapAdTagURL = try revealed(media.vmapAdTagURL)
    if let metadata = media.metadata { result.metadata = try revealed(metadata) }
    if let data = media.customData { result.customData = try revealed(data) }
    for index in result.tracks?.indices ?? 0..<0 {
      guard var track = result.tracks?[index] else { continue }
      track.trackContentID = try revealed(track.trackContentID)
      track.name = try revealed(track.name)
      result.tracks?[index] = track
    }
    for index in result.breakClips?.indices ?? 0..<0 {
      guard var clip = result.breakClips?[index] else { continue }
      clip.contentID = try revealed(clip.contentID)
      clip.contentURL = try revealed(clip.contentURL)
      clip.title = try revealed(clip.title)
      clip.posterURL = try revealed(clip.posterURL)
      clip.clickThroughURL = try revealed(clip.clickThroughURL)
      clip.vastAdTagURL = try revealed(clip.vastAdTagURL)
      result.breakClips?[index] = clip
    }
    return result
  }
}
