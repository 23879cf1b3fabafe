extension CodePages {
  static let yaml: [CodePage] = [
    CodePage(
      .y301, "unknown anchor",
      why: "`*name` stands for what `&name` marks further up, and nothing above has that mark.",
      cure: "Put `&name` in front of the value that is meant, above its first use, or take the spelling that is there.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        media:
          a: { url: https://media.example.com/a.mp4, metadata: &about { title: Sintel } }
          b: { url: https://media.example.com/b.mp4, metadata: *abuot }
        steps: [{ load: a }, { load: b }, { expect: { player: playing } }]
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        media:
          a: { url: https://media.example.com/a.mp4, metadata: &about { title: Sintel } }
          b: { url: https://media.example.com/b.mp4, metadata: *about }
        steps: [{ load: a }, { load: b }, { expect: { player: playing } }]
        """),
    CodePage(
      .y302, "aliases make the document too large",
      why: "Aliases of aliases let a few lines stand for billions of values. The limits are 1 000 aliases and 10 000 "
        + "values that they add; they are counted before anything is built.",
      cure: "Name things under `media:` or `blocks:` and refer to them by their ids.",
      wrong: """
        scenario: Bomb
        device: Living Room TV
        vars:
          a: &a [x, x, x, x, x, x, x, x, x, x]
          b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
          c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
          d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
        steps: [{ expect: { app: none } }]
        """,
      right: """
        scenario: No bomb
        device: Living Room TV
        media:
          spot: { url: https://media.example.com/spot.mp4 }
        steps: [{ load: spot }, { load: spot }, { expect: { player: playing } }]
        """),
    CodePage(
      .y303, "merge key",
      why: "`<<:` was dropped from YAML; what it does to keys that are already there differs between tools.",
      cure: "`like: name` starts from another definition and is checked.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        media:
          base: &base { url: https://media.example.com/a.mp4, duration: 30s }
          loud:
            <<: *base
            url: https://media.example.com/b.mp4
        steps: [{ load: base }, { load: loud }, { expect: { player: playing } }]
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        media:
          base: { url: https://media.example.com/a.mp4, duration: 30s }
          loud:
            like: base
            url: https://media.example.com/b.mp4
        steps: [{ load: base }, { load: loud }, { expect: { player: playing } }]
        """),
    CodePage(
      .y304, "`${}` without quotes in a flow collection",
      why: "Inside `[ ]` and `{ }` the braces of `${x}` are YAML punctuation.",
      cure: "Quote it: `[\"${x}\"]`. Quoting does not turn a number into text here: the field decides what a value is.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        vars: { spot: https://media.example.com/a.mp4 }
        steps:
          - load: { media: ${spot} }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        vars: { spot: https://media.example.com/a.mp4 }
        steps:
          - load: { media: "${spot}" }
          - expect: { player: playing }
        """),
    CodePage(
      .y305, "second document in a file",
      why: "A file holds one document; what follows `---` would belong to another one.",
      cure: "Put it into a file of its own, or remove the `---`.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        ---
        steps: [{ expect: { app: none } }]
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps: [{ expect: { app: none } }]
        """),
    CodePage(
      .y306, "tag",
      why: "`!include`, `!secret` and other tags mean something only to the tool that invented them.",
      cure:
        "`include:` takes definitions from other files, `secrets:` and `vars:` with `env:` values from outside; all "
        + "else needs no tag, because the field decides how a value is read.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        vars: { speed: !float 1.5 }
        steps:
          - load: https://media.example.com/a.mp4
          - rate: ${speed}
          - expect: { rate: "${speed}" }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        vars: { speed: 1.5 }
        steps:
          - load: https://media.example.com/a.mp4
          - rate: ${speed}
          - expect: { rate: "${speed}" }
        """),
    CodePage(
      .y307, "a key that is no text",
      why: "Keys are single words; YAML would also take lists, maps and nothing at all.",
      cure: "Write the word in front of the colon; quote it if it looks like something else.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { ? [room] : bar }
          - expect: { player: playing }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { room: bar }
          - expect: { player: playing }
        """),
    CodePage(
      .y308, "encoding, byte order mark or control character",
      why: "Documents are UTF-8 without a byte order mark and without characters that cannot be seen: those make two "
        + "texts that look alike differ.",
      cure: "Save the file as UTF-8 without BOM, and remove the character.",
      wrong: "scenario: Hello\ndevice: Living\u{7} Room TV\nsteps: [{ expect: { app: none } }]",
      right: "scenario: Hello\ndevice: Living Room TV\nsteps: [{ expect: { app: none } }]"),
    CodePage(
      .y309, "indentation or punctuation",
      why:
        "The indentation says what belongs to what; here it says nothing that YAML allows, or a bracket or a quote is "
        + "not closed.",
      cure: "Let all keys of a map and all dashes of a list begin in the same column; close what is open.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
           - expect: { player: playing }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .y310, "anchor inside itself",
      why: "An alias within what it stands for has no end.", cure: "Write the value out once.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: { media: https://media.example.com/a.mp4, custom: &data { again: *data } }
          - expect: { player: playing }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: { media: https://media.example.com/a.mp4, custom: { again: false } }
          - expect: { player: playing }
        """),
    CodePage(
      .y311, "too large or too deep",
      why: "A document has at most 1 MiB, 200 000 values and 64 levels, and a text that variables make longer than 64 "
        + "KiB is refused: a file from somebody else must not stop the machine.",
      cure: "Split it: definitions can live in a `library:` of their own.",
      wrong: """
        scenario: Deep
        device: Living Room TV
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\
        ]]]]]]]]]]]]]]]]]]]]]]]]]]]] }
          - expect: { player: playing }
        """,
      right: """
        scenario: Flat
        device: Living Room TV
        steps:
          - load:
              media: https://media.example.com/a.mp4
              custom: { a: [[]] }
          - expect: { player: playing }
        """),
  ]
}
