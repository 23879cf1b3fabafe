extension LanguageSchema {
  static func keys(
    _ verb: String, _ keys: [KeySpec], exclusive: [[String]] = [], needsOneOf: [[String]] = []
  ) -> MapSpec {
    MapSpec("`\(verb)`", topic: verb, keys, exclusive: exclusive, needsOneOf: needsOneOf)
  }

  static let mediaItem = FieldType.byShape(scalar: .reference(.mediaOrURL), map: .map(media))
  static let repeatMode = FieldType.choice("repeat mode", ["none", "all", "one", "shuffle"])
  private static let join = FieldType.choice("join rule", ["auto", "never", "only"])
  static let until = FieldType.choice("load state", ["accepted", "loaded", "playing", "paused"])
  private static let trackIDs = FieldType.list(.reference(.track), of: "track ids")
  private static let durationValue = FieldType.savable(.duration)

  /// All verbs, in the order of docs/language/steps.md "Steps".
  package static let verbs: [VerbSpec] =
    sessionVerbs + loadVerbs + queueVerbs + mediaVerbs + protocolVerbs + timeVerbs + assertVerbs + flowVerbs

  private static let sessionVerbs: [VerbSpec] = [
    VerbSpec(
      "discover", .session,
      .keys(
        keys(
          "discover",
          [
            KeySpec("for", .duration, default: "5s", "How long to listen; an answer may take a second or two."),
            KeySpec("at_least", .int(0...10_000), default: "1", "How many devices must be found; fewer are a failure."),
            KeySpec(
              "where", .byShape(scalar: .text, map: .map(selector)), default: "all",
              "Which devices count: a name, or a selector."),
            KeySpec(
              "via", .choice("way to look", ["mdns", "hosts", "both"]), default: "both", "Where to look."),
          ]), short: ("for", .duration)), "Looks for devices."),
    VerbSpec(
      "connect", .session,
      .keys(
        keys(
          "connect",
          [
            KeySpec(
              "host", .hostAndPort, default: "from the device",
              "An address to connect to instead, with a port if not 8009."),
            KeySpec("auth", auth, default: "of the device, else report", "Device certificate check."),
          ]), short: nil), "Opens the connection."),
    VerbSpec(
      "disconnect", .session,
      .keys(
        keys(
          "disconnect",
          [
            KeySpec(
              "abrupt", .bool, default: "false", "Drops TCP without CLOSE, as a sender does that loses its network.")
          ]), short: nil), "Closes the connection."),
    VerbSpec(
      "launch", .session,
      .keys(
        keys(
          "launch",
          [
            KeySpec(
              "app", .reference(.app), default: "defaults.app",
              "The app to start: an id under `apps:`, or eight hexadecimal digits."),
            KeySpec("language", .language, "The language the app is started in, a BCP 47 tag."),
            KeySpec("params", .anyMap, "Free data for the app, sent as `appParams`."),
            KeySpec(
              "join", join, default: "auto",
              "Whether an instance that runs already will do: `never` starts a new one, `only` starts none."),
          ]), short: ("app", .reference(.app))), "Starts or joins an app."),
    VerbSpec("stop_app", .session, .bare, "Ends our app."),
    VerbSpec(
      "volume", .session,
      .keys(
        keys(
          "volume",
          [
            KeySpec("to", .savable(.fraction), required: true, "The level to set, 0% to 100%, with its sign."),
            KeySpec("over", .duration, default: "0s", "How long the way to the level takes; 0s jumps."),
          ]), short: ("to", .savable(.fraction))), "Sets the device's volume."),
    VerbSpec("mute", .session, .value(.bool), "Mutes or unmutes the device."),
  ]

  private static let loadVerbs: [VerbSpec] = [
    VerbSpec(
      "load", .media,
      .keys(
        keys(
          "load",
          [
            KeySpec(
              "media", mediaItem, required: true,
              "What to load: an id under `media:`, a URL, or a media written out here."),
            KeySpec(
              "app", .reference(.app), default: "the app launched last, else defaults.app",
              "The app to load into; it is launched if it does not run."),
            KeySpec(
              "autoplay", .bool, default: "true",
              "Whether it plays by itself; with `false` the step is done when it is paused."),
            KeySpec("start", .position, default: "start", "Where playing begins, counted from the start of the media."),
            KeySpec("rate", rate, default: "1", "Playback rate from the beginning on, 0.5 to 2.").positive(),
            KeySpec(
              "tracks", trackIDs, default: "[]",
              "Ids of the tracks that are active from the beginning, at most one text track."),
            KeySpec(
              "text_style", .byShape(scalar: .reference(.textStyle), map: .map(textStyle)), default: "defaults",
              "How captions look: an id under `text_styles:`, or a style written out here."),
            KeySpec("credentials", .text, "Credentials that the app gets with the media; take them from a secret."),
            KeySpec("custom", .anyMap, "Free data for the app, sent as `customData`."),
            KeySpec(
              "until", until, default: "playing",
              "Which state ends the step: `accepted` by the receiver, `loaded`, `playing` or `paused`."),
          ]), short: ("media", .reference(.mediaOrURL))), "Loads media.")
  ]

  private static let mediaVerbs: [VerbSpec] = [
    VerbSpec(
      "transfer", .media,
      .keys(
        keys(
          "transfer",
          [
            KeySpec(
              "to", .byShape(scalar: .text, map: .map(selector)), required: true,
              "A role, an inventory id, a friendly name, or a selector: the device that goes on with it."),
            KeySpec("stop_source", .bool, default: "true", "Whether the source stops."),
          ]), short: ("to", .text)), "Moves what plays to another device."),
    VerbSpec("play", .media, .bare, "Plays."),
    VerbSpec("pause", .media, .bare, "Pauses."),
    VerbSpec("stop", .media, .bare, "Ends the media."),
    VerbSpec(
      "seek", .media,
      .keys(
        keys(
          "seek",
          [
            KeySpec("to", .savable(.position), "Where to go: a position from the start, `start` or `end`."),
            KeySpec("by", .signedDuration, "How far to go from here, with a sign: `+30s`, `-10s`."),
            KeySpec(
              "then", .choice("resume state", ["keep", "play", "pause"]), default: "keep",
              "Whether it plays or is paused afterwards; `keep` leaves it as it was."),
            KeySpec("tolerance", .duration, default: "2s", "How far from the wanted position is close enough."),
          ], exclusive: [["to", "by"]], needsOneOf: [["to", "by"]]), short: ("to", .savable(.position))),
      "Moves the playhead."),
    VerbSpec(
      "rate", .media,
      .keys(
        keys(
          "rate",
          [
            KeySpec("to", .savable(rate), "The rate to play with, 0.5 to 2.").positive(),
            KeySpec("by", .factor, "A factor for the present rate, such as `1.1x`."),
          ],
          exclusive: [["to", "by"]], needsOneOf: [["to", "by"]]), short: ("to", .savable(rate))),
      "Sets the playback rate."),
    VerbSpec(
      "tracks", .media,
      .keys(
        keys(
          "tracks",
          [
            KeySpec(
              "active", trackIDs, required: true,
              "Ids or languages of the tracks that shall be active; `[]` switches all off.")
          ]),
        short: ("active", trackIDs)), "Chooses the active tracks."),
    VerbSpec(
      "text_style", .media, .value(.byShape(scalar: .reference(.textStyle), map: .map(textStyle))),
      "Changes the caption look."),
    VerbSpec(
      "skip_ad", .media,
      .keys(
        keys("skip_ad", [KeySpec("force", .bool, default: "false", "Asks even when the ad may not be skipped yet.")]),
        short: nil), "Skips the ad."),
  ]

  private static let protocolVerbs: [VerbSpec] = [
    VerbSpec(
      "send", .protocol,
      .keys(
        keys(
          "send",
          [
            KeySpec("namespace", .urn, required: true, "Of the message."),
            KeySpec("message", .anyMap, required: true, "The message, sent as JSON."),
            KeySpec("to", .choice("destination", ["app", "receiver"]), default: "app", "Who gets it."),
            KeySpec("expect_reply", .matchers, "What must come back."),
          ]), short: nil), "Sends a raw message."),
    VerbSpec(
      "refresh", .protocol,
      .keys(
        keys(
          "refresh",
          [
            KeySpec(
              "what", .choice("status", ["media", "receiver", "both"]), default: "both", "Which status to ask for.")
          ]),
        short: nil), "Asks for the status."),
    VerbSpec(
      "probe", .protocol,
      .keys(
        keys(
          "probe",
          [
            KeySpec("media", .reference(.mediaOrURL), required: true, "Media id or URL."),
            KeySpec("cors", .bool, default: "true", "Look at the CORS header."),
            KeySpec("ranges", .bool, default: "true", "Ask for a range."),
            KeySpec("tracks", .bool, default: "true", "Text tracks and clips too."),
          ]), short: ("media", .reference(.mediaOrURL))), "Fetches media from here."),
  ]

  private static let timeVerbs: [VerbSpec] = [
    VerbSpec(
      "wait", .time,
      .keys(
        keys(
          "wait",
          [KeySpec("for", durationValue, required: true, "How long to wait; `simulate` and `--speed` shorten it.")]),
        short: ("for", durationValue)), "Lets time pass."),
    VerbSpec("wait_until", .time, .value(.condition), "Waits for a state; late is an error."),
    VerbSpec("mark", .time, .value(.savable(.text)), "Puts a flag on the timeline."),
  ]

  private static let assertVerbs: [VerbSpec] = [
    VerbSpec(
      "expect", .assert, .value(.condition), modifiers: ["within", "for", "because"],
      "Must become true."),
    VerbSpec(
      "always", .assert, .value(.condition), modifiers: ["during", "because"],
      "Must hold during a window."),
    VerbSpec(
      "never", .assert, .value(.condition), modifiers: ["for", "during", "because"],
      "Must not hold during a window."),
    VerbSpec(
      "expect_sequence", .assert, .value(.list(.condition, of: "conditions")),
      modifiers: ["within", "since", "gaps", "because"], "Must come true in this order."
    ).holding(),
    VerbSpec(
      "expect_together", .assert,
      .keys(
        keys(
          "expect_together",
          [
            KeySpec("roles", .list(.reference(.role), of: "roles"), required: true, "Which devices, two or more.")
              .distinct().holding(atLeast: 2),
            KeySpec("that", .condition, required: true, "What must hold on all."),
            KeySpec("skew", .duration, "How far apart."),
          ]), short: nil), modifiers: ["within", "because"], "Must hold on several devices."),
    VerbSpec(
      "expect_message", .assert,
      .keys(
        keys(
          "expect_message",
          [
            KeySpec("namespace", .urn, required: true, "Of the message."),
            KeySpec("message", .matchers, required: true, "What it must say."),
          ]), short: nil), modifiers: ["within", "since", "because"],
      "A message of the app must come."),
  ]

  private static let flowVerbs: [VerbSpec] = [
    VerbSpec("fail", .flow, .value(.savable(.text)), "Fails the run."),
    VerbSpec(
      "set", .flow, .value(.mapOf(.anyValue, of: "variables")),
      "Assigns declared variables for the steps that follow."
    ).holding(),
    VerbSpec(
      "save", .flow, .value(.mapOf(.statusPath, of: "names")), "Keeps values of the status."),
    VerbSpec("log", .flow, .value(.savable(.text)), "A message in every report."),
    VerbSpec(
      "group", .flow,
      .keys(
        keys(
          "group",
          [
            KeySpec("steps", .steps, required: true, "The steps in it, in order, one at a time."),
            KeySpec("finally", .steps, default: "[]", "Always, after them."),
          ]), short: nil), "Several steps as one, which may be tried again as a whole."),
    VerbSpec(
      "use", .flow,
      .keys(
        keys(
          "use",
          [
            KeySpec("block", .reference(.block), required: true, "The block whose steps stand here."),
            KeySpec(
              "with", .mapOf(.anyValue, of: "arguments"), default: "{}", "Values for the parameters of the block."),
          ]), short: ("block", .reference(.block))), "Puts a block's steps in."),
    VerbSpec(
      "choose", .flow, .value(.list(.map(choice), of: "choices")),
      "Runs the steps of the first condition that is true."
    ).holding(),
    VerbSpec(
      "repeat", .flow,
      .keys(
        keys(
          "repeat",
          [
            KeySpec("times", .int(1...10_000), "How many times the steps run, 1 to 10000."),
            KeySpec("until", .condition, "Until this is true."),
            KeySpec("at_most", .int(1...10_000), "Bound of `until`.").needing("until"),
            KeySpec("steps", .steps, required: true, "What to repeat."),
          ], exclusive: [["times", "until"]], needsOneOf: [["times", "until"]]), short: nil), "Repeats steps."),
    VerbSpec(
      "for_each", .flow,
      .keys(
        keys(
          "for_each",
          [
            KeySpec(
              "item", .savable(.byShape(list: .list(.anyValue, of: "values"))), required: true,
              "The values: a list, or a variable that holds one."),
            KeySpec("steps", .steps, required: true, "What to do with each, as `${item}` and `${index}` (from 1)."),
          ]), short: nil), "Repeats steps for each value."),
    VerbSpec(
      "parallel", .flow, .keys(parallel, short: ("branches", branches)), "Several branches at once."),
    VerbSpec(
      "exec", .flow,
      .keys(
        keys(
          "exec",
          [
            KeySpec(
              "command", .list(.savable(.text), of: "arguments"), required: true, "Program and arguments, no shell."
            ).holding(),
            KeySpec("stdin", .choice("input", ["json", "none"]), default: "json", "What it reads."),
            KeySpec(
              "output", .choice("output", ["json", "text", "none"]), default: "json",
              "How its standard output is read into `reply`."),
          ]), short: nil), "Runs a program, with --allow-exec."),
  ]

  /// One entry of `choose`.
  static let choice = MapSpec(
    "a choice", topic: "choose",
    [
      KeySpec("if", .condition, "The condition under which these steps run.").needing("steps"),
      KeySpec("steps", .steps, "What runs when the condition holds."),
      KeySpec("otherwise", .steps, "What else; the last entry."),
    ], exclusive: [["if", "otherwise"], ["steps", "otherwise"]], needsOneOf: [["if", "otherwise"]])

  private static let branches = FieldType.list(.map(branch), of: "branches")

  /// One entry of `parallel`.
  static let branch = MapSpec(
    "a branch", topic: "parallel",
    [
      KeySpec("name", .text, "Shown in reports."),
      KeySpec("role", .reference(.role), "The device of its steps."),
      KeySpec("steps", .steps, required: true, "The steps in it, in order, one at a time."),
    ])

  private static let parallel = keys(
    "parallel",
    [
      KeySpec("branches", branches, required: true, "What runs at the same time."),
      KeySpec("fail_fast", .bool, default: "true", "One failure ends all."),
    ])
}
