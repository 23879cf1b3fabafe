extension TextTrackStyle: JSONReadable {
  /// Reads a style, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .fontScale: fontScale = value.lenientNumber()
      case .foregroundColor: foregroundColor = value.lenientText()
      case .backgroundColor: backgroundColor = value.lenientText()
      case .edgeType: edgeType = value.lenientText()
      case .edgeColor: edgeColor = value.lenientText()
      case .windowType: windowType = value.lenientText()
      case .windowColor: windowColor = value.lenientText()
      case .windowRoundedCornerRadius: windowRoundedCornerRadius = value.lenientNumber()
      case .fontFamily: fontFamily = value.lenientText()
      case .fontGenericFamily: fontGenericFamily = value.lenientText()
      case .fontStyle: fontStyle = value.lenientText()
      case .customData: customData = value.tree().unlessNull
      default: break
      }
    }
    if !isObject { return nil }
  }

  /// The object as LOAD and EDIT_TRACKS_INFO send it.
  package var json: JSONValue {
    var object = JSONObject()
    object.append("fontScale", fontScale)
    object.append("foregroundColor", foregroundColor)
    object.append("backgroundColor", backgroundColor)
    object.append("edgeType", edgeType)
    object.append("edgeColor", edgeColor)
    object.append("windowType", windowType)
    object.append("windowColor", windowColor)
    object.append("windowRoundedCornerRadius", windowRoundedCornerRadius)
    object.append("fontFamily", fontFamily)
    object.append("fontGenericFamily", fontGenericFamily)
    object.append("fontStyle", fontStyle)
    object.append("customData", customData)
    return .object(object)
  }
}
