package import CastProtocol
import RunReporting

/// The language's words for what the wire says.
package enum MediaWords {
  package static func repeatMode(_ word: String) -> String {
    switch word {
    case "REPEAT_OFF": "none"
    case "REPEAT_ALL": "all"
    case "REPEAT_SINGLE": "one"
    case "REPEAT_ALL_AND_SHUFFLE": "shuffle"
    default: word.lowercased()
    }
  }

  /// `#RRGGBBAA` in capitals, from what devices send with or without alpha.
  package static func color(_ text: String) -> String {
    let capitals = text.uppercased()
    return capitals.utf8.count == 7 && capitals.hasPrefix("#") ? capitals + "FF" : capitals
  }
}

extension MediaStatus.IdleReason {
  package var word: String {
    switch self {
    case .cancelled: "cancelled"
    case .interrupted: "interrupted"
    case .finished: "finished"
    case .error: "error"
    case .unknown(let word): word.lowercased()
    }
  }
}

extension ReceiverStatus.Volume {
  /// `level` in percent points.
  package var documentForm: JSONObject {
    var object = JSONObject()
    // Devices keep levels as 32-bit floats; four decimals of a percent are more than any of them can tell apart.
    object["level"] = level.map { JSONValue(($0 * 1_000_000).rounded() / 10_000) }
    object["muted"] = muted.map(JSONValue.bool)
    object["control"] = controlType.map { .string($0.lowercased()) }
    return object
  }
}

extension MediaStatus.VideoInfo {
  package var documentForm: JSONObject {
    var object = JSONObject()
    object["width"] = width.map(JSONValue.int)
    object["height"] = height.map(JSONValue.int)
    object["hdr"] = hdrType.map { .string($0.lowercased()) }
    return object
  }
}

extension MediaInformation.Break {
  package var documentForm: JSONValue {
    var object: JSONObject = ["id": .string(id), "at": position < 0 ? "end" : JSONValue(position)]
    object["watched"] = isWatched.map(JSONValue.bool)
    return .object(object)
  }
}

extension TextTrackStyle {
  /// The keys and spellings of docs/language/media.md "Text styles"; `size` in percent points.
  package var documentForm: JSONObject {
    var object = JSONObject()
    object["color"] = foregroundColor.map { .string(MediaWords.color($0)) }
    object["background"] = backgroundColor.map { .string(MediaWords.color($0)) }
    object["edge_color"] = edgeColor.map { .string(MediaWords.color($0)) }
    object["window_color"] = windowColor.map { .string(MediaWords.color($0)) }
    object["size"] = fontScale.map { JSONValue(($0 * 1_000_000).rounded() / 10_000) }
    object["font"] = fontFamily.map(JSONValue.string)
    object["family"] = fontGenericFamily.map { .string($0.lowercased()) }
    object["style"] = fontStyle.map { .string($0.lowercased()) }
    object["edge"] = edgeType.map { .string($0.lowercased()) }
    object["window"] = windowType.map { .string($0 == "ROUNDED_CORNERS" ? "rounded" : $0.lowercased()) }
    object["window_radius"] = windowRoundedCornerRadius.map { JSONValue($0) }
    return object
  }
}
