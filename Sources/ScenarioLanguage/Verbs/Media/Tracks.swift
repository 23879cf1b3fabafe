import CastProtocol

/// `tracks`: chooses the active tracks.
struct Tracks: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .tracks, .media, .action,
    .keys(
      [
        KeySpec(
          "active", LanguageSchema.trackIDs, required: true,
          "Ids or languages of the tracks that shall be active; `[]` switches all off.")
      ], short: "active"),
    "Chooses the active tracks.",
    sends: "`EDIT_TRACKS_INFO` with the active tracks",
    done: "`active_tracks` are these",
    example: "- load: film\n- tracks: [en]"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let nodes = step.body.list("active")
    if let media = compiler.lastMedia, !media.tracks.isEmpty {
      _ = compiler.withMedia { $0.activeTracks(nodes, of: media) }
    }
    return .init(action: .tracks(nodes.compactMap(\.text)), argument: compiler.shown(step.body.node("active")))
  }

  /// Track ids or languages as written; resolved against the media that plays.
  let active: [String]

  var arguments: JSONObject { ["active": .array(active.map { .string($0) })] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var json = MediaRequest(.editTracks(activeTrackIDs: [], textTrackStyle: nil), session: 0).json(requestID: 0)
    json.fill("activeTrackIds", .array(active.map { trackIDs[$0].map { .int($0) } ?? .string("‹\($0)›") }))
    return [json]
  }
}
