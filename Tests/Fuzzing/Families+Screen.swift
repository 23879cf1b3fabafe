import CastProtocol
import CastReceiver
import ReceiverScreen

extension Family {
  /// What pages of `--screen` report, between what senders ask.
  static let screen = Family(
    name: "screen",
    seeds: {
      let load = #"{"type":"LOAD","requestId":2,"media":{"contentId":"http://h/a.mp4","contentType":"video/mp4"}}"#
      let ads =
        #"{"type":"LOAD","requestId":3,"media":{"contentId":"http://h/a.mp4","breakClips":[{"id":"c","contentUrl":"http://h/c.mp4","whenSkippable":1}],"breaks":[{"id":"b","position":0,"breakClipIds":["c"]},{"id":"e","position":-1,"breakClipIds":["c"]}]}}"#
      func report(_ state: String, _ position: Int, _ more: String = "") -> String {
        #"{"playback":"a.1","order":1,"state":"\#(state)","position":\#(position),"duration":9\#(more)}"#
      }
      return [
        ["came", load, report("loading", 0), report("playing", 1), report("waiting", 2), report("ended", 9)],
        ["came", ads, report("paused", 0), report("playing", 1), report("ended", 9), report("playing", 3)],
        [
          "came", load, report("playing", 0, #","width":640,"height":360"#), "left", "7", "came",
          report("failed", 0, #","error":3"#),
        ],
        ["came", load, report("blocked", 0), #"{"type":"PLAY","requestId":4,"mediaSessionId":1}"#, "40"],
        [load, "6", "came", load, #"{"type":"SEEK","requestId":4,"mediaSessionId":1,"currentTime":5}"#],
      ].map { Array($0.joined(separator: "\n").utf8) }
    },
    words: [
      "\"state\":", "playing", "ended", "failed", "blocked", "loading", "1e308", "-1", "null", "came\n", "left\n",
      "99\n",
      "\"duration\":0", "\"autoplay\":false", "\"playbackDuration\":2", "\"position\":", "PAUSE", "QUEUE_NEXT",
      "SKIP_AD",
    ], makeReader: { ScreenReader() })
}

/// A receiver whose media a page plays: whatever comes, it goes on, and statuses say a state.
private final class ScreenReader: Reader {
  private static let mostLines = 64
  private static let sender = EndpointID("sender-0")
  private static let socket = ConnectionID(rawValue: 1)

  func read(_ bytes: [UInt8]) async throws(Violation) {
    var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
    configuration.playsOutside = true
    var machine = ReceiverStateMachine(configuration: configuration)
    var now = Duration.zero
    _ = machine.receive(.connected(Self.socket), at: now)
    for json in [["type": "CONNECT"], ["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1]] as [JSONValue] {
      let space: Namespace = json["appId"] == nil ? .connection : .receiver
      _ = machine.receive(.message(Self.socket, Self.message(json, to: .receiver, on: space)), at: now)
    }
    guard let session = machine.screen(at: now).app?.sessionID else { throw Violation("no app") }
    let app = EndpointID(session)
    _ = machine.receive(.message(Self.socket, Self.message(["type": "CONNECT"], to: app, on: .connection)), at: now)
    for line in bytes.split(separator: 0x0A).prefix(Self.mostLines) {
      let text = String(decoding: line, as: UTF8.self)
      if text == "came" || text == "left" {
        try Self.check(machine.receive(.player(text == "came" ? .came : .left), at: now))
      } else if let seconds = Int(text), (0...3_600).contains(seconds) {
        try Self.wait(&machine, &now, seconds)
      } else if let json = try? JSONValue(parsing: Array(line)) {
        if let report = PlayerReport(json) {
          try Self.check(machine.receive(.player(.report(Self.present(report, in: machine, at: now))), at: now))
        } else {
          try Self.check(machine.receive(.message(Self.socket, Self.message(json, to: app, on: .media)), at: now))
        }
      }
      _ = machine.screen(at: now).json(driver: nil)
    }
  }

  /// The report, made one about what is on.
  private static func present(
    _ report: PlayerReport, in machine: ReceiverStateMachine, at now: Duration
  ) -> PlayerReport {
    let media = machine.screen(at: now).media
    var report = report
    guard let playback = media?.adBreak?.clip ?? media?.content, let id = playback.id else { return report }
    report.playback = id
    if report.order == 1 { report.order = playback.order }
    return report
  }

  private static func wait(
    _ machine: inout ReceiverStateMachine, _ now: inout Duration, _ seconds: Int
  ) throws(Violation) {
    let end = now + .seconds(seconds)
    var turns = 0
    while let next = machine.nextDeadline, next <= end {
      now = max(now, next)
      try check(machine.receive(.timerFired, at: now))
      turns += 1
      if turns > 100_000 { throw Violation("time stands still") }
    }
    now = end
  }

  private static func check(_ effects: [ReceiverStateMachine.Effect]) throws(Violation) {
    for case .send(_, let message) in effects {
      guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else {
        throw Violation("a message that is no JSON")
      }
      if text.utf8.count > 65_000 { throw Violation("a message of \(text.utf8.count) bytes") }
      for status in json["status"]?.array ?? [] where status["playerState"]?.string == nil {
        throw Violation("a status without a state")
      }
    }
  }

  private static func message(_ json: JSONValue, to endpoint: EndpointID, on namespace: Namespace) -> CastMessage {
    CastMessage(source: sender, destination: endpoint, namespace: namespace, json: json)
  }
}
