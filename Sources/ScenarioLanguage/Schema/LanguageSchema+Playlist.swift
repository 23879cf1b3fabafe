extension LanguageSchema {
  static let timeCondition = MapSpec(
    "a time condition", topic: "dayparts",
    [
      KeySpec("days", .days, default: "daily", "Days the window starts on."),
      KeySpec("hours", .oneOrMany(.hours, of: "hours"), default: "all-day", "Window of the day; may cross midnight."),
      KeySpec("dates", .oneOrMany(.dates, of: "dates"), "Single days or stretches of days, in one year or in every."),
      KeySpec("calendar", .reference(.calendar), "Only on the days of this calendar."),
      KeySpec(
        "not", .byShape(scalar: .reference(.daypart), map: .map(innerTimeCondition)),
        "When it does not count after all: a daypart, or a condition in place."),
    ])

  private static let innerTimeCondition = MapSpec(
    "`not`", topic: "dayparts",
    [
      KeySpec("days", .days, "Days of the week that are left out."),
      KeySpec("hours", .oneOrMany(.hours, of: "hours"), "Hours that are left out."),
      KeySpec("dates", .oneOrMany(.dates, of: "dates"), "Dates that are left out."),
      KeySpec("calendar", .reference(.calendar), "Only on the days of this calendar."),
    ])

  static let during = FieldType.byShape(scalar: .reference(.daypart), map: .map(timeCondition))

  static let playlistItem = MapSpec(
    "an item", topic: "program",
    [
      KeySpec("media", .reference(.mediaOrURL), required: true, "What to show."),
      KeySpec(
        "for", .duration, default: "images 10s, else to the end", "How long it is on screen; live media need it."),
      KeySpec("times", .int(1...10_000), default: "1", "How often in a row."),
      KeySpec("weight", .int(1...10_000), default: "1", "Share with `order: weighted` or `shuffle`."),
      KeySpec("valid", .dates, "Shown on these days only."),
      KeySpec("volume", .words(["keep"], else: .fraction), "For this item."),
      KeySpec(
        "ids", LanguageSchema.foreignIDs, default: "{}", "Ids of other systems, which the proof of play carries along."),
    ])

  private static let items = FieldType.list(
    .byShape(scalar: .reference(.mediaOrURL), map: .map(playlistItem)), of: "items")

  static let programEntry = MapSpec(
    "a rule", topic: "program",
    [
      KeySpec("during", during, default: "any_time", "When it counts."),
      KeySpec("play", items, required: true, "What it shows.").holding(),
      KeySpec(
        "order", .choice("order", of: PlaylistPlan.Rule.Order.self), default: "listed",
        "In which order the items are shown."),
      KeySpec(
        "repeat", .bool, default: "true", "Start again after the last item; false: the next rule that matches goes on."),
      KeySpec(
        "switch", .choice("switch rule", of: PlaylistPlan.Rule.Switch.self), default: "after_item",
        "What happens to the item that is on at the end of the window."),
    ])

  static let interrupt = MapSpec(
    "an interrupt", topic: "interrupts",
    [
      KeySpec("at", .oneOrMany(.time, of: "times"), "Times of day."),
      KeySpec("every", .duration, "On the clock."),
      KeySpec("on", .reference(.trigger), "When this trigger is fired."),
      KeySpec(
        "until", .choice("end", ["cleared"]),
        "`cleared`: its items go on, again and again, until the trigger is cleared; otherwise they are shown once."
      ).needing("on"),
      KeySpec("at_most", .duration, "It ends after this time in any case.").needing("on"),
      KeySpec("during", during, default: "any_time", "When it counts."),
      KeySpec("play", items, required: true, "What it shows.").holding(),
      KeySpec("cut", .choice("cut rule", ["immediately", "after_item"]), default: "after_item", "How it cuts in."),
      KeySpec("max_delay", .duration, "Dropped when it would begin later than this."),
      KeySpec(
        "then", .choice("rule", of: PlaylistPlan.Interrupt.Then.self), default: "resume",
        "What the item that was cut does afterwards."),
    ], exclusive: [["at", "every", "on"]], needsOneOf: [["at", "every", "on"]])

  static let quiet = MapSpec(
    "`quiet`", topic: "quiet",
    [
      KeySpec("hours", .oneOrMany(.hours, of: "hours"), required: true, "The hours of rest; they may cross midnight."),
      KeySpec("days", .days, default: "daily", "On which days."),
      KeySpec(
        "screen", .choice("screen rule", of: PlaylistPlan.Quiet.Screen.self), default: "stop",
        "What the screen does: `stop` ends the app, `blank` shows black, `keep` goes on."),
      KeySpec("mute", .bool, default: "true with `keep`, else false", "Whether the screen is muted."),
    ])

  static let takeover = MapSpec(
    "`takeover`", topic: "takeover",
    [
      KeySpec(
        "policy", .choice("takeover policy", of: PlaylistPlan.Takeover.Policy.self), default: "yield",
        "Who wins: `yield` lets them, `reclaim` takes the screen back, `stop` ends the playlist there."),
      KeySpec("resume_after", .duration, default: "10m", "Idle time before we come back."),
      KeySpec(
        "ignore_apps", .list(.appID, of: "apps"), default: "[]",
        "Apps of other senders that are treated like an idle screen."),
    ])

  static let watchdog = MapSpec(
    "`watchdog`", topic: "watchdog",
    [
      KeySpec("stalled_after", .duration, default: "30s", "No progress for this long."),
      KeySpec("buffering_over", .duration, default: "20s", "Buffering for this long."),
      KeySpec("then", .choice("remedy", of: PlaylistPlan.Watchdog.Remedy.self), default: "reload", "The first remedy."),
      KeySpec("retry", retryField, "How often each remedy is tried."),
    ])

  static let ledger = MapSpec(
    "`ledger`", topic: "ledger",
    [
      KeySpec("file", .path, default: "state dir", "The file the records are written to, relative to the document."),
      KeySpec(
        "rotate", .choice("rotation", of: PlaylistPlan.Ledger.Rotation.self), default: "daily",
        "How often a new file is begun."),
      KeySpec("sign", .bool, default: "false", "Sign each file when the next one is begun."),
    ])
}
