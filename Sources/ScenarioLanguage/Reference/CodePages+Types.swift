extension CodePages {
  static let types: [CodePage] = [
    CodePage(
      .t201, "duration without a unit",
      why: "`30` may be seconds or milliseconds, depending on who reads it. A relative duration also needs its sign.",
      cure: "Add the unit: `30s`, `30ms`, `30m`, `2h`, `1d`.",
      wrong: step("- wait: 30"), right: step("- wait: 30s")),
    CodePage(
      .t202, "time of day where a duration stands",
      why: "`1:30` is one minute thirty for one reader and an hour and a half for the next; YAML 1.1 tools make the "
        + "number 90 of it (base 60).",
      cure: "Write the units: `1m30s` or `1h30m`.", wrong: step("- wait: 1:30"), right: step("- wait: 1m30s")),
    CodePage(
      .t203, "unknown unit, or units in the wrong order",
      why: "A duration is a row of numbers with units, largest first, each once; only the last may have decimals.",
      cure: "Units are `ms`, `s`, `m`, `h`, `d`: `1h30m`, `2m5.5s`.", wrong: step("- wait: 30sec"),
      right: step("- wait: 30s")),
    CodePage(
      .t204, "another spelling of true or false",
      why: "`yes`, `no`, `on`, `off` are truth values in YAML 1.1 and plain text in YAML 1.2, so two tools may read "
        + "opposite things.",
      cure: "Write `true` or `false`.", wrong: step("- mute: no"), right: step("- mute: false")),
    CodePage(
      .t205, "not in the list of values",
      why: "The key takes one word of a closed list.", cure: "Take one of the words that the message lists.",
      wrong: step("- seek: { to: 10s, then: resume }"), right: step("- seek: { to: 10s, then: play }")),
    CodePage(
      .t206, "number with a leading zero",
      why: "`010` is 8 (octal) in YAML 1.1 and 10 in YAML 1.2.", cure: "Write the number without the zero.",
      wrong: step("- launch: default\n  retry: 010"), right: step("- launch: default\n  retry: 10")),
    CodePage(
      .t207, "percentage without its sign",
      why: "The receiver counts volume from 0 to 1, people from 0 to 100: `1` may be silence or full volume.",
      cure: "Write `40%`.", wrong: step("- volume: 0.4"), right: step("- volume: 40%")),
    CodePage(
      .t208, "a comment ate the value",
      why: "An unquoted `#` behind a space begins a comment in YAML, so the key has no value at all.",
      cure: "Quote the value, or use a color's name.", wrong: step("- text_style:\n    color: #FFFF00FF"),
      right: step("- text_style:\n    color: \"#FFFF00FF\"")),
    CodePage(
      .t209, "not a color",
      why:
        "Colors are `\"#RRGGBB\"`, `\"#RRGGBBAA\"` with alpha last, or a name, which may have an alpha: `black/75%`.",
      cure: "Six or eight hexadecimal digits behind `#`, in quotes, or a name such as `yellow`.",
      wrong: step("- text_style: { color: \"#GG00FF\" }"), right: step("- text_style: { color: \"#FF00FF\" }")),
    CodePage(
      .t210, "list, map or single value expected",
      why: "The value has another shape than the key takes: often a dash is missing in front of a step.",
      cure: "Write `- ` in front of each entry of a list, `key: value` for a map.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          load: https://media.example.com/a.mp4
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .t211, "tab in the indentation",
      why: "YAML forbids tabs there, because how wide they are depends on the editor.",
      cure: "Use spaces; `showcaller fmt` puts a whole file right.",
      wrong: "scenario: Hello\ndevice: Living Room TV\nsteps:\n\t- expect: { app: none }",
      right: "scenario: Hello\ndevice: Living Room TV\nsteps:\n  - expect: { app: none }"),
    CodePage(
      .t212, "ambiguous value in free data",
      why:
        "`custom`, `params` and `message` go to the app as JSON, so here the spelling decides the type, and YAML tools "
        + "disagree about `yes`, `0755` and `1:30`.",
      cure: "Quote it if it is text; write `true`, `false` or a plain number if it is not.",
      wrong: step("- load: { media: https://media.example.com/a.mp4, custom: { autoplay: yes } }"),
      right: step("- load: { media: https://media.example.com/a.mp4, custom: { autoplay: true } }")),
    CodePage(
      .t213, "out of range",
      why: "The value is spelled right and is too small or too large for its key.",
      cure: "Stay within the limits that the message names.", wrong: step("- volume: 140%"),
      right: step("- volume: 100%")),
    CodePage(
      .t214, "not a time, a day or a date",
      why:
        "Times have two digits and a colon, `07:00`; hours are `07:00-11:30` without spaces; days are `mon-fri`; dates "
        + "are `2026-12-24` and must exist.",
      cure: "Take the spelling of the message: `07:00`, `17:00-01:00`, `mon-fri`, `2026-12-24`.",
      wrong: playlist("{ hours: 7:00-11:30 }"), right: playlist("{ hours: 07:00-11:30 }")),
    CodePage(
      .t215, "not a URL",
      why:
        "A receiver fetches `http:` and `https:` URLs with a host; `file:` is a path next to the document. Spaces must "
        + "be written as `%20`.",
      cure: "Write the whole URL, with its scheme and its host.",
      wrong: step("- load: https://media.example.com/my film.mp4"),
      right: step("- load: https://media.example.com/my%20film.mp4")),
    CodePage(
      .t216, "not a regular expression",
      why: "The pattern of `matches` is compiled before anything runs; something in it is not closed, not known or not "
        + "allowed.",
      cure: "Mend the pattern. In double quotes a backslash is written twice; in single quotes once.",
      wrong: step("- expect: { title: { matches: \"S01(E\\\\d+\" } }"),
      right: step("- expect: { title: { matches: \"S01E\\\\d+\" } }")),
    CodePage(
      .t217, "not a cron time",
      why: "A cron time has five fields: minute, hour, day of the month, month and day of the week, each within its "
        + "limits.",
      cure: "Mend the field that is underlined; `*/15 6-22 * * *` is every quarter of an hour from 6:00 to 22:45.",
      wrong: schedule("{ cron: \"0 25 * * *\", timezone: Europe/Paris }"),
      right: schedule("{ cron: \"0 5 * * *\", timezone: Europe/Paris }")),
    CodePage(
      .t218, "unknown time zone",
      why: "Times of day need a zone of the IANA list, such as `Europe/Paris`: abbreviations and offsets know no "
        + "daylight saving time.",
      cure: "Write the zone as area and city, with capitals.",
      wrong: """
        playlist: Window
        devices: [Window TV]
        timezone: Europe/Pariss
        program:
          - { during: any_time, play: [https://cdn.example.com/a.jpg] }
        """,
      right: """
        playlist: Window
        devices: [Window TV]
        timezone: Europe/Paris
        program:
          - { during: any_time, play: [https://cdn.example.com/a.jpg] }
        """),
    CodePage(
      .t219, "spelling of an id",
      why:
        "Ids are small letters, digits, `_` and `-`, and do not begin with a digit; variables have no `-`. Ids, keys "
        + "and verbs never come from a variable, so that a document can be read without running it.",
      cure: "Write `big_film` for `Big Film`; put the text for people into `title`.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        media:
          Big Film: { url: https://media.example.com/film.mp4 }
        steps:
          - expect: { app: none }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        media:
          big_film: { url: https://media.example.com/film.mp4 }
        steps:
          - load: big_film
          - expect: { player: playing }
        """),
    CodePage(
      .t220, "comparison against the wrong type",
      why:
        "The matcher does not fit the field: a player state has no minimum, a position does not begin with a text. It "
        + "could never hold.",
      cure: "`showcaller explain conditions` lists the fields with their types, and the matchers.",
      wrong: step("- expect: { player: { min: 5s } }"), right: step("- expect: { position: { min: 5s } }")),
    CodePage(
      .t221, "spelling of a number",
      why: "Numbers are digits with `.` between digits: no `.5`, `1.`, `1e3`, `0x1F` or `1_000`, which tools read "
        + "differently.",
      cure: "Write `0.5`, `1000`.", wrong: step("- rate: .5"), right: step("- rate: 0.5")),
    CodePage(
      .t222, "not a language tag, MIME type, namespace, app id or address",
      why: "These have a spelling of their own: `pt-BR`, `video/mp4`, `urn:x-cast:com.example`, `A1B2C3D4`, "
        + "`192.0.2.14:8009`.",
      cure: "Take the spelling of the message.",
      wrong: step("- launch: { app: default, language: english }"),
      right: step("- launch: { app: default, language: en }")),
  ]

  /// A scenario with a step of its own among others that make it whole.
  private static func step(_ text: String) -> String {
    let lines = text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return """
      scenario: Hello
      device: Living Room TV
      steps:
        - load: https://media.example.com/a.mp4
      \(lines)
        - expect: { player: playing }
      """
  }

  private static func playlist(_ during: String) -> String {
    """
    playlist: Window
    devices: [Window TV]
    timezone: Europe/Paris
    fallback: https://cdn.example.com/logo.png
    program:
      - { during: \(during), play: [https://cdn.example.com/a.jpg] }
    """
  }

  private static func schedule(_ entry: String) -> String {
    """
    scenario: Nightly
    device: Living Room TV
    schedule:
      - \(entry)
    steps:
      - expect: { app: none }
    """
  }
}
