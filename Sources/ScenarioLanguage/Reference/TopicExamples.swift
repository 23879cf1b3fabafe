/// An example for each word that `explain` lists: a whole document, top-level keys, or steps.
package enum TopicExamples {
  /// The example of a word, as people see it.
  package static func text(of topic: String) -> String? { all.first { $0.topic == topic }?.text }

  package static let all: [(topic: String, text: String)] = documents + definitions + playlists + steps + verbs

  private static let documents: [(topic: String, text: String)] = [
    (
      "scenario",
      """
      scenario: Hello, living room
      device: Living Room TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - expect: { player: playing }
      """
    ),
    (
      "playlist",
      """
      playlist: Café window
      timezone: Europe/Paris
      device: Window TV
      program:
        - { during: { hours: 07:00-11:00 }, play: [https://cdn.example.com/croissant.jpg] }
        - { during: any_time, play: [https://cdn.example.com/logo.png] }
      quiet: { hours: 01:00-07:00 }
      """
    ),
    (
      "library",
      """
      library: Brand
      text_styles:
        big_yellow: { size: 150%, color: yellow, background: black/75% }
      media:
        logo: { url: https://cdn.example.com/logo.png }
      """
    ),
  ]

  private static let definitions: [(topic: String, text: String)] = [
    (
      "include",
      """
      include:
        - brand.yaml
        - { file: season.yaml, as: season, only: [spot] }
      """
    ),
    (
      "vars",
      """
      vars:
        cdn: https://cdn.example.com
        speed: { type: number, default: 1.5, min: 0.5, max: 2 }
        profile: { type: text, default: vod, choices: [vod, live], env: PROFILE }
      """
    ),
    (
      "secrets",
      """
      secrets:
        token: { env: ACME_TOKEN }
        key: { file: /run/secrets/key }
        ticket: { saved: true }
      """
    ),
    (
      "device",
      """
      device: { name_like: "Lobby*", model: Chromecast }
      """
    ),
    (
      "devices",
      """
      devices: { match: { tag: lobby }, at_least: 2, run: together }
      inventory:
        left: { name: Lobby left, tags: [lobby] }
        right: { name: Lobby right, tags: [lobby] }
      """
    ),
    (
      "inventory",
      """
      inventory:
        lobby: { name: Lobby TV, id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b, tags: [ground_floor], expect: [video] }
      """
    ),
    (
      "apps",
      """
      apps:
        acme: A1B2C3D4
        player: { id: 10E45678, namespaces: [urn:x-cast:com.example.player] }
      """
    ),
    (
      "media",
      """
      media:
        film:
          url: https://cdn.example.com/film.m3u8
          duration: 10m
          metadata: { kind: movie, title: Sintel }
          tracks: [{ id: en, language: en, url: https://cdn.example.com/en.vtt }]
        trailer: { like: film, url: https://cdn.example.com/trailer.m3u8, duration: 1m30s }
      """
    ),
    (
      "metadata",
      """
      media:
        film:
          url: https://cdn.example.com/e03.mp4
          metadata: { kind: tv, series: Town, season: 1, episode: 3, title: The bridge, released: 2026-03-01 }
      """
    ),
    (
      "clips",
      """
      media:
        film:
          url: https://cdn.example.com/film.mp4
          clips:
            car: { url: https://cdn.example.com/car.mp4, duration: 15s, skippable_after: 5s }
          breaks: [{ id: mid, at: 2m, clips: [car] }]
      """
    ),
    (
      "breaks",
      """
      media:
        film:
          url: https://cdn.example.com/film.mp4
          duration: 10m
          clips: { soap: { url: https://cdn.example.com/soap.mp4, duration: 6s } }
          breaks:
            - { id: pre, at: start, clips: [soap] }
            - { id: mid, at: 5m, clips: [soap, soap] }
            - { id: post, at: end, clips: [soap] }
      """
    ),
    (
      "text_styles",
      """
      text_styles:
        big: { size: 150% }
        big_yellow: { like: big, color: yellow, background: black/75%, edge: outline, edge_color: "#000000FF" }
      """
    ),
    (
      "blocks",
      """
      blocks:
        start_app:
          params: { app: { type: app }, tries: { type: int, default: 3 } }
          steps:
            - launch: ${app}
              retry: { attempts: "${tries}" }
      steps:
        - use: { block: start_app, with: { app: A1B2C3D4 } }
        - expect: { app: { id: A1B2C3D4 } }
      """
    ),
    (
      "defaults",
      """
      defaults:
        within: 20s
        timeout: { load: 1m }
        retry: { attempts: 2, wait: 3s }
        text_style: { size: 120% }
      """
    ),
    ("session", "session: { join: always_new, leave: stop }"),
    (
      "watch",
      """
      watch:
        - name: No playback error
          never: { idle_reason: error }
        - name: No stall longer than 5 s
          never: { player: buffering }
          for: 5s
      """
    ),
    (
      "schedule",
      """
      schedule:
        - { cron: "*/15 6-22 * * *", timezone: Europe/Paris, jitter: 30s, overlap: skip }
        - { at: "04:30", days: weekdays, timezone: Europe/Paris, missed: run_once, within: 2h }
      """
    ),
    (
      "retry",
      """
      retry: { attempts: 2, errors: [transient, expectation] }
      steps:
        - launch: default
          retry: { attempts: 3, wait: 1s, factor: 2, max_wait: 30s, jitter: 20% }
        - expect: { app: { id: CC1AD845 } }
      """
    ),
  ]

  private static let playlists: [(topic: String, text: String)] = [
    (
      "dayparts",
      """
      calendars: { holidays: [2026-12-25, 01-01, 05-01] }
      dayparts:
        breakfast: { days: mon-fri, hours: 07:00-11:00 }
        evening: { hours: 17:00-01:00, not: { calendar: holidays } }
      program:
        - { during: breakfast, play: [https://cdn.example.com/croissant.jpg] }
        - { during: evening, play: [https://cdn.example.com/cocktails.jpg] }
      """
    ),
    (
      "calendars",
      """
      calendars:
        closures: [2026-12-25, 01-01, 08-01..08-15]
        holidays: { file: holidays.ics }
      program:
        - { during: { calendar: closures }, play: [https://cdn.example.com/closed.png] }
        - { during: { not: { calendar: holidays } }, play: [https://cdn.example.com/menu.png] }
      fallback: https://cdn.example.com/logo.png
      """
    ),
    (
      "program",
      """
      program:
        - during: { dates: 2026-12-24..2026-12-26 }
          play: [https://cdn.example.com/xmas.jpg]
        - during: any_time
          order: shuffle
          play:
            - { media: https://cdn.example.com/menu.jpg, for: 20s, weight: 3 }
            - https://cdn.example.com/wifi.png
      """
    ),
    (
      "interrupts",
      """
      interrupts:
        - { at: ["12:00", "18:00"], play: [https://cdn.example.com/news.mp4], cut: immediately, then: resume }
        - { every: 30m, during: { hours: 17:10-23:50 }, play: [https://cdn.example.com/wifi.png] }
      """
    ),
    (
      "triggers",
      """
      triggers:
        evacuate: { webhook: true }
        fire: { file: /run/alarm }
        storm: { cap: "https://alerts.example/feed.xml", severity: [extreme, severe], every: 1m }
      interrupts:
        - { on: evacuate, play: [https://cdn.example.com/exits.png], until: cleared, at_most: 1h, cut: immediately }
        - { on: fire, play: [https://cdn.example.com/exits.png], until: cleared, cut: immediately }
        - { on: storm, play: [https://cdn.example.com/storm.png] }
      """
    ),
    (
      "notify",
      """
      notify:
        - { when: dark, for: 5m, during: { hours: 07:00-23:00 }, again: 12h, webhook: "https://hooks.example/screens" }
        - { when: [invalid, ledger_gap, certificate_ends], command: [mail-the-office] }
      """
    ),
    (
      "power",
      """
      quiet: { hours: 22:00-07:00 }
      power: { on: [tv-power, on], off: [tv-power, off], verify: standby }
      """
    ),
    ("quiet", "quiet: { hours: 22:00-07:00, days: daily, screen: stop }"),
    ("takeover", "takeover: { policy: yield, resume_after: 10m, ignore_apps: [E8C28D3C] }"),
    ("watchdog", "watchdog: { stalled_after: 30s, buffering_over: 20s, then: reload, retry: 3 }"),
    ("ledger", "ledger: { file: plays.jsonl, rotate: daily }"),
  ]

  private static let steps: [(topic: String, text: String)] = [
    (
      "steps",
      """
      - load: film
        name: The film starts
        timeout: 20s
        retry: 3
      - seek: 1m30s
        if_fails: continue
        save: { p0: position }
      - expect: { position: { about: "${p0}", tolerance: 5s } }
      """
    ),
    (
      "conditions",
      """
      - expect:
          any:
            - { player: playing, break: none }
            - { break: { id: mid, clip_time: { min: 5s } } }
          not: { idle_reason: error }
      """
    ),
    (
      "matchers",
      """
      - expect:
          player: { one_of: [playing, buffering] }
          position: { min: 5s, below: 1m }
          title: { starts_with: S01 }
          active_tracks: { only: [en] }
      """
    ),
    (
      "fields",
      """
      - expect: { player: playing, volume: { level: 40% }, app.id: CC1AD845 }
      """
    ),
    (
      "types",
      """
      - load: { media: film, start: 1m30s }
      - volume: 40%
      - text_style: { color: "#FFFF00FF", size: 150% }
      """
    ),
  ]
}
