extension MediaInformation {
  /// Reads what a LOAD or a status has, leniently; `nil` when it is no object. A duration that is not above 0 says
  /// "unknown or live" (docs/protocol.md 5.3).
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .contentID: contentID = value.lenientText ?? ""
      case .contentURL: contentURL = value.lenientText
      case .contentType: contentType = value.lenientText
      case .streamType: streamType = value.lenientText
      case .duration: duration = value.lenientSeconds.flatMap { $0 > 0 ? $0 : nil }
      case .metadata: metadata = value.object
      case .tracks: tracks = value.lenientList { Track($0) }
      case .textTrackStyle: textTrackStyle = TextTrackStyle(value)
      case .breakClips: breakClips = value.lenientList { BreakClip($0) }
      case .breaks: breaks = value.lenientList { Break($0) }
      case .vmapAdsRequest:
        vmapAdTagURL = value[.adTagURL]?.lenientText
        vmapAdsResponse = value[.adsResponse]?.lenientText
      case .hlsSegmentFormat: hlsSegmentFormat = value.lenientText
      case .hlsVideoSegmentFormat: hlsVideoSegmentFormat = value.lenientText
      case .startAbsoluteTime: startAbsoluteTime = value.lenientNumber
      case .mediaCategory: mediaCategory = value.lenientText
      case .entity: entity = value.lenientText
      case .atvEntity: atvEntity = value.lenientText
      case .userActionStates: userActionStates = value.lenientList { UserActionState($0) }
      case .customData: customData = value.unlessNull
      default: break
      }
    }
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

extension MediaInformation.Track {
  /// Reads a track, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .trackID: trackID = value.lenientInteger ?? 0
      case .type: type = value.lenientText ?? ""
      case .subtype: subtype = value.lenientText
      case .name: name = value.lenientText
      case .language: language = value.lenientText
      case .trackContentID: trackContentID = value.lenientText
      case .trackContentType: trackContentType = value.lenientText
      case .isInband: isInband = value.lenientFlag
      case .roles: roles = value.lenientList(\.lenientText)
      case .audioTrackInfo: audio = AudioInfo(value)
      case .customData: customData = value.unlessNull
      default: break
      }
    }
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

extension MediaInformation.Track.AudioInfo {
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    codec = object[.audioCodec]?.lenientText
    channels = object[.numAudioChannels]?.lenientInteger
    isSpatial = object[.spatialAudio]?.lenientFlag
  }

  var json: JSONObject {
    var object = JSONObject()
    object.append("audioCodec", codec)
    object.append("numAudioChannels", channels)
    object.append("spatialAudio", isSpatial)
    return object
  }
}

extension MediaInformation.UserActionState {
  /// `nil` without an action.
  init?(_ json: JSONValue) {
    guard let action = json["userAction"]?.lenientText else { return nil }
    self.init(userAction: action, customData: json[.customData]?.unlessNull)
  }

  var json: JSONValue {
    var object: JSONObject = ["userAction": .string(userAction)]
    object.append("customData", customData)
    return .object(object)
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

extension MediaInformation.BreakClip {
  /// Reads a break clip, leniently; `nil` when it is no object. A negative `whenSkippable` is the Android SDK's "never".
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .id: id = value.lenientText ?? ""
      case .contentID: contentID = value.lenientText
      case .contentURL: contentURL = value.lenientText
      case .contentType: contentType = value.lenientText
      // Some documents and Android use this name.
      case .mimeType: if contentType == nil { contentType = value.lenientText }
      case .title: title = value.lenientText
      case .posterURL: posterURL = value.lenientText
      case .clickThroughURL: clickThroughURL = value.lenientText
      case .duration: duration = value.lenientSeconds.flatMap { $0 > 0 ? $0 : nil }
      case .whenSkippable: whenSkippable = value.lenientSeconds.flatMap { $0 >= 0 ? $0 : nil }
      case .vastAdsRequest:
        vastAdTagURL = value[.adTagURL]?.lenientText
        vastAdsResponse = value[.adsResponse]?.lenientText
      case .hlsSegmentFormat: hlsSegmentFormat = value.lenientText
      case .customData: customData = value.unlessNull
      default: break
      }
    }
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

extension MediaInformation.Break {
  /// Reads a break, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .id: id = value.lenientText ?? ""
      case .position: position = value.lenientSeconds ?? 0
      case .breakClipIDs: breakClipIDs = value.lenientList(\.lenientText) ?? []
      case .duration: duration = value.lenientSeconds
      case .isWatched: isWatched = value.lenientFlag
      case .isEmbedded: isEmbedded = value.lenientFlag
      case .expanded: expanded = value.lenientFlag
      default: break
      }
    }
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
