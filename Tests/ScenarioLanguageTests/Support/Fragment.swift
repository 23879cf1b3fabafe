@testable import ScenarioLanguage

/// Makes a whole document of a part of one, as examples show it: top-level keys or steps.
enum Fragment {
  /// The document, with definitions that examples may refer to.
  static func document(_ text: String) -> String {
    let kinds = DocumentKind.allCases.map { "\($0.rawValue):" }
    let keys = topKeys(text)
    if keys.contains(where: { kinds.contains($0 + ":") }) { return text + "\n" }
    if text.hasPrefix("- ") {
      let steps = text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
      return around("steps:\n" + steps.joined(separator: "\n"), keys: ["steps"], text)
    }
    let playlistKeys = keys.filter { LanguageSchema.kinds(having: $0) == [.playlist] }
    if !playlistKeys.isEmpty || keys == ["takeover"] && text.contains("policy") { return playlist(text, keys: keys) }
    return around(text, keys: keys, text)
  }

  private static func topKeys(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let first = line.first, first.isLetter, let colon = line.firstIndex(of: ":") else { return nil }
      return String(line[..<colon])
    }
  }

  private static func around(_ body: String, keys: [String], _ text: String) -> String {
    var lines = ["scenario: Example"]
    let needsRoles = text.contains("role: ") || text.contains("roles: ")
    if !["device", "devices", "roles"].contains(where: keys.contains) {
      lines.append(needsRoles ? "roles: { left: Bar left, right: Bar right }" : "device: Living Room TV")
    }
    if !keys.contains("apps") { lines.append("apps: { acme: A1B2C3D4 }") }
    if !keys.contains("vars") { lines.append("vars: { speed: { type: number, default: 1.5 } }") }
    if !keys.contains("text_styles") { lines.append("text_styles: { big: { size: 150% } }") }
    if !keys.contains("blocks"), text.contains(" use:") {
      lines.append("blocks: { start_app: { params: { app: { type: app } }, steps: [{ launch: \"${app}\" }] } }")
    }
    if !keys.contains("media") { lines.append(media) }
    lines.append(body)
    if !keys.contains("steps") { lines.append("steps: [{ expect: { app: none } }]") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let media = """
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        tracks: [{ id: en, language: en, url: https://cdn.example.com/en.vtt }]
        clips: { car: { url: https://cdn.example.com/car.mp4, duration: 15s, skippable_after: 5s } }
        breaks: [{ id: mid, at: 2m, clips: [car] }]
      photo: { url: https://cdn.example.com/photo.jpg }
    """

  private static func playlist(_ text: String, keys: [String]) -> String {
    var lines = ["playlist: Example", "timezone: Europe/Paris"]
    if !keys.contains("device"), !keys.contains("devices") { lines.append("device: Window TV") }
    if !keys.contains("fallback") { lines.append("fallback: https://cdn.example.com/logo.png") }
    lines.append(text)
    if !keys.contains("program") { lines.append("program: [{ play: [https://cdn.example.com/a.jpg] }]") }
    return lines.joined(separator: "\n") + "\n"
  }
}
