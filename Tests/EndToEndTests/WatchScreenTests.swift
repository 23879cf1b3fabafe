import Foundation
import Testing

/// `watch` in a real terminal: what a person sees there, and what the keys do.
@Suite(.serialized, .enabled(if: TmuxSession.isThere)) struct WatchScreenTests {
  /// Watches, then tells how it ended and whether the terminal is as it was.
  private static func line(_ address: String, _ more: String = "") -> String {
    """
    stty -g >before; sh -c 'echo $$ >pid; exec "$S" watch \(address) \(more)'; echo "exit $?"
    stty -g >after; cmp before after && echo unharmed
    """
  }

  /// The seconds before the bar.
  private static func position(_ screen: String) -> Int? {
    guard let match = screen.firstMatch(of: /\n  (\d+):(\d\d) [━─┃│]/) else { return nil }
    return (Int(match.1) ?? 0) * 60 + (Int(match.2) ?? 0)
  }

  /// That the terminal was given back.
  private static func expectReturned(_ terminal: TmuxSession, exit code: Int = 0) async throws {
    let shown = try await terminal.waitFor("unharmed")
    #expect(shown.contains("exit \(code)"), "\(shown)")
    #expect(try await terminal.facts("alternate_on", "cursor_flag") == ["0", "1"])
    #expect(try await terminal.facts("wrap_flag") == ["1"])
  }

  @Test("A film with ads is shown as it goes, and every key does what the help says")
  func keys() async throws {
    let lab = try await WatchTests.Lab()
    try await lab.loadFilmWithAds()
    let terminal = try await TmuxSession(Self.line(lab.address))
    let first = try await terminal.waitFor("Sintel")
    for text in [
      "Default Media Receiver  CC1AD845", "Release candidate", "https://cdn.example.com/art.jpg", "ad pre/car 1 of 2",
      "captions en *no", "volume 100%", " 10:00", "? help",
    ] { #expect(first.contains(text), "\(text)\n\(first)") }
    #expect(try await terminal.facts("alternate_on", "cursor_flag") == ["1", "0"])
    try await terminal.waitFor("Lobby TV  Showcaller Virtual Receiver  \(lab.address)")
    // The countdown goes on by itself.
    try await terminal.waitFor("s skips it")
    try await terminal.press("s")
    try await terminal.waitFor("ad pre/soap 2 of 2")
    try await terminal.waitFor("▶ playing") { !$0.contains(" ad pre/") && $0.contains("▶ playing  Sintel") }
    let start = try #require(Self.position(try await terminal.waitFor("a clock") { Self.position($0) != nil }))
    try await terminal.waitFor("a clock that moves") { Self.position($0).map { $0 > start } ?? false }

    try await terminal.press("Right", "Right", "Right")
    try await terminal.waitFor("half a minute on") { Self.position($0).map { $0 >= start + 30 } ?? false }
    try await terminal.press("Space")
    try await terminal.waitFor("‖ paused  Sintel")
    try await terminal.press("Home")
    try await terminal.waitFor("  0:00 ")
    try await terminal.press("PageUp")
    try await terminal.waitFor("  1:00 ")
    try await terminal.press("Left")
    try await terminal.waitFor("  0:50 ")
    try await terminal.press("Space", "Down", "Down")
    try await terminal.waitFor("new volume") { $0.contains("▶ playing") && $0.contains("volume  90%") }
    try await terminal.press("Up", "m")
    try await terminal.waitFor("muted") { $0.contains("volume  95%") && $0.contains("  muted") }
    try await terminal.press("c")
    try await terminal.waitFor("captions en no")
    try await terminal.press("c")
    try await terminal.waitFor("captions *en no")
    try await terminal.press("]", "]")
    try await terminal.waitFor(" 10:00  1.5x")
    try await terminal.press("BSpace")
    try await terminal.waitFor("rate 1") { !$0.contains("1.5x") }
    try await terminal.press("?")
    try await terminal.waitFor("leave; what plays goes on")
    try await terminal.press("Escape")
    try await terminal.waitFor("no help") { !$0.contains("what plays goes on") }

    // What others do is told, with who is on the screen now.
    // Soon after a change of ours one that others make is taken for its echo.
    for attempt in 0..<100 where try await !terminal.screen().contains("another sender set the volume to") {
      try await lab.other("volume", attempt.isMultiple(of: 2) ? "30%" : "50%")
    }
    try await terminal.waitFor("another sender set the volume to")
    try await lab.other("load", "https://cdn.example.com/other.mp4", "--title", "Durian", "--duration", "5m")
    let taken = try await terminal.waitFor("another sender loaded `Durian`")
    #expect(taken.contains("Durian") && !taken.contains("  Sintel"), "\(taken)")
    try await terminal.press("n")
    try await terminal.waitFor("next: ")
    try await terminal.press("x")
    try await terminal.waitFor("■ idle (cancelled)")
    try await terminal.press("Space")
    try await terminal.waitFor("nothing is loaded")
    try await terminal.press("q")
    try await Self.expectReturned(terminal)
    terminal.end()
    #expect(try await lab.other("status").output.contains("Default Media Receiver"), "leaving stops nothing")
    try await lab.end()
  }

  @Test("The screen follows the size of the terminal, and colours are only for who wants them")
  func size() async throws {
    let lab = try await WatchTests.Lab()
    try await lab.other("load", "https://cdn.example.com/a.mp4", "--title", "幸せの\u{1B}[2Jちから", "--duration", "10m")
    let terminal = try await TmuxSession(Self.line(lab.address), environment: ["NO_COLOR": ""])
    try await terminal.waitFor("幸せの\\u{1B}[2Jちから")
    #expect(try await terminal.screen(colored: true).contains("\u{1B}[1m"))
    try await terminal.resize(columns: 30, rows: 5)
    let small = try await terminal.waitFor("a small screen") { shown in
      shown.split(separator: "\n").count == 5 && shown.contains(" 10:00\n")
        && shown.contains("▶ playing  幸せの\\u{1B}[2J") && shown.contains("…")
    }
    #expect(small.contains("━") || small.contains("─"))
    try await terminal.resize(columns: 120, rows: 30)
    try await terminal.waitFor("x stop")
    try await terminal.press("C-c")
    try await Self.expectReturned(terminal)
    terminal.end()

    let plain = try await TmuxSession(Self.line(lab.address), environment: ["NO_COLOR": "1"])
    try await plain.waitFor("▶ playing")
    #expect(try await !plain.screen(colored: true).contains("\u{1B}["))
    plain.end()

    let dumb = try await TmuxSession("TERM=dumb; export TERM; " + Self.line(lab.address, "--timeout 1s"))
    let lines = try await dumb.waitFor("unharmed")
    #expect(lines.contains(": playing 幸せの") && lines.contains("exit 0"), "\(lines)")
    dumb.end()

    let logged = try await TmuxSession(Self.line(lab.address, "--timeout 1s --log 'client.*=debug'"))
    let told = try await logged.waitFor("unharmed")
    #expect(told.contains(": playing 幸せの") && told.contains("client.connection"), "\(told)")
    logged.end()
    try await lab.end()
  }

  @Test("SIGTERM, a device that dies and one that never was: the terminal is given back")
  func waysOut() async throws {
    let lab = try await WatchTests.Lab()
    let terminal = try await TmuxSession(Self.line(lab.address))
    try await terminal.waitFor("no app is running")
    lab.receiver.signal(SIGKILL)
    let lost = try await terminal.waitFor("✗ lost 0:0")
    #expect(lost.contains("try "), "\(lost)")
    _ = try await lab.receiver.finish()
    let again = try await WatchTests.Lab(port: lab.port)
    try await terminal.waitFor("back after ")
    try await again.other("launch")
    try await terminal.waitFor("another sender launched Default Media Receiver")
    let pid = try String(contentsOfFile: terminal.folder.path("pid"), encoding: .utf8)
    kill(try #require(Int32(pid.trimmingCharacters(in: .newlines))), SIGTERM)
    try await Self.expectReturned(terminal)
    terminal.end()

    let timed = try await TmuxSession(Self.line(again.address, "--timeout 2s"))
    try await timed.waitFor("Default Media Receiver")
    again.receiver.signal(SIGKILL)
    let ended = try await timed.waitFor("unharmed")
    #expect(ended.contains("error: the device was lost and did not come back") && ended.contains("exit 5"), "\(ended)")
    timed.end()

    let absent = try await TmuxSession(Self.line("127.0.0.1:\(lab.port)"))
    try await Self.expectReturned(absent, exit: 4)
    absent.end()
  }

  @Test("Ctrl-Z gives the terminal to the shell, fg takes it again")
  func suspending() async throws {
    let lab = try await WatchTests.Lab()
    let terminal = try await TmuxSession("PS1='ready> ' exec bash --norc --noprofile -i")
    try await terminal.waitFor("ready>")
    try await terminal.press("$S watch \(lab.address)", "Enter")
    try await terminal.waitFor("no app is running")
    try await terminal.press("C-z")
    try await terminal.waitFor("Stopped")
    #expect(try await terminal.facts("alternate_on", "cursor_flag") == ["0", "1"])
    try await terminal.press("echo still $((40 + 2))", "Enter")
    try await terminal.waitFor("still 42")
    try await terminal.press("fg", "Enter")
    try await terminal.waitFor("? help")
    #expect(try await terminal.facts("alternate_on") == ["1"])
    try await terminal.press("Down")
    try await terminal.waitFor("volume  95%")
    try await terminal.press("q")
    try await terminal.waitFor("ready>") { !$0.contains("? help") && $0.contains("ready>") }
    try await terminal.press("echo end $?", "Enter")
    try await terminal.waitFor("end 0")
    terminal.end()
    try await lab.end()
  }
}
