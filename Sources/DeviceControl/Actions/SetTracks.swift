import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `tracks`: these tracks are on, and no others.
struct SetTracks: DeviceVerb {
  /// Track ids or languages.
  let names: [String]

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    // First of all: the names of tracks are looked up in what plays.
    try device.checkConnection()
    _ = try device.requireApp()
    _ = try device.requireMedia(scope)
    var ids: [Int] = []
    for name in names { ids.append(try id(of: name, on: device, scope)) }
    let wanted = ids.sorted()
    let known = device.own.loaded?.trackNames ?? [:]
    try await device.command(
      scope, waitingFor: "the active tracks to be [\(names.joined(separator: ", "))]",
      .editTracks(activeTrackIDs: ids, textTrackStyle: nil),
      seen: { view in
        view.media?.activeTrackIDs.map { active in
          "they are [\(active.map { known[$0] ?? String($0) }.joined(separator: ", "))]"
        }
      }
    ) {
      ($0.media?.activeTrackIDs ?? []).sorted() == wanted
    }
  }

  /// The wire id of a track named by the document's id or its language.
  private func id(
    of name: String, on device: isolated DeviceSession, _ scope: ActionScope
  ) throws(StepFailure) -> Int {
    let view = device.view(scope)
    let content = view.media?.media ?? view.media?.extendedMedia
    let named = (device.own.loaded?.trackNames ?? [:]).filter { $0.value == name }.map(\.key).min()
    if let id = named { return id }
    let tracks = content?.tracks ?? []
    func speaks(_ track: MediaInformation.Track, _ name: String) -> Bool {
      guard let language = track.language?.lowercased() else { return false }
      return language == name.lowercased() || language.split(separator: "-").first == Substring(name.lowercased())
    }
    // A text track before a sound track of the same language: captions are what `tracks` is mostly for.
    let spoken = tracks.filter { speaks($0, name) }
    if let track = spoken.first(where: { $0.type == "TEXT" }) ?? spoken.first { return track.trackID }
    if let id = Int(name), tracks.isEmpty || tracks.contains(where: { $0.trackID == id }) { return id }
    let known = tracks.prefix(10).map { track in
      track.language.map { "\(track.trackID) (\($0))" } ?? "\(track.trackID)"
    }
    let list =
      known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))\(tracks.count > 10 ? ", …" : "")"
    throw StepFailure(.invalidRequest, "the media has no track `\(name)`: \(list)")
  }
}
