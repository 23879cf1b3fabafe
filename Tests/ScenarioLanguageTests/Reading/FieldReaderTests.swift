import Testing

@testable import ScenarioLanguage

@Suite struct FieldReaderTests {
  static let documents: [Example] = [
    Example("just text", ["T210 just text"]),
    Example("scenrio: X\nsteps: [play]\n", ["K101 scenrio"]),
    Example("steps: [play]\n", ["K105 steps"]),
    Example("device: TV\nscenario: X\nsteps: [play]\n", ["K105 scenario"]),
    Example("scenario: X\nplaylist: Y\ndevice: TV\nsteps: [play]\n", ["K106 playlist"]),
    Example("language: 2\nscenario: X\nfoo: 1\n", ["K109 2"]),
    Example("language: 1\nscenario: X\ndevice: TV\nsteps: [play]\n", []),
    Example("language: 0\nscenario: X\ndevice: TV\nsteps: [play]\n", ["T213 0"]),
    Example("scenario: X\ndevice: TV\n", ["K105 scenario"]),
    Example("scenario: X\nsteps: [play]\n", ["K105 scenario"]),
    Example("scenario:\ndevice: TV\nsteps: [play]\n", ["T210 scenario"]),
    Example("scenario: X\ndevice: TV\ndevices: [A]\nsteps: [play]\n", ["K107 devices"]),
    Example("library: L\nsteps: [play]\n", ["K103 steps"]),
    Example("library: L\nmedia: { a: { url: https://x/a.mp4 } }\n", []),
    Example("playlist: P\ndevices: [A]\nprogram: [{ play: [https://x/a.jpg] }]\nwatchdog: {}\n", []),
  ]
  @Test("A document has one kind, first, and the keys of its kind", arguments: documents)
  func document(_ example: Example) { #expect(findings(SourceFile(example.text)) == example.expected) }

  static let steps: [Example] = [
    Example("play", ["T210 play"]),
    Example("[]", []),
    Example("[[play]]", ["T210 [play]"]),
    Example("[foo, play]", ["K101 foo"]),
    Example("[load]", ["K105 load"]),
    Example("[{ load: }]", ["K105 load"]),
    Example("[{ name: x }]", ["K105 name"]),
    Example("[{ play: 3 }]", ["T210 3"]),
    Example("[{ play: {} }, { play: }, play]", []),
    Example("[{ play: {}, stop: {}, sekk: 1 }]", ["K102 stop"]),
    Example("[{ laod: x, name: y }]", ["K101 laod"]),
    Example("[{ load: https://x/a.mp4, autoplay: false }]", ["K101 autoplay"]),
    Example("[{ load: https://x/a.mp4, within: 3s }]", ["K103 within"]),
    Example("[{ load: { media: https://x/a.mp4, timeout: 3s } }]", ["K101 timeout"]),
    Example("[{ load: { autoplay: yes } }]", ["K105 load", "T204 yes"]),
    Example("[{ seek: { to: 1s, by: +3s } }]", ["K107 by"]),
    Example("[{ seek: {} }]", ["K105 seek"]),
    Example("[{ seek: { then: ply, to: end } }]", ["T205 ply"]),
    Example("[{ volume: 40 }, { volume: { to: 0.4, over: 5 } }]", ["T207 40", "T207 0.4", "T201 5"]),
    Example("[{ launch: Foo }, { launch: A1B2C3D4 }, { launch: default }]", ["N406 Foo"]),
    Example("[{ load: flim }, { text_style: big }]", ["N406 flim", "N406 big"]),
    Example("[{ tracks: en }]", ["T210 en"]),
    Example("[{ tracks: [] }, { tracks: [en, de] }]", []),
    Example("[{ wait: 3s, retry: 0 }]", ["T213 0"]),
    Example("[{ wait: 3s, retry: { attempts: 3, errors: [transiet] } }]", ["T205 transiet"]),
    Example(
      "[{ wait: 3s, save: { p0: positon, p1: break.clip_tim, p2: custom.x.y } }]", ["T205 positon", "T205 clip_tim"]),
    Example("[{ wait: 3s, if: { player: idle } }]", []),
    Example("[{ wait: 3s, role: left, id: S1 }]", ["N406 left", "T219 S"]),
    Example("[{ queue: [https://x/a.mp4] }]", []),
    Example("[{ queue: { items: [https://x/a.mp4], repeat: off } }]", ["T205 off"]),
    Example("[{ group: { steps: [plya, { use: x }] } }]", ["K101 plya", "N406 x"]),
    Example("[{ save: { p0: position } }]", []),
    Example("[{ expect: }]", ["K105 expect"]),
    Example("[{ expect_sequence: { player: idle } }]", ["T210 { player: idle }"]),
    Example("[{ text_style: { colour: red } }]", ["K101 colour"]),
  ]
  @Test("A step is one verb with what belongs to it", arguments: steps)
  func step(_ example: Example) { #expect(findings(scenario("steps: \(example.text)\n")) == example.expected) }

  static let keys: [Example] = [
    Example("tags: smoke", ["T210 smoke"]),
    Example("tags: { a: 1 }", ["T210 { a: 1 }"]),
    Example("timeout: [1s]", ["T210 [1s]"]),
    Example("timeout: # soon", ["T208 timeout"]),
    Example("timeout:", ["T210 timeout"]),
    Example("media: # none yet", []),
    Example("setup: # none yet", ["T210 setup"]),
    Example("setup:\n  - connect: # at once\n  - play: # go\n  - wait: #3s", ["T208 wait"]),
    Example("secrets: { _t: { env: A } }", []),
    Example("apps: { game: A1B2C3D4, other: { namespaces: [x] } }", ["K105 other", "T222 x"]),
    Example("device_: x", ["K101 device_"]),
    Example("media: { Film: { url: https://x/a.mp4 } }", ["T219 F"]),
    Example("media: { film: { ulr: https://x/a.mp4 } }", ["K101 ulr"]),
    Example("media: { film: { duration: 5s } }", ["K105 film"]),
    Example("media: { film: { url: https://x/a.mp4, metadata: { kind: movie, artist: B } } }", ["K103 artist"]),
    Example("media: { film: { url: https://x/a.mp4, metadata: { kind: moovie } } }", ["T205 moovie"]),
    Example(
      "media: { film: { url: https://x/a.mp4, custom: { a: no, b: \"no\", c: 0755 } } }", ["T212 no", "T212 0755"]),
    Example("media: { film: { url: https://x/a.mp4, breaks: [{ id: m, clips: [] }] } }", ["K105 id"]),
    Example(
      "text_styles: { big: { size: 500%, edge: outlined, color: \"#12\" } }",
      ["T213 500%", "T205 outlined", "T209 \"#12\""]
    ),
    Example("text_styles: { big: { color: #FFFF00 }", ["T208 color"]),
    Example("defaults: { timeout: { lod: 3s }, within: 10 }", ["K101 lod", "T201 10"]),
    Example("inventory: { tv: { name: TV, host: 'a b' } }", ["T222 'a b'"]),
    Example("watch: [{ name: x }]", ["K105 name"]),
    Example("watch: [{ always: { player: playing }, never: { player: idle } }]", ["K107 never"]),
    Example("<<: { a: 1 }", ["Y303 <<"]),
  ]
  @Test("Keys are known, complete and of their type", arguments: keys)
  func key(_ example: Example) { #expect(findings(scenario("steps: [play]\n\(example.text)\n")) == example.expected) }

  @Test("A list of allowed keys is alphabetical and cut after six")
  func allowedKeys() {
    let problem = DocumentReader.read(scenario("steps: [{ seek: { x: 1 } }, { load: { y: 2 } }]\n"), inputs: .init())
    let helps = problem.diagnostics.finished().flatMap(\.footers)
    #expect(
      helps == [
        .help("keys allowed here: by, then, to, tolerance (`showcaller explain seek`)"),
        .help("keys allowed here: app, autoplay, credentials, custom, media, rate, … (`showcaller explain load`)"),
      ])
  }

  @Test("Short and long forms read alike, and modifiers stand apart")
  func decodedSteps() throws {
    let reading = DocumentReader.read(
      scenario(
        "steps:\n  - load: https://x/a.mp4\n    name: N\n  - load: { media: https://x/a.mp4 }\n  - play\n  - mute: true\n"
      ),
      inputs: .init())
    let steps = try #require(reading.document).root.list("steps").compactMap(StepFields.init)
    #expect(steps.map(\.verb.name) == ["load", "load", "play", "mute"])
    #expect(steps[0].body.text("media") == "https://x/a.mp4")
    #expect(steps[1].body.text("media") == "https://x/a.mp4")
    #expect(steps[0].modifiers.text("name") == "N")
    #expect(steps[1].modifiers.keys == [])
    #expect(steps[2].value == nil)
    #expect(steps[3].value?.text == "true")
    #expect(steps[0].verbSpan.line == 4 && steps[0].verbSpan.column == 5)
  }
}
