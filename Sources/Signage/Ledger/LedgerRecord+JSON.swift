import CastProtocol
import ScenarioLanguage

extension LedgerRecord {
  /// How many bytes of a name or an address are written; the rest is left out.
  static let textLimit = 4_096

  /// Its members between number and hash, by the clocks of `zone` (docs/language/playlist.md "Proof of play").
  func members(in zone: TimeZoneRules) -> [JSONObject.Member] {
    func time(_ seconds: Double) -> JSONValue { .string(LedgerTime.text(seconds, in: zone)) }
    var object = JSONObject()
    func end(_ end: Double, _ start: Double) -> JSONValue { time(end >= start ? end : start) }
    switch kind {
    case .play(let play):
      object["type"] = "play"
      object["screen"] = Self.text(screen)
      object["item"] = Self.text(play.item)
      object["content"] = Self.text(play.content)
      object["rule"] = Self.text(play.rule)
      object["start"] = time(play.start)
      object["end"] = end(play.end, play.start)
      object["planned"] = play.planned.map(Self.seconds)
      object["shown"] = Self.seconds(play.shown)
      object["end_reason"] = .string(play.endReason.rawValue)
      object["by"] = play.by.map(Self.json)
      object["evidence"] = Self.json(play.evidence, time: time)
      object["ids"] = play.ids.map { .object($0) }
      object["skew"] = play.skew.map(Self.seconds)
    case .gap(let gap):
      object["type"] = "gap"
      object["screen"] = Self.text(screen)
      object["start"] = time(gap.start)
      object["end"] = end(gap.end, gap.start)
      object["reason"] = .string(gap.reason.rawValue)
      object["by"] = gap.by.map(Self.json)
    case .skip(let skip):
      object["type"] = "skip"
      object["screen"] = Self.text(screen)
      object["at"] = time(skip.at)
      object["item"] = Self.text(skip.item)
      object["reason"] = Self.text(skip.reason)
      object["error"] = skip.error.map { failure in
        var error: JSONObject = ["code": .int(failure.code)]
        error["name"] = failure.name.map(Self.text)
        return .object(error)
      }
      object["shown_instead"] = skip.shownInstead.map(Self.text)
    }
    return object.members
  }

  private static func json(_ taker: Taker) -> JSONValue { ["app": text(taker.app), "name": text(taker.name)] }

  private static func json(_ evidence: Evidence, time: (Double) -> JSONValue) -> JSONValue {
    var object = JSONObject()
    object["session"] = evidence.session.map { .int($0) }
    object["playing_at"] = evidence.playingAt.map(time)
    object["statuses"] = .int(evidence.statuses)
    if LedgerTime.milliseconds(evidence.stalled) != 0 { object["stalled"] = seconds(evidence.stalled) }
    if evidence.adopted { object["adopted"] = true }
    if !evidence.unseen.isEmpty { object["unseen"] = .array(evidence.unseen.map { .string($0.rawValue) }) }
    return .object(object)
  }

  private static func seconds(_ seconds: Double) -> JSONValue { JSONValue(LedgerTime.rounded(seconds)) }

  /// A text as long as a line may have it; an address may be a whole picture (`data:`).
  private static func text(_ text: String) -> JSONValue {
    guard text.utf8.count > textLimit else { return .string(text) }
    var short = String.UnicodeScalarView()
    var room = textLimit - 3
    for scalar in text.unicodeScalars {
      room -= UTF8.width(scalar)
      if room < 0 { break }
      short.append(scalar)
    }
    return .string(String(short) + "…")
  }
}

extension LedgerRecord {
  /// Reads the members of a line; `nil` where it is of a type that this version does not know, or damaged.
  init?(_ json: JSONValue) {
    guard let screen = json["screen"]?.string, let type = json["type"]?.string else { return nil }
    func time(_ name: String) -> Double? {
      json[name]?.string.flatMap(LedgerTime.read).map { LedgerTime.seconds($0.milliseconds) }
    }
    let by = json["by"].flatMap(Self.taker)
    switch type {
    case "play":
      guard let item = json["item"]?.string, let content = json["content"]?.string, let rule = json["rule"]?.string,
        let start = time("start"), let end = time("end"), start <= end, let shown = Self.seconds(json["shown"]),
        let reason = json["end_reason"]?.string.flatMap(EndReason.init)
      else { return nil }
      self.init(
        screen: screen,
        .play(
          Play(
            item: item, content: content, rule: rule, start: start, end: end, planned: Self.seconds(json["planned"]),
            shown: shown, endReason: reason, by: by, evidence: Self.evidence(json["evidence"]),
            ids: json["ids"]?.object, skew: json["skew"]?.number)))
    case "gap":
      guard let start = time("start"), let end = time("end"), start <= end,
        let reason = json["reason"]?.string.flatMap(GapReason.init)
      else { return nil }
      self.init(screen: screen, .gap(Gap(start: start, end: end, reason: reason, by: by)))
    case "skip":
      guard let at = time("at"), let item = json["item"]?.string, let reason = json["reason"]?.string else {
        return nil
      }
      let error = json["error"].flatMap { error in
        error["code"]?.int.map { Skip.Failure(code: $0, name: error["name"]?.string) }
      }
      self.init(
        screen: screen,
        .skip(Skip(at: at, item: item, reason: reason, error: error, shownInstead: json["shown_instead"]?.string)))
    default: return nil
    }
  }

  private static func taker(_ json: JSONValue) -> Taker? {
    guard let app = json["app"]?.string, let name = json["name"]?.string else { return nil }
    return Taker(app: app, name: name)
  }

  private static func evidence(_ json: JSONValue?) -> Evidence {
    let playingAt = json?["playing_at"]?.string.flatMap(LedgerTime.read).map { LedgerTime.seconds($0.milliseconds) }
    return Evidence(
      session: json?["session"]?.int, playingAt: playingAt, statuses: json?["statuses"]?.int ?? 0,
      stalled: seconds(json?["stalled"]) ?? 0, adopted: json?["adopted"]?.bool ?? false,
      unseen: (json?["unseen"]?.array ?? []).compactMap { $0.string.flatMap(Evidence.Unseen.init) })
  }

  /// A length of time: what sums can be made of.
  private static func seconds(_ json: JSONValue?) -> Double? {
    guard let number = json?.number, number >= 0, number <= Double(Program.times.upperBound) else { return nil }
    return number
  }
}
