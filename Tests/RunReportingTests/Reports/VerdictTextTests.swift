import CastProtocol
import Testing

@testable import RunReporting

/// A failed expectation in words.
@Suite struct VerdictTextTests {
  static let lines: [(fields: JSONObject, line: String)] = [
    (
      ["want": ["position": ["min": 5]], "got": ["position": 2], "mismatches": ["position"]],
      "position: expected min 5s, observed 2.0s"
    ),
    (
      [
        "want": ["position": ["min": 5]], "got": ["position": 2], "mismatches": ["position"],
        "nearest": ["e": 1, "position": 4.5],
      ], "position: expected min 5s, observed 2.0s, nearest 4.5s"
    ),
    (
      [
        "want": ["position": ["min": 5]], "got": ["position": 2], "mismatches": ["position"],
        "nearest": ["e": 1, "position": 2],
      ], "position: expected min 5s, observed 2.0s"
    ),
    (
      [
        "want": ["volume": ["level": 40, "muted": false]], "got": ["volume": ["level": 30, "muted": true]],
        "mismatches": ["volume.muted", "volume.level"],
      ], "volume.muted: expected false, observed true"
    ),
    (
      ["want": ["player": "playing", "title": "a"], "got": ["player": "playing"], "mismatches": ["title"]],
      "title: expected a, observed none"
    ),
    (
      [
        "want": ["content": ["starts_with": "a", "ends_with": "b"]], "got": ["content": "xb"],
        "mismatches": ["content"],
      ], "content: expected starts with a, ends with b, observed xb"
    ),
    (
      ["want": ["any": [["player": "idle"], ["rate": 2]]], "got": ["player": "playing", "rate": 1]],
      "expected any of (player idle; rate 2), observed player playing, rate 1"
    ),
    (
      ["want": ["player": "idle"], "got": ["player": "playing"], "remark": "it never stood still"],
      "it never stood still"
    ),
    (["want": ["player": "idle"], "got": [:], "mismatches": ["gone"]], "expected player idle, observed "),
  ]

  @Test("The line names the first field that did not fit; without one, all that was expected", arguments: lines)
  func oneLine(fields: JSONObject, line: String) { #expect(VerdictText(fields).oneLine == line) }

  static let marks: [(marks: JSONObject, text: String)] = [
    ([:], "position 40.0s, break none"), (["estimated": false, "polled": false], "position 40.0s, break none"),
    (["estimated": true], "position 40.0s, break none (estimated)"),
    (["polled": true], "position 40.0s, break none (polled)"),
    (["estimated": true, "polled": true], "position 40.0s, break none (estimated, polled)"),
  ]

  @Test(
    "What was observed is marked where it was reckoned, and where the device had to be asked", arguments: marks)
  func observed(marks: JSONObject, text: String) {
    let fields: JSONObject = [
      "want": ["position": 45], "got": ["position": 40, "break": .null], "mismatches": ["position"],
    ]
    let verdict = VerdictText(JSONObject(fields.members + marks.members))
    #expect(verdict.observed == text)
    #expect(verdict.oneLine == "position: expected 45s, observed 40.0s")
  }

  static let near: [(nearest: JSONValue?, text: String?)] = [
    (nil, nil), (["e": 31.31, "position": 12.1], "position 12.1s at +31.3s"), (["e": 3, "position": 18], nil),
    (["e": 3], nil), (["position": 12.1], nil),
    (["e": 3, "position": 18, "player": "paused"], "position 18.0s, player paused at +3.0s"),
  ]

  @Test("What came nearest is told where it differs from what is there at the end", arguments: near)
  func nearest(nearest: JSONValue?, text: String?) {
    var fields: JSONObject = ["want": ["position": 10], "got": ["position": 18]]
    fields["nearest"] = nearest
    #expect(VerdictText(fields).nearest == text)
  }

  private static func status(_ elapsed: Double, _ values: JSONObject) -> RunTranscript.SeenStatus {
    .init(elapsed: elapsed, isPolled: false, values: values)
  }

  private static let three = [
    status(1, ["player": "idle"]), status(2.25, ["player": "playing", "position": 1, "title": "a"]),
    status(3, ["break": ["id": "mid", "clip": "car"], "player": "playing"]),
  ]

  static let seen: [(told: Int?, statuses: [RunTranscript.SeenStatus], polled: Int, line: String)] = [
    (nil, [], 0, "none came in the window"), (0, three, 0, "none came in the window"),
    (9, [], 0, "(9 in window, none polled)"), (9, [], 4, "(9 in window, 4 polled)"),
    (nil, [three[0]], 1, "+1.0 idle no break title none   (1 in window, 1 polled)"),
    (
      nil, three, 0,
      "+2.3 playing 1.0 no break title a · +3.0 playing break mid/car title none   (3 in window, none polled)"
    ),
  ]

  @Test("The last two statuses are told with the fields that count, and how many came", arguments: seen)
  func statuses(told: Int?, statuses: [RunTranscript.SeenStatus], polled: Int, line: String) {
    var judged = EventKind.Expectation()
    (judged.want, judged.statuses) = (["title": "b", "player": "playing"], told)
    #expect(VerdictText(judged, statuses: statuses, polled: polled).statusLine == line)
  }

  static let summaries: [(values: JSONObject, also: [String], text: String)] = [
    ([:], [], "no media no break"), (["player": "paused", "position": 61.25], [], "paused 61.3 no break"),
    (["player": "playing", "break": [:]], [], "playing break "), (["break": ["clip": "car"]], [], "no media break car"),
    (
      ["player": "idle", "volume": ["level": 40, "muted": true]], ["volume", "volume", "position"],
      "idle no break volume level 40% muted true"
    ),
  ]

  @Test(
    "A status on one line: the player, where it is, the break, then what was asked for, each once", arguments: summaries
  )
  func summary(values: JSONObject, also: [String], text: String) {
    #expect(StatusText.summary(of: values, also: also) == text)
  }
}
