/// What a playlist has to do with the world outside its screens (docs/language/playlist.md "Triggers").
extension LanguageSchema {
  static let trigger = MapSpec(
    "a trigger", topic: "triggers",
    [
      KeySpec("webhook", .bool, "`true`: a POST to the control page fires it, a DELETE clears it."),
      KeySpec("file", .path, "Fired while this file exists; a path from `/`, or relative to this document."),
      KeySpec("cap", .url, "A feed of alerts in the Common Alerting Protocol 1.2: fired while one is in force."),
      KeySpec(
        "severity",
        .oneOrMany(.choice("severity", of: PlaylistPlan.AlertFeed.Severity.self), of: "severities"),
        default: "extreme, severe", "Only alerts of these severities count."
      ).needing("cap").holding(),
      KeySpec("every", .duration, default: "1m", "How often the feed is asked.").needing("cap"),
    ], exclusive: [["webhook", "file", "cap"]], needsOneOf: [["webhook", "file", "cap"]])

  static let notification = MapSpec(
    "a notification", topic: "notify",
    [
      KeySpec(
        "when",
        .oneOrMany(.choice("occasion", of: PlaylistPlan.Notification.Occasion.self), of: "occasions"),
        required: true,
        "`dark`: a screen shows nothing although it should; `invalid`: an edit has errors; `ledger_gap`: the proof of "
          + "play has a hole; `certificate_ends`: a certificate of a media server ends within two weeks; `power`: the "
          + "screens could not be switched on or off."
      ).holding(),
      KeySpec("for", .duration, default: "0s", "Told only when it has lasted this long."),
      KeySpec("during", during, default: "any_time", "Told only at these times."),
      KeySpec("again", .duration, default: "never", "Told again after this time while it lasts."),
      KeySpec("webhook", .url, "Where a JSON object is sent by POST."),
      KeySpec(
        "command", .list(.text, of: "arguments"), "A program that gets the message; needs `serve --allow-exec`."
      ).holding(),
    ], exclusive: [["webhook", "command"]], needsOneOf: [["webhook", "command"]])

  static let power = MapSpec(
    "`power`", topic: "power",
    [
      KeySpec("on", .list(.text, of: "arguments"), "The program that switches the screens on when `quiet` ends.")
        .holding(),
      KeySpec("off", .list(.text, of: "arguments"), "The program that switches them off when `quiet` begins.")
        .holding(),
      KeySpec(
        "verify", .choice("proof", ["standby"]),
        "`standby`: a warning where the receiver says otherwise 30 s after."),
    ], needsOneOf: [["on", "off"]])
}
