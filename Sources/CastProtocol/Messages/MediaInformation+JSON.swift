extension MediaInformation {
  /// Reads what a LOAD or a status has, leniently; `nil` when it is no object. A duration that is not above 0 says
  /// "unknown or live" (cast-protocol.md 5.3).
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "contentId": contentID = value.lenientText ?? ""
      case "contentUrl": contentURL = value.lenientText
      case "contentType": contentType = value.lenientText
      case "streamType": streamType = value.lenientText
      case "duration": duration = value.lenientNumber.flatMap { $0 > 0 ? $0 : nil }
      case "metadata": metadata = value.object
      case "tracks": tracks = value.lenientList { Track($0) }
      case "textTrackStyle": textTrackStyle = TextTrackStyle(value)
      case "breakClips": breakClips = value.lenientList { BreakClip($0) }
      case "breaks": breaks = value.lenientList { Break($0) }
      case "vmapAdsRequest": vmapAdTagURL = value["adTagUrl"]?.lenientText
      case "hlsSegmentFormat": hlsSegmentFormat = value.lenientText
      case "hlsVideoSegmentFormat": hlsVideoSegmentFormat = value.lenientText
      case "startAbsoluteTime": startAbsoluteTime = value.lenientNumber
      case "customData": customData = value.unlessNull
      default: break
      }
    }
  }

  /// The object as LOAD sends it, members in the order of language.md 2.6.
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
    object.append("vmapAdsRequest", vmapAdTagURL.map { url -> JSONObject in ["adTagUrl": .string(url)] })
    object.append("hlsSegmentFormat", hlsSegmentFormat)
    object.append("hlsVideoSegmentFormat", hlsVideoSegmentFormat)
    object.append("startAbsoluteTime", startAbsoluteTime)
    object.append("customData", customData)
    return .object(object)
  }
}

extension MediaInformation.Track {
  /// Reads a track, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "trackId": trackID = value.lenientInteger ?? 0
      case "type": type = value.lenientText ?? ""
      case "subtype": subtype = value.lenientText
      case "name": name = value.lenientText
      case "language": language = value.lenientText
      case "trackContentId": trackContentID = value.lenientText
      case "trackContentType": trackContentType = value.lenientText
      case "isInband": isInband = value.lenientFlag
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
    return .object(object)
  }
}

extension MediaInformation.BreakClip {
  /// Reads a break clip, leniently; `nil` when it is no object. A negative `whenSkippable` is the Android SDK's "never".
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "id": id = value.lenientText ?? ""
      case "contentId": contentID = value.lenientText
      case "contentUrl": contentURL = value.lenientText
      case "contentType": contentType = value.lenientText
      // Some documents and Android use this name.
      case "mimeType": if contentType == nil { contentType = value.lenientText }
      case "title": title = value.lenientText
      case "posterUrl": posterURL = value.lenientText
      case "clickThroughUrl": clickThroughURL = value.lenientText
      case "duration": duration = value.lenientNumber.flatMap { $0 > 0 ? $0 : nil }
      case "whenSkippable": whenSkippable = value.lenientNumber.flatMap { $0 >= 0 ? $0 : nil }
      case "vastAdsRequest": vastAdTagURL = value["adTagUrl"]?.lenientText
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
    object.append("vastAdsRequest", vastAdTagURL.map { url -> JSONObject in ["adTagUrl": .string(url)] })
    return .object(object)
  }
}

extension MediaInformation.Break {
  /// Reads a break, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for member in object.members {
      let value = member.value
      switch member.name {
      case "id": id = value.lenientText ?? ""
      case "position": position = value.lenientNumber ?? 0
      case "breakClipIds": breakClipIDs = value.lenientList(\.lenientText) ?? []
      case "duration": duration = value.lenientNumber
      case "isWatched": isWatched = value.lenientFlag
      case "isEmbedded": isEmbedded = value.lenientFlag
      case "expanded": expanded = value.lenientFlag
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
