import CastProtocol
import DeviceControl
import Foundation
import ScenarioLanguage
import TestSupport
import Testing

@testable import CastReceiver
@testable import ScenarioRunner

/// A session is recorded, what was written is checked, and run on a fresh virtual receiver.
@Suite struct ScenarioRecordingTests {
  static let film = """
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        metadata: { kind: movie, title: Sintel, subtitle: "A film: 1", images: [https://cdn.example.com/art.jpg] }
    """

  /// What senders do, and a part of what must be written.
  static let sessions: [(name: String, sender: String, wanted: [String])] = [
    (
      "a film with a pause, a seek and a stop",
      """
      scenario: x
      device: Living Room TV
      media:
      \(film)
      steps:
        - launch: default
        - load: film
        - wait: 12s
        - pause
        - wait: 8s
        - play
        - wait: 20s
        - seek: 5m
        - wait: 10s
        - stop
        - wait: 3s
      """,
      [
        "device: Living Room TV", "launch: default", "load: sintel", "title: Sintel", "subtitle: \"A film: 1\"",
        "position: { min: 12s }", "- pause", "- wait: 8s", "- play", "- seek: 5m", "- stop", "- stop_app",
      ]
    ),
    (
      "a queue of three",
      """
      scenario: x
      device: TV
      media:
        a: { url: https://cdn.example.com/a.mp4, duration: 20s, metadata: { title: One } }
        b: { url: https://cdn.example.com/b.mp4, duration: 1m, metadata: { title: Two } }
        c: { url: https://cdn.example.com/c.mp4, duration: 1m, metadata: { title: Three } }
      steps:
        - queue: { items: [a, b, c], repeat: all }
        - wait: 25s
        - queue_jump: next
        - wait: 10s
        - queue_jump: previous
        - wait: 5s
      """,
      [
        "queue: { items: [one, two, three], repeat: all }", "expect: { title: Two }", "queue_jump: next",
        "queue_jump: previous",
      ]
    ),
    (
      "subtitles",
      """
      scenario: x
      device: TV
      media:
        film:
          url: https://cdn.example.com/film.m3u8
          duration: 10m
          tracks:
            - { id: en, kind: text, subtype: subtitles, language: en, name: English, url: "https://cdn.example.com/en.vtt" }
            - { id: no, kind: text, subtype: subtitles, language: no, url: "https://cdn.example.com/no.vtt" }
            - { id: sound, kind: audio, language: de, inband: true, number: 7 }
      steps:
        - load: { media: film, tracks: [no], text_style: { size: 150%, color: yellow } }
        - wait: 5s
        - tracks: [en]
        - wait: 5s
        - text_style: { size: 80%, edge: outline }
        - wait: 5s
        - tracks: []
        - wait: 5s
      """,
      [
        "tracks: [no]", "tracks: [en]", "tracks: []", "size: 150%", "size: 80%", "edge: outline", "name: English",
        "inband: true, number: 7",
      ]
    ),
    (
      "a live stream",
      """
      scenario: x
      device: TV
      media:
        news: { url: https://cdn.example.com/news.m3u8, stream: live, live: { window: 5m }, metadata: { title: News } }
      steps:
        - load: news
        - wait: 40s
        - pause
        - wait: 5s
        - play
        - wait: 10s
        - seek: { by: -20s }
        - wait: 5s
        - stop
      """,
      ["stream: live", "live: { window: ", "wait: 40s", "- pause", "- play", "seek: { by: -20s }"]
    ),
    (
      "volume and mute",
      """
      scenario: x
      device: TV
      media:
      \(film)
      steps:
        - load: film
        - wait: 5s
        - volume: 40%
        - volume: 50%
        - volume: 60%
        - wait: 10s
        - mute: true
        - wait: 3s
        - mute: false
        - wait: 5s
      """,
      ["volume: 60%", "mute: true", "mute: false"]
    ),
    (
      "several loads, with a start, a rate and without playing by itself",
      """
      scenario: x
      device: TV
      media:
      \(film)
        song: { url: https://cdn.example.com/song.mp3, duration: 3m, metadata: { kind: music, title: Song, artist: Band, album: Best, track: 3 } }
      steps:
        - load: { media: film, start: 2m }
        - wait: 15s
        - load: song
        - wait: 15s
        - rate: 1.5
        - wait: 20s
        - load: { media: film, autoplay: false }
        - wait: 4s
        - play
        - wait: 6s
      """,
      ["start: 2m", "kind: music", "rate: 1.5", "autoplay: false", "album: Best"]
    ),
    (
      "a load that fails, and another",
      """
      scenario: x
      device: TV
      media:
        bad: { url: https://cdn.example.com/film.avi, type: application/x-shockwave-flash, metadata: { title: Bad } }
      \(film)
      steps:
        - load: bad
          if_fails: ignore
        - wait: 4s
        - load: film
        - wait: 5s
      """,
      ["load: bad", "if_fails: ignore", "load: sintel"]
    ),
    (
      "ads, of which one is skipped",
      """
      scenario: x
      device: TV
      media:
        film:
          url: https://cdn.example.com/film.m3u8
          duration: 10m
          metadata: { title: Sintel }
          clips:
            car: { url: "https://cdn.example.com/car.mp4", duration: 15s, skippable_after: 5s }
            soap: { url: "https://cdn.example.com/soap.mp4", duration: 6s }
          breaks:
            - { id: pre, at: start, clips: [soap] }
            - { id: mid, at: 20s, clips: [car, soap] }
      steps:
        - load: film
        - wait: 33s
        - skip_ad
        - wait: 15s
        - pause
        - wait: 3s
      """,
      ["clips: [car, soap]", "skip_ad", "skippable: true"]
    ),
    (
      "a clip that is played to its end",
      """
      scenario: x
      device: TV
      media: { clip: { url: https://cdn.example.com/clip.mp4, duration: 30s } }
      steps:
        - load: clip
        - wait: 40s
      """,
      ["idle_reason: finished"]
    ),
    (
      "a queue that is changed",
      """
      scenario: x
      device: TV
      media:
        a: { url: https://cdn.example.com/a.mp4, duration: 5m, metadata: { title: One } }
        b: { url: https://cdn.example.com/b.mp4, duration: 5m, metadata: { title: Two } }
        c: { url: https://cdn.example.com/c.mp4, duration: 5m, metadata: { title: Three } }
      steps:
        - queue: [a, b]
        - wait: 5s
        - queue_insert: { items: [c] }
        - wait: 5s
        - queue_jump: next
        - wait: 5s
        - queue_update: { repeat: all }
        - wait: 5s
      """,
      ["items: [one, two]", "queue_insert: { items: [three] }", "repeat: all"]
    ),
    (
      "an app of somebody's own, then another",
      """
      scenario: x
      device: TV
      apps: { acme: { id: A1B2C3D4, title: ACME Player }, other: { id: 11223344, title: Other } }
      media:
      \(film)
      steps:
        - launch: acme
        - wait: 2s
        - load: film
        - wait: 10s
        - launch: other
        - wait: 2s
        - load: film
        - wait: 5s
      """,
      ["id: A1B2C3D4", "launch:"]
    ),
  ]

  @Test(
    "What was recorded is valid, laid out as `fmt` does it, and passes on a fresh receiver", arguments: sessions.indices
  )
  func roundTrip(index: Int) throws {
    let session = Self.sessions[index]
    let lab = try RecordingLab(session.sender)
    #expect(lab.sender == 0, "\(session.name)")
    for wanted in session.wanted { #expect(lab.text.contains(wanted), "\(session.name): no \(wanted) in\n\(lab.text)") }
    #expect(RecordingLab.problems(of: lab.text) == [], "\(session.name)\n\(lab.text)")
    guard case .formatted(let bytes) = DocumentFormatter.format(SourceFile(name: "a", bytes: Array(lab.text.utf8)))
    else {
      Issue.record("not formatted")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == lab.text)
    let rerun = try RecordingLab.rerun(lab.text)
    #expect(rerun.exit == 0, "\(session.name)\n\(lab.text)\n\(rerun.failures.joined(separator: "\n"))")
  }
}

extension ScenarioRecordingTests {
  @Test(
    "So it is with links that are slow and uneven, and where the recording begins in the middle", arguments: [2, 4, 6])
  func otherCircumstances(seed: UInt64) throws {
    let begins: [Duration?] = [nil, .seconds(4)]
    for (session, late) in Self.sessions.flatMap({ session in begins.map { (session, $0) } }) {
      let lab = try RecordingLab(session.sender, late: late, seed: seed, delay: .zero ... .milliseconds(400))
      #expect(RecordingLab.problems(of: lab.text) == [], "\(session.name)\n\(lab.text)")
      let rerun = try RecordingLab.rerun(lab.text, seed: seed + 50)
      #expect(rerun.exit == 0, "\(session.name)\n\(lab.text)\n\(rerun.failures.joined(separator: "\n"))")
    }
  }

  @Test("What the examples do is recorded, and passes", arguments: ["hello", "ads"])
  func examples(name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let lab = try RecordingLab(try String(contentsOf: root.appending(path: "examples/\(name).yaml"), encoding: .utf8))
    #expect(RecordingLab.problems(of: lab.text) == [], "\(lab.text)")
    #expect(try RecordingLab.rerun(lab.text).exit == 0, "\(lab.text)")
  }

  /// What a receiver does otherwise, and the session whose recording must see it.
  static let mutations: [(fault: String, session: Int)] = [
    ("{ at: load, answer: load_failed, code: 311 }", 0),
    ("{ at: pause, accept_but_ignore: true }", 0),
    ("{ at: seek, accept_but_ignore: true }", 0),
    ("{ at: playing, after: 5s, player: freeze }", 0),
    ("{ at: rate, accept_but_ignore: true }", 5),
    ("{ at: tracks, accept_but_ignore: true }", 2),
    ("{ at: playing, after: 5s, takeover: YouTube }", 0),
  ]

  @Test("A receiver that does not do it fails what was recorded of one that did", arguments: mutations)
  func mutation(fault: String, session: Int) throws {
    let lab = try RecordingLab(Self.sessions[session].sender)
    #expect(try RecordingLab.rerun(lab.text).exit == 0)
    let rerun = try RecordingLab.rerun(lab.text, faults: [fault])
    #expect(rerun.exit != 0, "\(fault)\n\(lab.text)")
  }

  @Test("Who records says CONNECT, CLOSE, PING, PONG, GET_STATUS and the question for the proof, and nothing else")
  func observesOnly() throws {
    for session in Self.sessions {
      let lab = try RecordingLab(session.sender)
      let types = lab.sent.map { message in
        guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else {
          return message.namespace == .deviceAuth ? "proof" : "unreadable"
        }
        return json["type"]?.string ?? "none"
      }
      #expect(types.contains("GET_STATUS"))
      #expect(Set(types).isSubset(of: ["CONNECT", "CLOSE", "PING", "PONG", "GET_STATUS", "proof"]), "\(Set(types))")
    }
  }

  @Test("The recording ends by itself, 5 s after the app has")
  func endsWithTheApp() throws {
    let lab = try RecordingLab(Self.sessions[0].sender)
    let app = try #require(lab.recorder.steps.first { $0.act == .stopApp })
    let end = try #require(lab.recorder.steps.last)
    #expect(end.act == .end)
    #expect(end.at - app.at >= RecordingReader.patience)
  }

  @Test("A load that the receiver was made to fail is recorded as one, and the run goes on")
  func failedLoad() throws {
    let lab = try RecordingLab(
      Self.sessions[6].sender.replacing("application/x-shockwave-flash", with: "video/mp4"),
      faults: ["{ at: load, times: 1, after: 500ms, answer: load_failed, code: 104 }"])
    #expect(lab.text.contains("The device could not play it"), "\(lab.text)")
    #expect(RecordingLab.problems(of: lab.text) == [], "\(lab.text)")
    #expect(try RecordingLab.rerun(lab.text).exit == 0)
  }
}
