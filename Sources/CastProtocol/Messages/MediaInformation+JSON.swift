extension MediaInformation: JSONReadable {
  /// Reads what a LOAD or a status has, leniently; `nil` when it is no object. A duration that is not above 0 says
  /// "unknown or live" (docs/protocol.md 5.3).
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .contentID: contentID = value.lenientText() ?? ""
      case .contentURL: contentURL = value.lenientText()
      case .contentType: contentType = value.lenientText()
      case .streamType: streamType = value.lenientText()
      case .duration: duration = value.lenientSeconds().flatMap { $0 > 0 ? $0 : nil }
      case .metadata: metadata = value.tree().object
      case .tracks: tracks = value.lenientList { Track(reading: &$0) }
      case .textTrackStyle: textTrackStyle = TextTrackStyle(reading: &value)
      case .breakClips: breakClips = value.lenientList { BreakClip(reading: &$0) }
      case .breaks: breaks = value.lenientList { Break(reading: &$0) }
      case .vmapAdsRequest:
        let request = AdsRequest(reading: &value)
        vmapAdTagURL = request?.adTagURL
        vmapAdsResponse = request?.adsResponse
      case .hlsSegmentFormat: hlsSegmentFormat = value.lenientText()
      case .hlsVideoSegmentFormat: hlsVideoSegmentFormat = value.lenientText()
      case .startAbsoluteTime: startAbsoluteTime = value.lenientNumber()
      case .mediaCategory: mediaCategory = value.lenientText()
      case .entity: entity = value.lenientText()
      case .atvEntity: atvEntity = value.lenientText()
      case .userActionStates: userActionStates = value.lenientList { UserActionState(reading: &$0) }
      case .customData: customData = value.tree().unlessNull
      default: break
      }
    }
    if !isObject { return nil }
  }

  /// The object as LOAD sends it, members in the order of docs/protocol.md 4.2.
  package var json: JSONValue {
    var object = JSONObject()
    object.append("contentId", contentID)
    object.append("contentUrl", contentURL)
    object.append("contentType", contentType)
    object.append("streamType", streamType)
    object.append("duration", duration)
    object.append("metadata", metadata)
    object.append("tracks", tracks.map { .array($0.map(\.json)) })
    object.append("textTrackStyle", textTrackStyle?.json)
    object.append("breakClips", breakClips.map { .array($0.map(\.json)) })
    object.append("breaks", breaks.map { .array($0.map(\.json)) })
    object.append("vmapAdsRequest", JSONObject(adTagURL: vmapAdTagURL, adsResponse: vmapAdsResponse))
    object.append("hlsSegmentFormat", hlsSegmentFormat)
    object.append("hlsVideoSegmentFormat", hlsVideoSegmentFormat)
    object.append("startAbsoluteTime", startAbsoluteTime)
    object.append("mediaCategory", mediaCategory)
    object.append("entity", entity)
    object.append("atvEntity", atvEntity)
    object.append("userActionStates", userActionStates.map { .array($0.map(\.json)) })
    object.append("customData", customData)
    return .object(object)
  }
}

extension MediaInformation.Track: JSONReadable {
  /// Reads a track, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .trackID: trackID = value.lenientInteger() ?? 0
      case .type: type = value.lenientText() ?? ""
      case .subtype: subtype = value.lenientText()
      case .name: name = value.lenientText()
      case .language: language = value.lenientText()
      case .trackContentID: trackContentID = value.lenientText()
      case .trackContentType: trackContentType = value.lenientText()
      case .isInband: isInband = value.lenientFlag()
      case .roles: roles = value.lenientList { $0.lenientText() }
      case .audioTrackInfo: audio = AudioInfo(reading: &value)
      case .customData: customData = value.tree().unlessNull
      default: break
      }
    }
    if !isObject { return nil }
  }

  package var json: JSONValue {
    var object = JSONObject()
    object.append("trackId", trackID)
    object.append("type", type)
    object.append("subtype", subtype)
    object.append("name", name)
    object.append("language", language)
    object.append("trackContentId", trackContentID)
    object.append("trackContentType", trackContentType)
    object.append("isInband", isInband)
    object.append("roles", roles.map { .array($0.map { .string($0) }) })
    object.append("audioTrackInfo", audio?.json)
    object.append("customData", customData)
    return .object(object)
  }
}

extension MediaInformation.Track.AudioInfo: JSONReadable {
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .audioCodec: codec = value.lenientText()
      case .numAudioChannels: channels = value.lenientInteger()
      case .spatialAudio: isSpatial = value.lenientFlag()
      default: break
      }
    }
    if !isObject { return nil }
  }

  var json: JSONObject {
    var object = JSONObject()
    object.append("audioCodec", codec)
    object.append("numAudioChannels", channels)
    object.append("spatialAudio", isSpatial)
    return object
  }
}

extension MediaInformation.UserActionState: JSONReadable {
  /// `nil` without an action.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    var action: String?
    var customData: JSONValue?
    let isObject = source.readMembers { member, value in
      switch member {
      case .userAction: action = value.lenientText()
      case .customData: customData = value.tree().unlessNull
      default: break
      }
    }
    guard isObject, let action else { return nil }
    self.init(userAction: action, customData: customData)
  }

  var json: JSONValue {
    var object: JSONObject = ["userAction": .string(userAction)]
    object.append("customData", customData)
    return .object(object)
  }
}

/// A VastAdsRequest.
private struct AdsRequest: JSONReadable {
  var adTagURL: String?
  var adsResponse: String?

  init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .adTagURL: adTagURL = value.lenientText()
      case .adsResponse: adsResponse = value.lenientText()
      default: break
      }
    }
    if !isObject { return nil }
  }
}

extension JSONObject {
  /// A VastAdsRequest; `nil` without anything in it.
  fileprivate init?(adTagURL: String?, adsResponse: String?) {
    if adTagURL == nil && adsResponse == nil { return nil }
    self.init()
    append("adTagUrl", adTagURL)
    append("adsResponse", adsResponse)
  }
}

extension MediaInformation.BreakClip: JSONReadable {
  /// Reads a break clip, leniently; `nil` when it is no object. A negative `whenSkippable` is the Android SDK's "never".
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .id: id = value.lenientText() ?? ""
      case .contentID: contentID = value.lenientText()
      case .contentURL: contentURL = value.lenientText()
      case .contentType: contentType = value.lenientText()
      // Some documents and Android use this name.
      case .mimeType: if contentType == nil { contentType = value.lenientText() }
      case .title: title = value.lenientText()
      case .posterURL: posterURL = value.lenientText()
      case .clickThroughURL: clickThroughURL = value.lenientText()
      case .duration: duration = value.lenientSeconds().flatMap { $0 > 0 ? $0 : nil }
      case .whenSkippable: whenSkippable = value.lenientSeconds().flatMap { $0 >= 0 ? $0 : nil }
      case .vastAdsRequest:
        let request = AdsRequest(reading: &value)
        vastAdTagURL = request?.adTagURL
        vastAdsResponse = request?.adsResponse
      case .hlsSegmentFormat: hlsSegmentFormat = value.lenientText()
      case .customData: customData = value.tree().unlessNull
      default: break
      }
    }
    if !isObject { return nil }
  }

  package var json: JSONValue {
    var object = JSONObject()
    object.append("id", id)
    object.append("contentId", contentID)
    object.append("contentUrl", contentURL)
    object.append("contentType", contentType)
    object.append("title", title)
    object.append("duration", duration)
    object.append("whenSkippable", whenSkippable)
    object.append("posterUrl", posterURL)
    object.append("clickThroughUrl", clickThroughURL)
    object.append("vastAdsRequest", JSONObject(adTagURL: vastAdTagURL, adsResponse: vastAdsResponse))
    object.append("hlsSegmentFormat", hlsSegmentFormat)
    object.append("customData", customData)
    return .object(object)
  }
}

extension MediaInformation.Break: JSONReadable {
  /// Reads a break, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .id: id = value.lenientText() ?? ""
      case .position: position = value.lenientSeconds() ?? 0
      case .breakClipIDs: breakClipIDs = value.lenientList { $0.lenientText() } ?? []
      case .duration: duration = value.lenientSeconds()
      case .isWatched: isWatched = value.lenientFlag()
      case .isEmbedded: isEmbedded = value.lenientFlag()
      case .expanded: expanded = value.lenientFlag()
      default: break
      }
    }
    if !isObject { return nil }
  }

  package var json: JSONValue {
    var object = JSONObject()
    object.append("id", id)
    object.append("position", position)
    object.append("breakClipIds", .array(breakClipIDs.map { .string($0) }))
    object.append("duration", duration)
    object.append("isWatched", isWatched)
    object.append("isEmbedded", isEmbedded)
    object.append("expanded", expanded)
    return .object(object)
  }
}
