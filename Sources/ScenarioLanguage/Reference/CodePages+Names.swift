extension CodePages {
  static let names: [CodePage] = [
    CodePage(
      .n401, "undefined variable",
      why:
        "`${name}` stands for a variable that the document does not declare, or that has no value. It never becomes an "
        + "empty text.",
      cure: "Declare it under `vars:`, give it a `default:`, or set it with `--set name=value`.",
      wrong: """
        scenario: Speed
        device: Living Room TV
        vars: { _speed: 1.5 }
        steps:
          - load: https://media.example.com/a.mp4
          - rate: ${sped}
        """,
      right: """
        scenario: Speed
        device: Living Room TV
        vars: { speed: 1.5 }
        steps:
          - load: https://media.example.com/a.mp4
          - rate: ${speed}
          - expect: { rate: "${speed}" }
        """),
    CodePage(
      .n402, "unused definition",
      why: "Something is defined and nothing uses it: often its name is misspelled where it should be used.",
      cure: "Use it, remove it, or begin its name with `_` to keep it. `--strict` makes warnings errors.",
      wrong: """
        scenario: Speed
        device: Living Room TV
        vars: { cdn: https://cdn.example.com }
        steps:
          - load: https://other.example.com/a.mp4
          - expect: { player: playing }
        """,
      right: """
        scenario: Speed
        device: Living Room TV
        vars: { cdn: https://cdn.example.com }
        steps:
          - load: ${cdn}/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .n403, "secret without a value",
      why:
        "The environment variable, the file or the program that a secret names gives nothing, so the run would log in "
        + "with nothing.",
      cure:
        "Set the variable, or hand the secret in with `--secret name=@file`; `check --no-secrets` checks all the rest.",
      wrong: .init(secretDocument),
      right: .init(secretDocument, environment: [("ACME_TOKEN", "9f2c61d0a7e84b35")])),
    CodePage(
      .n404, "includes go in a circle",
      why: "A library includes itself, by way of others: none of them can be read first.",
      cure: "Move what both need into a third file.",
      wrong: .init(
        includer,
        files: [
          ("brand.yaml", "library: Brand\ninclude: [fonts.yaml]\n"),
          ("fonts.yaml", "library: Fonts\ninclude: [brand.yaml]\ntext_styles: { big: { size: 150% } }\n"),
        ]),
      right: .init(
        includer,
        files: [
          ("brand.yaml", "library: Brand\ninclude: [fonts.yaml]\n"),
          ("fonts.yaml", "library: Fonts\ntext_styles: { big: { size: 150% } }\n"),
        ])),
    CodePage(
      .n405, "block uses itself",
      why: "Blocks are put in before the run; one that uses itself would never end.",
      cure: "`retry:` tries again, `repeat:` does something several times.",
      wrong: """
        scenario: Loop
        device: Living Room TV
        blocks:
          start:
            steps:
              - load: https://media.example.com/a.mp4
              - use: start
        steps: [{ use: start }, { expect: { player: playing } }]
        """,
      right: """
        scenario: Loop
        device: Living Room TV
        blocks:
          start:
            steps:
              - load: https://media.example.com/a.mp4
                retry: 3
        steps: [{ use: start }, { expect: { player: playing } }]
        """),
    CodePage(
      .n406, "unknown media, style, app, daypart, role or step",
      why: "A name is used that nothing defines.", cure: "Define it, or take the spelling of the definition.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        media: { film: { url: https://media.example.com/film.mp4 } }
        steps:
          - load: flim
          - expect: { player: playing }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        media: { film: { url: https://media.example.com/film.mp4 } }
        steps:
          - load: film
          - expect: { player: playing }
        """),
    CodePage(
      .n407, "value used before it is known",
      why:
        "A saved value exists from the end of the step that saves it, and other values only while the scenario runs: "
        + "before that there is nothing to put in.",
      cure: "Save it in an earlier step, or give the key a fixed value.",
      wrong: """
        scenario: Rewind
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - seek: ${p0}
          - save: { p0: position }
          - expect: { player: playing }
        """,
      right: """
        scenario: Rewind
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - save: { p0: position }
          - seek: ${p0}
          - expect: { player: playing }
        """),
    CodePage(
      .n408, "value saved in one branch only",
      why:
        "The step that saves the value may not run: it stands in one branch of a `choose`, under an `if`, or in a loop "
        + "that may end first.",
      cure: "Save the value in every branch, or before the `choose`.",
      wrong: """
        scenario: Rewind
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - choose:
              - if: { break: none }
                steps: [{ save: { p0: position } }]
              - otherwise: [{ wait: 1s }]
          - seek: ${p0}
          - expect: { player: playing }
        """,
      right: """
        scenario: Rewind
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - save: { p0: position }
          - choose:
              - if: { break: none }
                steps: [{ log: film }]
              - otherwise: [{ wait: 1s }]
          - seek: ${p0}
          - expect: { player: playing }
        """),
    CodePage(
      .n409, "included file or calendar not found, or outside the project",
      why:
        "A file that is included, or that a calendar names, must exist and lie inside the project, so that a document "
        + "from somebody else cannot read other files of this computer. A missing `file:` media is only a warning.",
      cure: "Mend the path, which is relative to this document, or allow another folder with `--allow-path`.",
      wrong: .init(plainIncluder),
      right: .init(
        plainIncluder, files: [("brand.yaml", "library: Brand\ntext_styles: { big: { size: 150% } }\n")])),
    CodePage(
      .n410, "name defined twice by includes",
      why: "Two files define the same name; which one counts must not depend on their order.",
      cure: "Include one of them with `as:`, which puts a prefix in front of its names, or only what is needed with "
        + "`only:`.",
      wrong: .init(
        """
        scenario: Captions
        device: Living Room TV
        include: [brand.yaml, season.yaml]
        steps:
          - load: https://media.example.com/a.mp4
          - text_style: big
          - expect: { player: playing }
        """, files: twoLibraries),
      right: .init(
        """
        scenario: Captions
        device: Living Room TV
        include:
          - brand.yaml
          - { file: season.yaml, as: season }
        steps:
          - load: https://media.example.com/a.mp4
          - text_style: big
          - expect: { player: playing }
        """, files: twoLibraries)),
    CodePage(
      .n411, "name of a built-in",
      why:
        "`item`, `index`, `attempt`, `matrix`, `device`, `run` and `secret` mean something already; the app `default` "
        + "and the daypart `any_time`, too.",
      cure: "Take another name.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        vars: { item: https://media.example.com/a.mp4 }
        steps:
          - load: ${item}
          - expect: { player: playing }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        vars: { spot: https://media.example.com/a.mp4 }
        steps:
          - load: ${spot}
          - expect: { player: playing }
        """),
    CodePage(
      .n412, "`like` goes in a circle",
      why: "A definition starts from one that starts from it: neither has a beginning.",
      cure: "Let one of them stand on its own.",
      wrong: """
        scenario: Captions
        device: Living Room TV
        text_styles:
          big: { like: yellow, size: 150% }
          yellow: { like: big, color: yellow }
        steps:
          - text_style: big
          - text_style: yellow
          - expect: { text_style: { color: yellow } }
        """,
      right: """
        scenario: Captions
        device: Living Room TV
        text_styles:
          big: { size: 150% }
          yellow: { like: big, color: yellow }
        steps:
          - text_style: yellow
          - expect: { text_style: { color: yellow } }
        """),
    CodePage(
      .n413, "calendar file that is not understood",
      why:
        "The file is no iCalendar (RFC 5545), or was not copied to its end. As a warning: some lines of it say what "
        + "calendars here do not know, such as `FREQ=HOURLY` or a day that does not exist, or it has no days at all. All "
        + "its other events count.",
      cure: "Export it again as iCalendar, or mend the lines that the message shows.",
      wrong: .init(closedDocument, files: [("holidays.ics", "<!DOCTYPE html>\n<title>Holidays</title>\n")]),
      right: .init(
        closedDocument,
        files: [
          (
            "holidays.ics",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nRRULE:FREQ=YEARLY\nEND:VEVENT\nEND:VCALENDAR\n"
          )
        ])),
  ]

  private static let closedDocument = """
    playlist: Window
    devices: [Window TV]
    timezone: Europe/Paris
    calendars:
      holidays: { file: holidays.ics }
    program:
      - { during: { calendar: holidays }, play: [https://cdn.example.com/closed.png] }
      - { during: any_time, play: [https://cdn.example.com/menu.png] }
    """

  private static let secretDocument = """
    scenario: Login
    device: Living Room TV
    secrets:
      token: { env: ACME_TOKEN }
    steps:
      - load: { media: https://media.example.com/a.mp4, credentials: "${secret.token}" }
      - expect: { player: playing }
    """

  private static let includer = """
    scenario: Captions
    device: Living Room TV
    include: [brand.yaml]
    steps:
      - load: https://media.example.com/a.mp4
      - text_style: big
      - expect: { player: playing }
    """

  private static let plainIncluder = """
    scenario: Captions
    device: Living Room TV
    include: [brand.yaml]
    steps:
      - load: https://media.example.com/a.mp4
      - expect: { player: playing }
    """

  private static let twoLibraries: [(name: String, text: String)] = [
    ("brand.yaml", "library: Brand\ntext_styles: { big: { size: 150% } }\n"),
    ("season.yaml", "library: Season\ntext_styles: { big: { size: 200% } }\n"),
  ]
}
