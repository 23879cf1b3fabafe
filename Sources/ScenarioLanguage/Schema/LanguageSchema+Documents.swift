extension LanguageSchema {
  private static let scenarioOnly: Set<DocumentKind> = [.scenario]
  private static let scenarioAndPlaylist: Set<DocumentKind> = [.scenario, .playlist]
  private static let playlistOnly: Set<DocumentKind> = [.playlist]
  private static let libraryOnly: Set<DocumentKind> = [.library]
  private static let all: Set<DocumentKind> = [.scenario, .playlist, .library]

  /// docs/language/scenario.md "Keys", in its order; the kind key itself is not among them.
  private static let topKeys: [(Set<DocumentKind>, [KeySpec])] = [
    (
      all,
      [
        KeySpec("language", .int(1...Int.max), default: "1", "Revision of the language."),
        KeySpec("id", .id, default: "file stem", "Stable identity in reports; the title may change."),
        KeySpec("description", .text, "Free text for people, shown in reports."),
      ]
    ),
    (
      scenarioAndPlaylist,
      [
        KeySpec("tags", .list(.id, of: "tags"), default: "[]", "Words to select documents by.")
      ]
    ),
    (
      all,
      [
        KeySpec(
          "include", .list(.byShape(scalar: .path, map: .map(include)), of: "files"), default: "[]",
          "Definitions from library files: a path, or a file with a prefix or a choice of names."),
        KeySpec("vars", .mapOf(.anyValue, of: "variables"), default: "{}", "Typed inputs: a value, or a declaration."),
        KeySpec(
          "secrets", .mapOf(.map(secret), of: "secrets"), default: "{}",
          "Values that are never printed, put in by `${secret.x}`."),
        KeySpec(
          "inventory", .mapOf(.map(inventoryEntry), of: "devices"), default: "{}",
          "Known devices by names of your own, which `device:` and `roles:` may use."),
        KeySpec(
          "apps", .mapOf(.byShape(scalar: .appID, map: .map(app)), of: "apps"), default: "{}",
          "Receiver applications; `default` is built in."),
        KeySpec("media", .mapOf(.map(media), of: "media"), default: "{}", "What can be loaded, by ids of your own."),
        KeySpec(
          "text_styles", .mapOf(.map(textStyle), of: "text styles"), default: "{}", "Caption looks, by ids of your own."
        ),
        KeySpec(
          "blocks", .mapOf(.map(block), of: "blocks"), default: "{}", "Reusable steps, called with `use:`."),
        KeySpec(
          "calendars", .mapOf(.byShape(list: .list(.dates, of: "dates"), map: .map(calendarFile)), of: "calendars"),
          default: "{}", "Holidays and closures: dates, or an iCalendar file."),
      ]
    ),
    (
      scenarioAndPlaylist,
      [
        KeySpec("defaults", .map(defaults), "What counts where a step does not say."),
        KeySpec(
          "device", .byShape(scalar: .text, map: .map(selector)),
          "The one device: an inventory id, a friendly name, or a selector; none or several are an error."),
      ]
    ),
    (
      scenarioOnly,
      [
        KeySpec("devices", devices, "One independent run per device.").holding()
      ]
    ),
    (
      playlistOnly,
      [
        KeySpec("devices", devices, "The screens that show the program.").holding()
      ]
    ),
    (
      scenarioOnly,
      [
        KeySpec(
          "roles", .mapOf(.byShape(scalar: .text, map: .map(selector)), of: "roles"),
          "Several devices in one story; steps say `role: left`."
        ).holding(),
        KeySpec(
          "matrix", .mapOf(.byShape(list: .list(.anyValue, of: "values")), of: "variables"), default: "{}",
          "One run per combination of values, but for those under `exclude`; read as `${matrix.name}`."),
        KeySpec("timeout", .duration, default: "10m", "Deadline of setup and steps."),
        KeySpec("retry", retryField, default: "none", "Repeats the whole scenario from a clean session."),
        KeySpec("session", .map(session), "How to join and how to leave a running session."),
        KeySpec(
          "takeover", .choice("takeover rule", of: Plan.Takeover.self), default: "fail",
          "What it does to the run when another sender takes over: `fail` ends it, `ignore` carries on."),
        KeySpec("watch", .list(.map(monitor), of: "monitors"), default: "[]", "Rules for the whole run."),
        KeySpec(
          "setup", .steps, default: "[]",
          "Steps before the steps; a failure here is an error of the set-up, not a failed test."),
        KeySpec("steps", .steps, required: true, "What is done and checked, in order, one at a time."),
        KeySpec("on_failure", .steps, default: "[]", "Steps after a failure, to collect evidence; all of them run."),
        KeySpec(
          "finally", .steps, default: "[]",
          "Steps that always run: after success, failure, a deadline, Ctrl-C; all of them, even if one fails."),
        KeySpec("finally_timeout", .duration, default: "30s", "Deadline of on_failure and finally together."),
        KeySpec("schedule", .list(.map(schedule), of: "schedules"), default: "[]", "When to run."),
      ]
    ),
    (
      playlistOnly,
      [
        KeySpec(
          "timezone", .timeZone, default: "system zone",
          "Zone of all times of day, an IANA name such as `Europe/Paris`."),
        KeySpec("app", .reference(.app), default: "default", "Receiver app of every item."),
        KeySpec("volume", .words(["keep"], else: .fraction), default: "keep", "Set when an item starts."),
        KeySpec("dayparts", .mapOf(.map(timeCondition), of: "dayparts"), default: "{}", "Named windows of time."),
        KeySpec(
          "program", .list(.map(programEntry), of: "rules"), required: true, "The first rule whose time matches is on."
        ).holding(),
        KeySpec(
          "interrupts", .list(.map(interrupt), of: "interrupts"), default: "[]",
          "What cuts into the program at times of its own, or when something happens outside."),
        KeySpec(
          "triggers", .mapOf(.map(trigger), of: "triggers"), default: "{}",
          "What happens outside, for interrupts to wait for."),
        KeySpec("notify", .list(.map(notification), of: "notifications"), default: "[]", "Whom to tell of what."),
        KeySpec("power", .map(power), "The programs of the site that switch its screens on and off."),
        KeySpec(
          "fallback", .oneOrMany(.reference(.mediaOrURL), of: "media"), default: "none",
          "What is shown when no rule matches or an item will not load: never a black screen."
        ).holding(),
        KeySpec("quiet", .map(quiet), default: "none", "Hours in which the screen rests; they win over everything."),
        KeySpec("takeover", .map(takeover), "What happens when somebody else casts to the screen."),
        KeySpec("keep_awake", .words(["never"], else: .duration), default: "5m", "Re-loads a still image in time."),
        KeySpec("sync", .bool, default: "false", "Whether all screens begin each item of the program together."),
        KeySpec("watchdog", .map(watchdog), "What to do with a stuck player."),
        KeySpec(
          "on_error", .choice("error rule", of: PlaylistPlan.OnError.self), default: "fallback",
          "An item that will not load."),
        KeySpec(
          "ledger", .map(ledger), default: "state dir, daily",
          "Where the proof of play is written: what was on screen, as the receiver said."),
      ]
    ),
    (
      libraryOnly,
      [
        KeySpec("receiver", .map(receiver), "What the virtual receivers are that it is for."),
        KeySpec(
          "receivers", .mapOf(.map(oneReceiver), of: "receivers"), default: "{}",
          "Several virtual receivers, by names of your own; what all of them share stands in `receiver`."),
        KeySpec(
          "faults", .list(.map(fault), of: "faults"), default: "[]",
          "What goes wrong with virtual receivers, and when."),
      ]
    ),
  ]

  private static func documentSpec(_ kind: DocumentKind) -> MapSpec {
    let title = KeySpec(kind.rawValue, .text, required: true, "Kind and title of the document.")
    return MapSpec(
      "a \(kind.rawValue)", topic: kind.rawValue, [title] + topKeys.filter { $0.0.contains(kind) }.flatMap { $0.1 },
      exclusive: [["device", "devices", "roles"]],
      needsOneOf: kind == .library ? [] : [kind == .scenario ? ["device", "devices", "roles"] : ["devices", "device"]])
  }

  static let scenario = documentSpec(.scenario)
  static let playlist = documentSpec(.playlist)
  static let library = documentSpec(.library)

  static let include = MapSpec(
    "an include", topic: "include",
    [
      KeySpec("file", .path, required: true, "A library, relative to this file and inside the project."),
      KeySpec("as", .id, "Prefix for its names: `as: brand` makes `logo` `brand.logo`."),
      KeySpec("only", .list(.text, of: "names"), "Names to take, with what they need."),
    ])

  static let calendarFile = MapSpec(
    "a calendar", topic: "calendars",
    [
      KeySpec(
        "file", .path,
        "An iCalendar file (.ics), relative to this file and inside the project: the days on which its events lie."),
      KeySpec(
        "ics", .url,
        "The web address of an iCalendar file, which `serve` fetches; everything else reads the copy that it made."),
      KeySpec("every", .duration, default: "6h", "How often it is fetched; 1m or more.").needing("ics"),
    ], exclusive: [["file", "ics"]], needsOneOf: [["file", "ics"]])

  static let secret = MapSpec(
    "a secret", topic: "secrets",
    [
      KeySpec("env", .text, "Environment variable that holds it."),
      KeySpec("file", .path, "File that holds it; one newline at its end is left out."),
      KeySpec("command", .list(.text, of: "arguments"), "Program whose output it is, run without a shell."),
      KeySpec("saved", .bool, "Filled by a later `save:`, and kept secret from then on."),
    ], exclusive: [["env", "file", "command", "saved"]], needsOneOf: [["env", "file", "command", "saved"]])

  /// The types a variable can be declared with, by their names in the document.
  static let variableTypes: [(name: String, type: FieldType)] =
    ScalarKind.allCases.compactMap { kind in kind.spec.variable.map { ($0.name, $0.type) } } + [
      ("media", .text), ("list", .byShape(list: .list(.anyValue, of: "values"))), ("map", .anyMap),
    ]

  static func variableType(_ name: String) -> FieldType? { variableTypes.first { $0.name == name }?.type }

  /// A variable with a type (docs/language/variables.md "Variables").
  static let variable = MapSpec(
    "a variable", topic: "vars",
    [
      KeySpec("type", .choice("type", variableTypes.map(\.name)), default: "text", "How its value is spelled."),
      KeySpec("default", .anyValue, "Without one a value is required."),
      KeySpec("env", .text, "Environment variable that may set it."),
      KeySpec("choices", .list(.anyValue, of: "values"), "The only values allowed."),
      KeySpec("min", .anyValue, "Smallest value that is allowed."),
      KeySpec("max", .anyValue, "Largest value that is allowed."),
      KeySpec("description", .text, "What it is for; `showcaller inputs` shows it."),
    ])

  static let block = MapSpec(
    "a block", topic: "blocks",
    [
      KeySpec("params", .mapOf(.anyValue, of: "parameters"), default: "{}", "What `use` gives, typed like `vars`."),
      KeySpec("steps", .steps, "What `use:` puts in."),
      KeySpec("like", .reference(.block), "Another block to start from."),
    ], needsOneOf: [["steps", "like"]])

  static let defaults = MapSpec(
    "`defaults`", topic: "defaults",
    [
      KeySpec("within", .duration, default: "10s", "How long an expectation may take to become true."),
      KeySpec("app", .reference(.app), default: "default", "App to launch and to load into."),
      KeySpec("timeout", .map(timeouts), "How long one try may take, by kind of step."),
      KeySpec("retry", retryField, default: "1 attempt", "For action steps."),
      KeySpec(
        "text_style", .byShape(scalar: .reference(.textStyle), map: .map(textStyle)), default: "{}", "For every load."),
    ])

  static let timeouts = MapSpec(
    "`defaults.timeout`", topic: "defaults",
    [
      KeySpec("discover", .duration, default: "5s", "Finding the device."),
      KeySpec("connect", .duration, default: "5s", "TLS and the first status."),
      KeySpec("reply", .duration, default: "5s", "How long a device may take to answer one request."),
      KeySpec("launch", .duration, default: "15s", "How long an app may take to start."),
      KeySpec("load", .duration, default: "30s", "How long media may take until `load` is done."),
      KeySpec("step", .duration, default: "30s", "Any other step."),
    ])

  static let session = MapSpec(
    "`session`", topic: "session",
    [
      KeySpec("join", .choice("join rule", of: Plan.Session.Join.self), default: "auto", "At the start."),
      KeySpec(
        "leave", .choice("leave rule", of: Plan.Session.Leave.self), default: "restore",
        "At the end: `restore` sets volume and mute back and stops the app we launched."),
    ])

  static let monitor = MapSpec(
    "a monitor", topic: "watch",
    [
      KeySpec("name", .text, "Shown when the rule is broken."),
      KeySpec("always", .condition, "Must hold on every status."),
      KeySpec("never", .condition, "Must not hold on any status."),
      KeySpec("for", .duration, "Broken only after this long in a row."),
      KeySpec("if_fails", ifFails, default: "stop", "What a broken rule does to the run."),
    ], exclusive: [["always", "never"]], needsOneOf: [["always", "never"]])

  static let schedule = MapSpec(
    "a schedule", topic: "schedule",
    [
      KeySpec("cron", .cron, "Minute, hour, day of month, month, day of week: five fields as cron reads them.")
        .needing("timezone"),
      KeySpec("at", .oneOrMany(.time, of: "times"), "Times of day.").needing("timezone"),
      KeySpec("every", .duration, "On the clock."),
      KeySpec("days", .days, default: "daily", "Which days `at` means."),
      KeySpec("timezone", .timeZone, "IANA name; required with `cron` and `at`."),
      KeySpec("jitter", .duration, default: "0s", "Begins up to this much later, so that many do not begin at once."),
      KeySpec("overlap", .choice("overlap rule", of: Schedule.Overlap.self), default: "skip", "The last run goes on."),
      KeySpec("missed", .choice("missed rule", ["skip", "run_once"]), default: "skip", "The computer was off."),
      KeySpec("within", .duration, default: "1h", "How late `run_once` may be.").needing("missed", "run_once"),
      KeySpec(
        "dst",
        .map(
          MapSpec(
            "`dst`", topic: "schedule",
            [
              KeySpec(
                "missing", .choice("rule", of: Schedule.Missing.self), default: "run_after",
                "A time that does not exist."),
              KeySpec(
                "repeated", .choice("rule", of: Schedule.Repeated.self), default: "once", "A time that comes twice."),
            ])), "When clocks change."),
    ], exclusive: [["cron", "at", "every"], ["cron", "days"]], needsOneOf: [["cron", "at", "every"]])
}
