extension CodePages {
  static let plan: [CodePage] = [
    CodePage(
      .p601, "something that never happens",
      why:
        "A step before it always ends the run; in a playlist, a time, an item or an interrupt that no day and no hour can "
        + "bring, or, as a note, a time whose dates are over.",
      cure: "Remove one of the two, make the first conditional, or mend the time.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - fail: not ready
          - expect: { app: none }
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - expect: { app: none }
        """),
    CodePage(
      .p602, "expectation that can never pass",
      why: "The document itself says so: played on a virtual clock with its own durations, breaks and windows, what is "
        + "expected comes later or not at all.",
      cure: "Take the number that the message names; `showcaller simulate` shows the timeline.", from: .simulation,
      wrong: breakDocument(within: "30s"), right: breakDocument(within: "2m10s")),
    CodePage(
      .p603, "deadline that does not fit",
      why: "A limit inside is longer than what is left of the one outside, so the outer one ends the run first and the "
        + "inner one tells nothing.",
      cure: "Raise the scenario's `timeout` to what the message names, or shorten the inner limit.",
      wrong: """
        scenario: Long
        device: Living Room TV
        timeout: 1m
        steps:
          - expect: { app: none }
            within: 10m
        """,
      right: """
        scenario: Long
        device: Living Room TV
        timeout: 11m
        steps:
          - expect: { app: none }
            within: 10m
        """),
    CodePage(
      .p604, "loop without an upper bound",
      why: "`repeat` with `until` may go on for ever.",
      cure: "Add `at_most`; to wait for a state, `wait_until` needs no loop.",
      wrong: """
        scenario: Wait
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - repeat:
              until: { player: idle }
              steps: [{ wait: 1s }]
          - expect: { player: idle }
        """,
      right: """
        scenario: Wait
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - repeat:
              until: { player: idle }
              at_most: 60
              steps: [{ wait: 1s }]
          - expect: { player: idle }
        """),
    CodePage(
      .p605, "gap in the week",
      why: "At these hours no rule of the program matches, and there is no `fallback`: the screen would be black.",
      cure: "End with a rule for `any_time`, set a `fallback`, or declare the hours as `quiet`.",
      wrong: playlistDocument(
        dayparts: "day: { hours: 07:00-22:00 }", rules: ["{ during: day, play: [https://cdn.example.com/a.jpg] }"]),
      right: playlistDocument(
        dayparts: "day: { hours: 07:00-22:00 }",
        rules: [
          "{ during: day, play: [https://cdn.example.com/a.jpg] }",
          "{ during: any_time, play: [https://cdn.example.com/logo.png] }",
        ])),
    CodePage(
      .p606, "clocks change",
      why: "On this date the time does not exist in this zone, or comes twice, because clocks are set forward or back.",
      cure:
        "Take another time, or write down what is meant with `dst:`; `skip` and `run_after` are for times that do not "
        + "exist, `once` and `twice` for those that repeat.",
      wrong: scheduleDocument("{ cron: \"30 2 * * *\", timezone: Europe/Paris }"),
      right: scheduleDocument("{ cron: \"30 4 * * *\", timezone: Europe/Paris }")),
    CodePage(
      .p607, "`retry` on an expectation",
      why:
        "An expectation waits by itself; trying it again would count a late success as a second try, and a broken one "
        + "as flaky.",
      cure: "`within: 30s` waits longer. To repeat the action too, put both into a `group` and retry that.",
      wrong: """
        scenario: Poll
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
            retry: 5
        """,
      right: """
        scenario: Poll
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
            within: 30s
        """),
    CodePage(
      .p608, "item without a known end",
      why:
        "A live stream never ends, so the items after it would never come. With `sync: true` the screens agree by the clock on what is on, and need to know how long each item is.",
      cure: "Give the item a `for`, or the media a `duration`.",
      wrong: newsDocument("news"), right: newsDocument("{ media: news, for: 30m }")),
    CodePage(
      .p609, "expectation that is true before its action",
      why:
        "What is expected holds already before the step that should cause it, so it passes whether that step works or "
        + "not.",
      cure: "Expect something that the action changes.", from: .simulation,
      wrong: """
        scenario: Mute
        device: Living Room TV
        media: { film: { url: https://media.example.com/film.mp4, duration: 10m } }
        steps:
          - load: film
          - mute: true
          - wait: 5s
          - mute: true
          - expect: { volume: { muted: true } }
        """,
      right: """
        scenario: Mute
        device: Living Room TV
        media: { film: { url: https://media.example.com/film.mp4, duration: 10m } }
        steps:
          - load: film
          - mute: true
          - wait: 5s
          - mute: false
          - expect: { volume: { muted: false } }
        """),
    CodePage(
      .p610, "no expectation at all",
      why: "Such a scenario passes whatever the screen shows.",
      cure: "End with `- expect: { player: playing }` or with what should be seen.",
      wrong: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
        """,
      right: """
        scenario: Hello
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - expect: { player: playing }
        """),
    CodePage(
      .p611, "rule hidden by earlier ones",
      why: "The first rule whose time matches is on screen, and rules above this one match whenever it does.",
      cure: "Move it up, above the rule that covers it.",
      wrong: playlistDocument(
        dayparts: "breakfast: { hours: 07:00-11:00 }",
        rules: [
          "{ during: any_time, play: [https://cdn.example.com/logo.png] }",
          "{ during: breakfast, play: [https://cdn.example.com/a.jpg] }",
        ]),
      right: playlistDocument(
        dayparts: "breakfast: { hours: 07:00-11:00 }",
        rules: [
          "{ during: breakfast, play: [https://cdn.example.com/a.jpg] }",
          "{ during: any_time, play: [https://cdn.example.com/logo.png] }",
        ])),
    CodePage(
      .p612, "nothing in it",
      why:
        "An empty program shows nothing, an empty row or a matrix whose rows are all excluded runs nothing: both would "
        + "pass without doing anything.",
      cure: "Add what is missing, or remove the key.",
      wrong: """
        playlist: Window
        devices: [Window TV]
        timezone: Europe/Paris
        fallback: https://cdn.example.com/logo.png
        program: []
        """,
      right: """
        playlist: Window
        devices: [Window TV]
        timezone: Europe/Paris
        program:
          - { during: any_time, play: [https://cdn.example.com/logo.png] }
        """),
    CodePage(
      .p613, "role that no step uses",
      why: "A device is asked for, locked and connected, and nothing is done with it.",
      cure: "Say `role:` in the steps it is for, or remove the role.",
      wrong: """
        scenario: Two screens
        roles: { left: Bar left, right: Bar right }
        steps:
          - load: https://media.example.com/a.mp4
            role: left
          - expect: { player: playing }
            role: left
        """,
      right: """
        scenario: Two screens
        roles: { left: Bar left, right: Bar right }
        steps:
          - load: https://media.example.com/a.mp4
            role: all
          - expect: { player: playing }
            role: all
        """),
    CodePage(
      .p614, "interrupts at the same time",
      why:
        "Two interrupts want the screen at the same moment; the first in the list wins, the other comes late or never.",
      cure: "Move one of them, or limit it with `during`.",
      wrong: interruptsDocument("12:00", "12:00"), right: interruptsDocument("12:00", "12:30")),
    CodePage(
      .p615, "`always` or `never` without `during`",
      why: "A rule needs a window to hold in.",
      cure: "Add `during: 20s`; a rule for the whole run belongs under `watch:`.",
      wrong: """
        scenario: Hold
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - always: { player: playing }
        """,
      right: """
        scenario: Hold
        device: Living Room TV
        steps:
          - load: https://media.example.com/a.mp4
          - always: { player: playing }
            during: 20s
        """),
    CodePage(
      .p616, "passes without having judged anything",
      why:
        "The rule names a break or a clip that the media does not have: on a virtual clock nothing can break it, so it "
        + "passes whatever the receiver does.",
      cure: "Name a break or a clip that the media declares.", from: .simulation,
      wrong: """
        scenario: Quiet start
        device: Living Room TV
        media:
          film:
            url: https://media.example.com/film.mp4
            duration: 10m
            clips: { car: { url: https://media.example.com/car.mp4, duration: 15s } }
            breaks: [{ id: mid, at: 2m, clips: [car] }]
        steps:
          - load: film
          - never: { break: { id: middle } }
            during: 30s
        """,
      right: """
        scenario: Quiet start
        device: Living Room TV
        media:
          film:
            url: https://media.example.com/film.mp4
            duration: 10m
            clips: { car: { url: https://media.example.com/car.mp4, duration: 15s } }
            breaks: [{ id: mid, at: 2m, clips: [car] }]
        steps:
          - load: film
          - never: { break: { id: mid } }
            during: 30s
        """),
    CodePage(
      .p617, "too many steps after unrolling",
      why: "Loops over lists and blocks are written out before the run; more than 100 000 steps are refused.",
      cure: "Use `repeat:`, which is not written out, or a `matrix`, which makes runs of their own.",
      wrong: """
        scenario: Many
        device: Living Room TV
        vars: { ten: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }
        steps:
          - for_each:
              item: ${ten}
              steps:
                - for_each:
                    item: ${ten}
                    steps:
                      - for_each:
                          item: ${ten}
                          steps:
                            - for_each:
                                item: ${ten}
                                steps:
                                  - for_each:
                                      item: ${ten}
                                      steps: [{ log: one }, { log: two }]
          - expect: { app: none }
        """,
      right: """
        scenario: Many
        device: Living Room TV
        steps:
          - repeat:
              times: 100
              steps: [{ log: one }, { log: two }]
          - expect: { app: none }
        """),
  ]

  private static func breakDocument(within: String) -> String {
    """
    scenario: Ads
    device: Living Room TV
    media:
      film:
        url: https://media.example.com/film.mp4
        duration: 10m
        clips: { car: { url: https://media.example.com/car.mp4, duration: 15s } }
        breaks: [{ id: mid, at: 2m, clips: [car] }]
    steps:
      - load: film
      - expect: { break: { id: mid } }
        within: \(within)
    """
  }

  private static func playlistDocument(dayparts: String, rules: [String]) -> String {
    """
    playlist: Window
    devices: [Window TV]
    timezone: Europe/Paris
    dayparts:
      \(dayparts)
    program:
      - \(rules.joined(separator: "\n  - "))
    """
  }

  private static func scheduleDocument(_ entry: String) -> String {
    """
    scenario: Nightly
    device: Living Room TV
    schedule:
      - \(entry)
    steps:
      - expect: { app: none }
    """
  }

  private static func newsDocument(_ item: String) -> String {
    """
    playlist: Window
    devices: [Window TV]
    timezone: Europe/Paris
    media:
      news: { url: https://media.example.com/news.m3u8, stream: live }
    program:
      - play:
          - \(item)
          - https://cdn.example.com/a.jpg
    """
  }

  private static func interruptsDocument(_ first: String, _ second: String) -> String {
    """
    playlist: Window
    devices: [Window TV]
    timezone: Europe/Paris
    program:
      - { during: any_time, play: [https://cdn.example.com/logo.png] }
    interrupts:
      - { at: "\(first)", play: [https://cdn.example.com/news.jpg] }
      - { at: "\(second)", play: [https://cdn.example.com/menu.jpg] }
    """
  }
}
