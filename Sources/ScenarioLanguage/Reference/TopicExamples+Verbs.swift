extension TopicExamples {
  /// Steps with each verb.
  static let verbs: [(topic: String, text: String)] = [
    ("discover", "- discover: { for: 5s, at_least: 2, where: { name_like: \"Lobby*\" } }"),
    ("connect", "- connect"),
    ("disconnect", "- disconnect: { abrupt: true }\n- connect"),
    ("launch", "- launch: { app: acme, language: en, params: { shelf: news }, join: never }"),
    ("stop_app", "- launch: default\n- stop_app"),
    ("volume", "- volume: { to: 40%, over: 3s }"),
    ("mute", "- mute: true"),
    ("load", "- load: { media: film, start: 1m, tracks: [en], text_style: big, until: playing }"),
    ("queue", "- queue: { items: [film, photo], start_at: 1, repeat: all }"),
    ("queue_insert", "- queue: [film]\n- queue_insert: { items: [photo], before: film }"),
    ("queue_remove", "- queue: [film, photo]\n- queue_remove: [photo]"),
    ("queue_jump", "- queue: [film, photo]\n- queue_jump: next"),
    ("queue_update", "- queue: [film, photo]\n- queue_update: { repeat: all, shuffle: true }"),
    ("queue_reorder", "- queue: [film, photo]\n- queue_reorder: { items: [photo, film] }"),
    ("transfer", "- load: film\n- transfer: Kitchen"),
    ("play", "- load: { media: film, autoplay: false }\n- play"),
    ("pause", "- load: film\n- pause"),
    ("stop", "- load: film\n- stop"),
    ("seek", "- load: film\n- seek: { by: +30s, then: play, tolerance: 1s }"),
    ("rate", "- load: film\n- rate: 1.5"),
    ("tracks", "- load: film\n- tracks: [en]"),
    ("text_style", "- load: film\n- text_style: { size: 150%, color: yellow }"),
    ("skip_ad", "- load: film\n- expect: { break: { skippable: true } }\n  within: 3m\n- skip_ad"),
    (
      "send",
      """
      - launch: acme
      - send:
          namespace: urn:x-cast:com.example.player
          message: { type: NEXT, count: 1 }
          expect_reply: { type: OK }
      """
    ),
    ("refresh", "- refresh: { what: media }"),
    ("probe", "- probe: { media: film, cors: true, tracks: false }"),
    ("wait", "- wait: 10s"),
    ("wait_until", "- load: film\n- wait_until: { position: { min: 30s } }\n  timeout: 1m"),
    ("mark", "- mark: act two"),
    (
      "expect",
      "- load: film\n- expect: { player: playing, rate: 1 }\n  within: 30s\n  for: 5s\n  because: the film is short"
    ),
    ("always", "- load: film\n- always: { player: playing }\n  during: 20s"),
    ("never", "- load: film\n- never: { player: buffering }\n  for: 5s\n  during: 1m"),
    (
      "expect_sequence",
      """
      - load: film
      - expect_sequence:
          - { player: playing, break: none }
          - { break: { id: mid } }
        within: 3m
      """
    ),
    (
      "expect_together",
      """
      - load: film
        role: all
      - expect_together: { roles: [left, right], that: { player: playing }, skew: 300ms }
        within: 10s
      """
    ),
    (
      "expect_message",
      """
      - launch: acme
      - expect_message:
          namespace: urn:x-cast:com.example.player
          message: { type: READY }
        within: 20s
      """
    ),
    ("fail", "- if: { volume: { muted: true } }\n  fail: somebody muted the screen"),
    ("set", "- set: { speed: 2 }"),
    ("save", "- load: film\n- save: { p0: position }\n- wait: 5s\n- expect: { position: { min: \"${p0}\" } }"),
    ("log", "- log: from here on by hand"),
    (
      "group",
      """
      - group:
          steps: [{ load: film }, { expect: { player: playing } }]
          finally: [stop]
        name: The film starts
        retry: { attempts: 2, errors: [expectation, transient] }
      """
    ),
    ("use", "- use: { block: start_app, with: { app: acme } }"),
    (
      "choose",
      """
      - load: film
      - choose:
          - if: { commands: { has: [skip_ad] } }
            steps: [skip_ad]
          - otherwise: [{ wait_until: { break: none }, timeout: 40s }]
      """
    ),
    (
      "repeat",
      """
      - load: film
      - repeat:
          times: 3
          steps: [{ seek: start }, { expect: { position: { advances: { at_least: 4s, over: 5s } } } }]
      """
    ),
    (
      "for_each",
      """
      - load: film
      - for_each:
          item: [0.5, 1, 1.5, 2]
          steps: [{ rate: "${item}" }, { expect: { rate: "${item}" } }]
      """
    ),
    (
      "parallel",
      """
      - parallel:
          - { name: left, role: left, steps: [{ load: film }] }
          - { name: right, role: right, steps: [{ load: photo }] }
      """
    ),
    ("exec", "- exec: { command: [./measure, --level], stdin: json, output: none }"),
  ]
}
