import CastProtocol

/// `text_style`: changes the look of captions.
struct TextStyle: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .textStyle, .media, .action,
    .value(.byShape(scalar: .reference(.textStyle), map: .map(LanguageSchema.textStyle))),
    "Changes the caption look.",
    sends: "`EDIT_TRACKS_INFO` with the style",
    done: "the status echoes the changed keys; a receiver that does not echo gets a warning",
    example: "- load: film\n- text_style: { size: 150%, color: yellow }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let node = step.value else { return nil }
    let style: TextTrackStyle?
    if node.pairs != nil {
      let map = FieldMap(node, as: LanguageSchema.textStyle)
      style = compiler.withMedia { $0.textStyle(map) }
    } else {
      style = compiler.withMedia { $0.textStyle(named: node) }
    }
    return style.map {
      .init(action: .textStyle($0), argument: node.text)
    }
  }

  let style: TextTrackStyle

  var arguments: JSONObject { style.fields }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [MediaRequest(.editTracks(activeTrackIDs: nil, textTrackStyle: style), session: 0).json(requestID: 0)]
  }
}
