package import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage

/// What one observation changed of a watched device, for lines and for programs.
package struct WatchChange: Hashable, Sendable {
  /// As in `status` events: the fields that have another value now, and those that are gone.
  package var set: JSONObject
  package var unset: [String]
  package var others: [OtherSenderAction]
  /// The same for people, without what is of no interest to them.
  package var phrases: [String]

  private struct Phrase {
    var text: String
    /// What an act of others may be about as well.
    var subject: OtherSenderAction.Subject?
  }

  /// A position that differs from the expected one by more than this was sought.
  private static let jump = 1.5

  /// Every field worth telling; `position` as the device said it.
  package static func document(_ view: StatusView) -> JSONObject {
    var object = view.document
    object["tracks"] = view.value(of: FieldPath(["tracks"]))
    return object
  }

  /// - Parameters:
  ///   - before: The status before, as of the moment of the new one.
  ///   - now: The new one.
  package init(from before: StatusView, to now: StatusView, others: [OtherSenderAction] = []) {
    let (old, new) = (Self.document(before), Self.document(now))
    (set, unset) = new.changes(since: old)
    self.others = others
    // Who did it says what is done, too.
    let said = Set(others.map(\.subject))
    let changes = Self.phrases(from: old, to: new, before, now).filter { $0.subject.map { !said.contains($0) } ?? true }
    phrases = changes.map(\.text) + others.map { "another sender \($0.text)" }
  }

  private static func phrases(
    from old: JSONObject, to new: JSONObject, _ before: StatusView, _ now: StatusView
  ) -> [Phrase] {
    func changed(_ name: String) -> Bool { old[name] != new[name] }
    var phrases: [Phrase] = []
    func add(_ text: String, _ subject: OtherSenderAction.Subject? = nil) {
      phrases.append(Phrase(text: text, subject: subject))
    }
    if changed("app") {
      let app = new["app"]
      let name = [app?["name"]?.string, app?["id"]?.string].compactMap(\.self).first { !$0.isEmpty }
      if old["app"]?["id"] != app?["id"] || app == nil {
        add(name.map { "app \($0)" } ?? "no app", .app)
      } else if let text = app?["text"]?.string, !text.isEmpty, text != old["app"]?["text"]?.string {
        add("app says \(text)")
      }
    }
    if changed("player") || changed("idle_reason") {
      let reason = new["idle_reason"]?.string.map { " (\($0))" } ?? ""
      let player = new["player"]?.string ?? "idle"
      let at = player == "idle" ? nil : now.position
      add(player + (player == "idle" ? reason : "") + (at.map { " at \(ConsoleText.clock($0))" } ?? ""))
    } else if let was = before.position, let position = now.position, now.player != "idle",
      before.media?.mediaSessionID == now.media?.mediaSessionID, abs(position - was) > jump
    {
      add("at \(ConsoleText.clock(position))")
    }
    if changed("title") || changed("content"), let title = new["title"]?.string ?? new["content"]?.string {
      add("title \(title)", .media)
    }
    if changed("break") { for text in breakPhrases(before, now) { add(text) } }
    if changed("error"), let error = new["error"] {
      add(
        (["error", error["code"]?.int.map(String.init), error["name"]?.string].compactMap(\.self)).joined(
          separator: " "))
    }
    if changed("active_tracks"), now.player != "idle" {
      let ids = (new["active_tracks"]?.array ?? []).compactMap(\.string)
      let tracks = new["tracks"]?.array ?? []
      let names = ids.map { id in
        let track = tracks.first { $0["id"]?.string == id }
        return [track?["language"]?.string, track?["name"]?.string].compactMap(\.self).first { !$0.isEmpty } ?? id
      }
      add(names.isEmpty ? "tracks off" : "tracks \(names.joined(separator: ", "))")
    }
    if changed("rate"), now.media?.breakStatus == nil, let rate = new["rate"]?.number, rate != 0,
      rate != 1 || before.media?.breakStatus == nil && old["rate"] != nil
    {
      add("rate \(rate.decimals(2))")
    }
    if changed("queue"), let current = new["queue"]?["current"], current != old["queue"]?["current"] {
      add("item \(current.int.map(String.init) ?? "")")
    }
    if changed("repeat"), let mode = new["repeat"]?.string, old["repeat"] != nil || mode != "none" {
      add("repeat \(mode)")
    }
    return phrases + devicePhrases(from: old, to: new)
  }

  private static func breakPhrases(_ before: StatusView, _ now: StatusView) -> [String] {
    guard let ad = AdState(now) else { return before.media?.breakStatus == nil ? [] : ["ad over"] }
    // Its time moves on by itself.
    if let old = AdState(before), old.name == ad.name { return [] }
    var text = "ad \(ad.name)"
    if let number = ad.number, number.count > 1 { text += " \(number.index) of \(number.count)" }
    switch ad.skipping {
    case .now: text += ", can be skipped"
    case .in(let seconds): text += ", can be skipped in \(AdState.countdown(seconds))"
    case .never: break
    }
    return [text]
  }

  private static func devicePhrases(from old: JSONObject, to new: JSONObject) -> [Phrase] {
    var phrases: [Phrase] = []
    func add(_ text: String, _ subject: OtherSenderAction.Subject? = nil) {
      phrases.append(Phrase(text: text, subject: subject))
    }
    let (was, volume) = (old["volume"], new["volume"])
    if let level = volume?["level"]?.number, level != was?["level"]?.number {
      add("volume \(level.decimals(0))%", .volume)
    }
    if let isMuted = volume?["muted"]?.bool, isMuted != was?["muted"]?.bool, was?["muted"] != nil || isMuted {
      add(isMuted ? "muted" : "unmuted", .volume)
    }
    if let isStandBy = new["standby"]?.bool, isStandBy != old["standby"]?.bool, old["standby"] != nil || isStandBy {
      add(isStandBy ? "standby" : "no longer in standby")
    }
    if let isActive = new["active_input"]?.bool, let wasActive = old["active_input"]?.bool, isActive != wasActive {
      add(isActive ? "its input is shown" : "another input is shown")
    }
    return phrases
  }
}
