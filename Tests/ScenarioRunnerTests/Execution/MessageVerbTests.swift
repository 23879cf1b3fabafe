import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// `send` and `expect_message` against an app that repeats what it is told a second later.
@Suite struct MessageVerbTests {
  private static let namespace = "urn:x-cast:com.example.echo"

  private func play(
    _ steps: String..., more: String = "", secrets: Secrets = Secrets(), wire: Bool = false
  ) throws -> Play {
    let text =
      "scenario: Messages\ndevice: Living Room TV\n\(more)\nsteps:\n  - launch: default\n"
      + steps.map { "  - \($0)\n" }.joined()
    let peer = FaultyDevice(.echo(Namespace(rawValue: Self.namespace)))
    return try Play(
      text, accept: { peer.serve($0, $1) },
      configure: {
        $0.secrets = secrets
        $0.includesWire = wire
      })
  }

  private static func send(_ message: String, _ more: String = "") -> String {
    "send: { namespace: \"\(namespace)\", message: \(message)\(more.isEmpty ? "" : ", \(more)") }"
  }

  private static func expect(_ pattern: String, _ more: String = "") -> String {
    "expect_message: { namespace: \"\(namespace)\", message: \(pattern) }\n    \(more)"
  }

  @Test("A message is sent as it stands; its reply is waited for where one is expected")
  func replies() throws {
    let play = try play(
      Self.send("{ type: NEXT, count: 1 }"),
      Self.send("{ type: NEXT, count: 2 }", "expect_reply: { count: { min: 2 } }"),
      wire: true)
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    let sent = play.events(.request).filter { $0.fields["ns"]?.string == Self.namespace }.map { $0.fields["msg"] }
    #expect(sent == [["type": "NEXT", "count": 1], ["type": "NEXT", "count": 2]])
    // The first is done when it is out.
    let length = play.events(.stepFinished, step: "s2").first?.fields["duration"]?.number ?? 9
    #expect(length < 0.5 && play.events.last?.elapsed ?? 0 >= 1)
  }

  @Test("A message that came after the last action began counts, one that comes in time does, too")
  func expectations() throws {
    let play = try play(
      Self.send("{ type: SCORE, points: 7, player: { name: Ada } }"), "wait: 3s",
      Self.expect("{ type: SCORE, player: { name: Ada } }", "within: 0s"), Self.send("{ type: END }"),
      Self.expect("{ type: END }", "within: 2s"), Self.expect("{ points: { above: 6 } }", "since: s2"))
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    #expect(play.events(.expectPassed).count == 3)
  }

  @Test("What does not come fails with what came nearest")
  func failures() throws {
    let near = try play(Self.send("{ type: SCORE, points: 3 }"), Self.expect("{ type: SCORE, points: { min: 5 } }"))
    #expect(near.outcome.exitCode == 1)
    let fields = try #require(near.events(.expectFailed).first?.fields)
    #expect(VerdictText(fields).oneLine == "message.points: expected min 5, observed 3", "\(fields)")
    let none = try play(Self.expect("{ type: SCORE }", "within: 3s"))
    #expect(none.events(.expectFailed).first?.fields["remark"] == "no message came on urn:x-cast:com.example.echo")
    let reply = try play(Self.send("{ type: A }", "expect_reply: { type: B }"))
    #expect(reply.errorClass(of: "s2") == "timeout" && reply.outcome.exitCode == 6)
    #expect(reply.lines.contains { $0.contains("no reply fits: type: expected B, observed A") }, "\(reply.lines)")
  }

  @Test("A namespace that the app does not offer is refused with what it offers")
  func notOffered() throws {
    let play = try play("send: { namespace: \"urn:x-cast:com.example.other\", message: { a: 1 } }")
    #expect(play.errorClass(of: "s2") == "invalid_request" && play.outcome.exitCode == 5)
    #expect(
      play.lines.contains {
        $0.contains("CC1AD845 does not offer the namespace urn:x-cast:com.example.other: it offers \(Self.namespace)")
      })
  }

  @Test("A message may be expected in one branch before another has launched the app that sends it")
  func early() throws {
    let text = """
      scenario: M
      device: TV
      steps:
        - parallel:
            - name: listen
              steps: [{ \(Self.expect("{ type: HELLO }").split(separator: "\n")[0]), within: 20s }]
            - name: show
              steps: [{ wait: 5s }, { launch: default }, { \(Self.send("{ type: HELLO }")) }]

      """
    let peer = FaultyDevice(.echo(Namespace(rawValue: Self.namespace)))
    let play = try Play(text, accept: { peer.serve($0, $1) })
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    let alone = try Play(
      "scenario: M\ndevice: TV\nsteps: [{ \(Self.send("{ a: 1 }")) }]\n", accept: { peer.serve($0, $1) })
    #expect(alone.errorClass(of: "s1") == "invalid_state" && alone.outcome.exitCode == 5)
  }

  @Test("An app without media takes messages and expectations; what is about media fails at once, with its name")
  func plainApp() throws {
    func play(_ steps: String...) throws -> Play {
      let text =
        "scenario: M\ndevice: TV\nsteps:\n  - launch: A1B2C3D4\n" + steps.map { "  - \($0)\n" }.joined()
      let peer = FaultyDevice(.plain(Namespace(rawValue: Self.namespace)))
      return try Play(text, accept: { peer.serve($0, $1) })
    }
    let talk = try play(
      Self.send("{ type: GO }", "expect_reply: { type: GO }"), "refresh", "expect: { app.id: A1B2C3D4 }",
      "launch: A1B2C3D4")
    #expect(talk.outcome.exitCode == 0, "\(talk.lines)")
    for step in ["play", "load: { media: https://cdn.example.com/a.mp4, app: A1B2C3D4 }", "refresh: { what: media }"] {
      let wrong = try play("wait: 3s", step)
      let failed = wrong.events(.attemptFailed, step: "s3").last
      #expect(failed?.fields["error"]?["class"] == "invalid_state", "\(step) \(wrong.lines)")
      #expect(failed?.fields["error"]?["message"] == "App A1B2C3D4 (A1B2C3D4) plays no media")
      #expect(wrong.events(.stepFinished, step: "s3").first?.fields["duration"] == 0)
    }
  }

  @Test("A launch that waits for a person is told once and outlasts the step's own limit")
  func consent() throws {
    let peer = FaultyDevice(.asks(for: .seconds(60)))
    let play = try Play(
      "scenario: M\ndevice: TV\nsteps: [{ launch: default }]\n", accept: { peer.serve($0, $1) })
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    #expect(
      play.events(.log, step: "s1").map { $0.fields["text"] } == ["waiting for a person to allow the app on TV"])
    let never = FaultyDevice(.asks(for: nil))
    let late = try Play(
      "scenario: M\ndevice: TV\nsteps: [{ launch: default }]\n", accept: { never.serve($0, $1) })
    #expect(late.errorClass(of: "s1") == "timeout")
    #expect(late.lines.contains { $0.contains("nobody allowed CC1AD845 on the device") }, "\(late.lines)")
  }

  @Test("Secrets come back by their names, and are told nowhere")
  func secrets() throws {
    let play = try play(
      Self.send("{ type: LOGIN, token: \"${secret.token}\" }", "expect_reply: { token: \"${secret.token}\" }"),
      more: "secrets: { token: { env: T } }", secrets: Secrets(["token": "hunter2-hunter2"]), wire: true)
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    #expect(!play.lines.contains { $0.contains("hunter2") })
    #expect(play.lines.contains { $0.contains("‹secret.token›") })
  }

  @Test("A connection that breaks is an error, never a mismatch")
  func lost() throws {
    let text = "scenario: M\ndevice: TV\nsteps:\n  - launch: default\n  - \(Self.expect("{ a: 1 }", "within: 30s"))\n"
    let peer = FaultyDevice(.closesAfterLaunch(.seconds(3)))
    let play = try Play(text, accept: { peer.serve($0, $1) })
    #expect(play.outcome.exitCode == 5)
    #expect(play.errorClass(of: "s2") == "connection_lost")
  }

  @Test("Text that is no JSON and bytes are seen, too")
  func otherPayloads() {
    #expect(MessageSearch.takes(["text": "hello"], #"{ text: { contains: ell } }"#))
    #expect(MessageSearch.takes(["bytes": 2, "hex": "0aff"], #"{ bytes: 2, hex: 0aff }"#))
  }
}

extension MessageSearch {
  /// Whether a message fits a pattern as a document writes it.
  fileprivate static func takes(_ message: JSONValue, _ pattern: String) -> Bool {
    let text = """
      scenario: M
      device: TV
      steps: [{ expect_message: { namespace: "urn:x-cast:a.b", message: \(pattern) } }]
      """
    guard case .expectMessage(let action)? = (try? Play.plan(text))?.steps.first?.action else { return false }
    var search = MessageSearch(action.pattern, on: action.namespace, saved: [:], secrets: Secrets())
    return search.takes(message)
  }
}
