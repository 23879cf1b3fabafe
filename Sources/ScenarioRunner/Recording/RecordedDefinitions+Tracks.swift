import CastProtocol
import ScenarioLanguage

/// Tracks and ads of recorded media.
extension RecordedDefinitions {
  mutating func tracks(of media: MediaInformation, at place: Int, slug: String) -> [String] {
    var lines: [String] = []
    var taken: Set<String> = []
    var numbers: Set<Int> = []
    var names: [Int: String] = [:]
    for track in (media.tracks ?? []).prefix(50) where numbers.insert(track.trackID).inserted {
      let kind = track.type.lowercased()
      guard ["text", "audio", "video"].contains(kind) else { continue }
      let language = track.language.flatMap { try? NameScalar.language($0) }
      let address = track.trackContentID.flatMap { webAddress($0, of: slug) }
      // No receiver counts further.
      if address == nil, !(1...100_000).contains(track.trackID) { continue }
      let id = RecordedText.id(of: language ?? kind, taken: &taken, else: kind)
      names[track.trackID] = id
      var parts = ["id: \(id)"]
      if kind != "text" { parts.append("kind: \(kind)") }
      let subtypes = ["subtitles", "captions", "descriptions", "chapters", "metadata"]
      if kind == "text", let subtype = track.subtype?.lowercased(), subtypes.contains(subtype),
        subtype != "subtitles" || language != nil
      {
        parts.append("subtype: \(subtype)")
      }
      if let language { parts.append("language: \(RecordedText.value(language))") }
      if let name = track.name.map({ RecordedText.clean($0) }), !name.isEmpty {
        parts.append("name: \(RecordedText.value(name))")
      }
      if let address {
        parts.append("url: \(RecordedText.quoted(address.text))")
        if let type = track.trackContentType, (try? NameScalar.mime(type)) != nil, RecordedText.clean(type) == type {
          parts.append("type: \(RecordedText.value(type))")
        } else if kind == "text" {
          parts.append("type: text/vtt")
        }
      } else {
        parts.append("inband: true, number: \(track.trackID)")
      }
      lines.append("  - { \(parts.joined(separator: ", ")) }")
    }
    trackIDs[place] = names
    return lines.isEmpty ? [] : ["tracks:"] + lines
  }

  mutating func ads(of media: MediaInformation, at place: Int, slug: String) -> [String] {
    let breaks = (media.breaks ?? []).prefix(50)
    guard !breaks.isEmpty else { return [] }
    var taken: Set<String> = []
    var clipIDs: [String: String] = [:]
    var clips: [String] = []
    for clip in (media.breakClips ?? []).prefix(100) where clipIDs[clip.id] == nil {
      guard let text = clip.contentURL ?? clip.contentID, let address = webAddress(text, of: slug) else { continue }
      let id = RecordedText.id(of: clip.id, taken: &taken, else: "clip")
      clipIDs[clip.id] = id
      var parts = ["url: \(RecordedText.quoted(address.text))"]
      let type = clip.contentType.flatMap { try? NameScalar.mime($0) } ?? "video/mp4"
      parts.append("type: \(RecordedText.value(type))")
      if let duration = clip.duration, duration.isFinite, duration >= 0.1 {
        parts.append("duration: \(RecordedText.spelledToTenth(duration))")
      }
      if let from = clip.whenSkippable, from.isFinite, from >= 0 {
        parts.append("skippable_after: \(RecordedText.spelledToTenth(from))")
      }
      clips.append("  \(id): { \(parts.joined(separator: ", ")) }")
    }
    var breakLines: [String] = []
    for adBreak in breaks {
      let names = adBreak.breakClipIDs.compactMap { clipIDs[$0] }
      guard !names.isEmpty, names.count == adBreak.breakClipIDs.count else {
        withoutAds.insert(place)
        return []
      }
      let id = RecordedText.id(of: adBreak.id, taken: &taken, else: "break")
      let position =
        adBreak.position < 0 ? "end" : adBreak.position == 0 ? "start" : RecordedText.spelledToTenth(adBreak.position)
      var parts = ["id: \(id)", "at: \(position)", "clips: [\(names.joined(separator: ", "))]"]
      if adBreak.isEmbedded == true { parts.append("embedded: true") }
      if adBreak.expanded == true { parts.append("expanded: true") }
      breakLines.append("  - { \(parts.joined(separator: ", ")) }")
    }
    return ["clips:"] + clips + ["breaks:"] + breakLines
  }
}
