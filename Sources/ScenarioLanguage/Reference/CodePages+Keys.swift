extension CodePages {
  static let keys: [CodePage] = [
    CodePage(
      .k101, "unknown key or step",
      why: "A key, a step or a status field that the language does not have at this place. It is never skipped: a "
        + "misspelled `timeout` that is silently ignored is found when it is needed.",
      cure: "Take the spelling that the message suggests, or one of the keys it lists; `showcaller explain scenario` "
        + "shows all of them.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - laod: https://media.example.com/a.mp4
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .k102, "one step, two verbs",
      why: "A step does one thing, so that it has one outcome, one deadline and one line in every report.",
      cure: "Begin a new step with `- ` for the second verb.",
      wrong: """
        scenario: Jump
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
            seek: 1m30s
        """,
      right: """
        scenario: Jump
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - seek: 1m30s
          - expect: { position: { min: 1m30s } }
        """),
    CodePage(
      .k103, "key of another kind",
      why: "The key exists, but not here: it belongs to another kind of document, of step or of metadata.",
      cure: "Change the first key if the document is of the other kind, or write what this kind uses instead.",
      wrong: """
        scenario: Opening hours
        device: Living Room TV
        program:
          - { during: any_time, play: [https://cdn.example.com/logo.png] }
        """,
      right: """
        playlist: Opening hours
        device: Living Room TV
        timezone: Europe/Paris
        program:
          - { during: any_time, play: [https://cdn.example.com/logo.png] }
        """),
    CodePage(
      .k104, "duplicate key",
      why:
        "The same key stands twice in one map. Most YAML tools keep the last one without a word; which one was meant "
        + "is not for a tool to guess.",
      cure: "Keep one of them.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        timeout: 1m
        timeout: 5m
        steps: [{ expect: { app: none } }]
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        timeout: 5m
        steps: [{ expect: { app: none } }]
        """),
    CodePage(
      .k105, "missing required key",
      why:
        "Something cannot do without this key: a scenario without steps, a `load` without media, a document that does "
        + "not say what it is.",
      cure:
        "Add the key that the message names. The first key of a document is `scenario:`, `playlist:` or `library:`.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .k106, "two kinds in one document",
      why: "A document is a scenario, a playlist or a library: its first key says which, and there is one such key.",
      cure: "Put them into two files; what both need goes into a third, a `library:` that both include.",
      wrong: """
        scenario: Hello
        playlist: Window
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """),
    CodePage(
      .k107, "keys exclude each other",
      why:
        "Each of the two keys answers the same question, and the answers may differ: `device` and `devices`, `to` and "
        + "`by` of a seek, `cron` and `every` of a schedule. A warning where one of them only has no effect.",
      cure: "Keep the one that is meant.",
      wrong: """
        scenario: Jump
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - seek: { to: 1m30s, by: +10s }
          - expect: { position: { min: 10s } }
        """,
      right: """
        scenario: Jump
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - seek: { by: +10s }
          - expect: { position: { min: 10s } }
        """),
    CodePage(
      .k108, "deprecated key",
      why:
        "The key still works and has a better successor; a later revision of the language will refuse it. Revision 1 "
        + "has no deprecated key yet.",
      cure: "Write the successor that the message names; the meaning is the same.", from: .nothing, wrong: nil,
      right: .init(
        """
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """)),
    CodePage(
      .k109, "language newer than the tool",
      why: "`language:` names a revision that this showcaller does not know. Reading it as an older one might do "
        + "something else than it says.",
      cure: "Install a newer showcaller, or write the document in the revision that is here.",
      wrong: """
        language: 2
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """,
      right: """
        language: 1
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """),
    CodePage(
      .k110, "not supported by this version",
      why: "The language has this key, step or value, this version knows it, and cannot do it. It says so instead of "
        + "leaving it out: a check that is skipped in silence would pass.",
      cure: "Leave it out for now, or install a newer showcaller.", from: .nothing, wrong: nil,
      right: .init(
        """
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """)),
  ]
}
