extension TextTrackStyle {
  /// Reads a style, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    for index in object.members.indices {
      let value = object.members[index].value
      switch object.members[index].wireName {
      case .fontScale: fontScale = value.lenientNumber
      case .foregroundColor: foregroundColor = value.lenientText
      case .backgroundColor: backgroundColor = value.lenientText
      case .edgeType: edgeType = value.lenientText
      case .edgeColor: edgeColor = value.lenientText
      case .windowType: windowType = value.lenientText
      case .windowColor: windowColor = value.lenientText
      case .windowRoundedCornerRadius: windowRoundedCornerRadius = value.lenientNumber
      case .fontFamily: fontFamily = value.lenientText
      case .fontGenericFamily: fontGenericFamily = value.lenientText
      case .fontStyle: fontStyle = value.lenientText
      case .customData: customData = value.unlessNull
      default: break
      }
    }
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
