import CastClient
import CastProtocol
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What is drawn: a function of status, time and size.
@Suite struct WatchScreenTests {
  private static func lines(
    _ watch: WatchStateMachine, at seconds: Double = 0, columns: Int = 80, rows: Int = 24, color: Bool = false,
    hasKeys: Bool = true
  ) -> [String] {
    WatchScreen.lines(
      watch, at: .seconds(seconds), size: .init(columns: columns, rows: rows), color: color, hasKeys: hasKeys)
  }

  private static let foot = "q leave  ? help  space pause  ←→ seek  ↑↓ volume  m mute  c captions  [] rate  s skip …"

  @Test("A film: app, title, artwork, how far it is, tracks and volume")
  func film() {
    let expected = [
      "Lobby TV  Chromecast  192.0.2.14:8009", "Default Media Receiver  CC1AD845", "", "▶ playing  Sintel",
      "  Release candidate", "  https://cdn.example.com/art.jpg",
      "  1:05 ━━━━━━─────────┃" + String(repeating: "─", count: 44) + " 10:00", "  audio *de  captions en *no",
      "  volume  40% ━━━━━━━━────────────", "",
    ]
    let lines = Self.lines(Watched.machine(Watched.film()))
    #expect(Array(lines.dropLast()) == expected, "\(lines.joined(separator: "\n"))")
    #expect(lines.last?.hasPrefix("q leave  ? help  space pause") == true)
  }

  @Test("The bar and the clock move between statuses, at the rate it plays, and stand still when paused or lost")
  func moving() {
    func progress(_ watch: WatchStateMachine, at seconds: Double) -> String {
      Self.lines(watch, at: seconds)[6]
    }
    let playing = Watched.machine(Watched.film(position: 65))
    #expect(progress(playing, at: 0.9).hasPrefix("  1:05 ━━━━━━─"))
    #expect(progress(playing, at: 1).hasPrefix("  1:06 ━"))
    #expect(progress(playing, at: 235).hasPrefix("  5:00 " + String(repeating: "━", count: 15) + "┃"))
    #expect(progress(playing, at: 10_000).hasPrefix("  10:00 "))
    let fast = Watched.machine(Watched.film(position: 60, rate: 2))
    #expect(progress(fast, at: 30).hasPrefix("  2:00 ") && progress(fast, at: 30).hasSuffix(" 10:00  2x"))
    let paused = Watched.machine(Watched.film(.paused, position: 60))
    #expect(progress(paused, at: 30).hasPrefix("  1:00 ") && Self.lines(paused)[3] == "‖ paused  Sintel")
    #expect(!paused.isMoving && playing.isMoving)
    var lost = playing
    lost.lost("no PONG", at: .seconds(10), clock: "")
    #expect(Self.lines(lost, at: 100)[7].hasPrefix("  1:15 "))
  }

  @Test(
    "An ad counts down until it can be skipped",
    arguments: [
      (0.5, 5.0, 0.0, "  ad mid/car 1 of 2  0:00 of 0:15  skip in 5s"),
      (0.5, 5, 2.5, "  ad mid/car 1 of 2  0:03 of 0:15  skip in 2s"),
      (0.5, 5, 4.5, "  ad mid/car 1 of 2  0:05 of 0:15  s skips it"),
      (0.5, nil, 2, "  ad mid/car 1 of 2  0:02 of 0:15  cannot be skipped"),
    ] as [(Double, Double?, Double, String)])
  func ad(time: Double, skippableAt: Double?, seconds: Double, line: String) {
    let watch = Watched.machine(Watched.ad(time: time, skippableAt: skippableAt))
    let lines = Self.lines(watch, at: seconds)
    #expect(lines.contains(line), "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("  2:30 ") && $0.hasSuffix("10:00") }, "the film stands still")
    #expect(!lines.contains { $0.contains("0x") })
  }

  @Test("An ad without keys, with a title of its own")
  func adTitle() {
    var snapshot = Watched.ad(time: 6)
    snapshot.media?.media?.breakClips?[0].title = "Buy a car"
    let lines = Self.lines(Watched.machine(snapshot), hasKeys: false)
    #expect(lines.contains("  ad Buy a car 1 of 2  0:06 of 0:15  can be skipped"))
    #expect(lines.last == "Ctrl-C leaves")
  }

  @Test("Live streams tell how far behind they are; without a range, that they are live")
  func live() {
    var snapshot = Watched.film(position: 100) { media in
      media.media?.streamType = "LIVE"
      media.media?.duration = nil
      media.media?.breaks = nil
      var range = MediaStatus.LiveSeekableRange()
      range.start = 40
      range.end = 130
      media.liveSeekableRange = range
    }
    #expect(Self.lines(Watched.machine(snapshot))[6].hasSuffix(" live, 0:30 behind"))
    #expect(Self.lines(Watched.machine(snapshot), at: 7)[6].hasSuffix(" live, 0:30 behind"), "both go on")
    snapshot.media?.liveSeekableRange?.end = 100.5
    #expect(Self.lines(Watched.machine(snapshot))[6].hasSuffix("━ live"))
    snapshot.media?.liveSeekableRange = nil
    #expect(Self.lines(Watched.machine(snapshot))[6] == "  1:40 live")
  }

  @Test("A device without an app, without media, with another input, loading, and in error")
  func states() {
    func lines(_ snapshot: DeviceSnapshot) -> [String] { Self.lines(Watched.machine(snapshot)) }
    #expect(lines(Watched.idle()).contains("no app is running") && lines(Watched.idle()).contains("■ nothing loaded"))
    var other = Watched.idle()
    other.receiver?.isActiveInput = false
    #expect(lines(other).contains("no app is running  another input is shown"))
    let loading = Watched.film(.idle) { $0.extendedPlayerState = "LOADING" }
    #expect(lines(loading).contains("… loading  Sintel"))
    var failed = Watched.film(.idle) { $0.idleReason = .error }
    failed.detailedErrorCode = 104
    #expect(lines(failed).contains("■ idle (error)  error 104 MEDIA_SRC_NOT_SUPPORTED  Sintel"))
    var fixed = Watched.film()
    fixed.receiver?.volume.controlType = "fixed"
    fixed.receiver?.volume.muted = true
    #expect(lines(fixed).contains { $0.hasPrefix("  volume  40%") && $0.hasSuffix("  muted  fixed") })
    let queue = Watched.film { media in
      media.queueItemIDs = [5, 6, 7]
      media.currentItemID = 6
      media.repeatMode = "REPEAT_ALL"
    }
    #expect(lines(queue).contains("  queue 2 of 3, repeats all"))
    #expect(lines(DeviceSnapshot()).contains("■ nothing loaded"))
  }

  @Test("A lost device says since when, and when it is tried again")
  func lost() {
    var watch = Watched.machine(Watched.film())
    watch.lost("no PONG", at: .seconds(10), clock: "12:00:00")
    #expect(Self.lines(watch, at: 11)[1] == "✗ lost 0:01 ago, try 1: no PONG")
    watch.failed(1, "connection refused", nextAt: .seconds(14))
    #expect(Self.lines(watch, at: 12.5)[1] == "✗ lost 0:02 ago, try 2 in 2s: connection refused")
    #expect(Self.lines(watch, at: 12.5).contains("  12:00:00 lost: no PONG"))
  }

  @Test("The newest notes are below the status, a slow command above the keys, help in their place")
  func notes() {
    var watch = Watched.machine(Watched.film())
    for number in 1...7 { watch.warn("note \(number)", clock: "12:00:0\(number)") }
    #expect(Self.lines(watch).filter { $0.contains("note") }.map { $0.suffix(1) } == ["3", "4", "5", "6", "7"])
    _ = watch.pressed(.right, at: .zero, clock: "")
    _ = watch.pressed(.up, at: .zero, clock: "")
    #expect(!Self.lines(watch, at: 0.4).contains { $0.contains("…  ") || $0.hasPrefix("  … ") })
    #expect(Self.lines(watch, at: 0.6).contains("  … seek +10s, 1 more wait"))
    _ = watch.pressed(.character("?"), at: .zero, clock: "")
    let help = Self.lines(watch)
    #expect(help.contains("  space play or pause") && help.contains("  q     leave; what plays goes on"))
    #expect(help.last == "? closes this" && !help.contains { $0.contains("note") })
  }

  static let hostileTexts = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "a\nb\r\tc", "\u{202E}evil\u{2066}", "\u{9B}31m",
    String(repeating: "x", count: 60_000),
    String(repeating: "漢字", count: 300), "e" + String(repeating: "\u{301}", count: 5_000), "👩‍👩‍👧‍👦 family 🇳🇴",
    String(repeating: "\u{200B}", count: 5_000), "\u{0}\u{8}\u{7F}", "❤️🧡 ﷽ \u{1160}\u{1160}",
  ]

  private static func hostileWatch(_ text: String) -> WatchStateMachine {
    var snapshot = Watched.ad(time: 1)
    snapshot.receiver?.application?.displayName = text
    snapshot.receiver?.application?.statusText = text + "."
    snapshot.media?.media?.metadata = [
      "title": .string(text), "subtitle": .string(text), "images": [["url": .string(text)]],
    ]
    snapshot.media?.media?.tracks = (0..<200).map { _ in Watched.track(1, "TEXT", text) }
    snapshot.media?.media?.breakClips?[0].title = text
    var device = Watched.device
    device.name = text
    device.model = text
    var watch = WatchStateMachine(device: device, authentication: .unchecked, snapshot: snapshot)
    watch.lost(text, at: .zero, clock: "12:00:00")
    return watch
  }

  @Test("What devices say can do nothing to the terminal, nor make a line too long", arguments: hostileTexts)
  func hostile(text: String) {
    for columns in [1, 2, 20, 79, 300] {
      for line in Self.lines(Self.hostileWatch(text), columns: columns, rows: 60) {
        #expect(!line.unicodeScalars.contains { $0.isControl }, "\(line.debugDescription)")
        #expect(ScreenLine.width(of: line) <= columns, "\(columns): \(line)")
        #expect(line.unicodeScalars.count <= columns * 8 + 8)
      }
    }
  }

  @Test("Every size gets lines that fit, and what matters most stays longest")
  func sizes() {
    var watch = Watched.machine(Watched.ad(time: 1))
    watch.warn("something", clock: "12:00:00")
    for rows in 1...20 {
      for columns in 1...120 {
        let lines = Self.lines(watch, columns: columns, rows: rows)
        #expect(lines.count <= rows)
        for line in lines { #expect(ScreenLine.width(of: line) <= columns, "\(columns): \(line)") }
      }
    }
    #expect(Self.lines(watch, rows: 1) == ["▶ playing  Sintel"])
    #expect(Self.lines(watch, rows: 3).map { $0.prefix(6) } == ["▶ play", "  ad m", "  2:30"])
    #expect(Self.lines(watch, rows: 4)[0].hasPrefix("Lobby TV"))
    #expect(Self.lines(watch, columns: 12, rows: 1) == ["▶ playing  …"])
    #expect(WatchScreen.Size(columns: -1, rows: 0) == WatchScreen.Size(columns: 1, rows: 1))
  }

  @Test("Colour adds colours and nothing else")
  func color() {
    var watch = Watched.machine(Watched.film())
    watch.warn("something", clock: "12:00:00")
    let plain = Self.lines(watch)
    let colored = Self.lines(watch, color: true)
    #expect(
      plain.allSatisfy { !$0.contains("\u{1B}") } && colored.contains { $0.contains("\u{1B}[1mLobby TV\u{1B}[0m") })
    let stripped = colored.map { line in
      [0, 1, 2, 31, 32, 33, 36].reduce(line) { $0.replacing("\u{1B}[\($1)m", with: "") }
    }
    #expect(stripped == plain)
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    value < 0x20 || (0x7F..<0xA0).contains(value) || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }
}
