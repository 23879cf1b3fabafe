import CastProtocol
import Foundation
import Testing

/// `showcaller mcp`, talked to over standard input.
@Suite(.serialized) struct AgentServerTests {
  private static let good = """
    scenario: Good
    device: TV
    media: { film: { url: https://cdn.example.com/a.mp4, duration: 10s } }
    steps:
      - load: film
      - expect: { player: playing }

    """

  private static let hello =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#
    + "\n"

  private static func call(_ id: Int, _ tool: String, _ arguments: JSONValue, _ meta: JSONValue? = nil) -> String {
    var params: JSONObject = ["name": .string(tool), "arguments": arguments]
    params["_meta"] = meta
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": .int(id), "method": "tools/call", "params": .object(params),
    ]
    return message.serialized() + "\n"
  }

  /// What is answered to calls that are sent at once, by their ids.
  private func answers(_ input: String, in folder: TemporaryFolder) async throws -> [Int: JSONValue] {
    let running = try Showcaller.start(["mcp"], in: folder.url)
    running.send(Self.hello + input)
    for id in 0..<input.split(separator: "\n").count + 1 { try await running.waitFor("\"id\":\(id),") }
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
    var answers: [Int: JSONValue] = [:]
    for line in finished.output.split(separator: "\n") {
      let message = try JSONValue(parsing: Array(line.utf8))
      if let id = message["id"]?.int { answers[id] = message["result"] ?? message["error"] }
    }
    return answers
  }

  private static func text(_ answer: JSONValue?) -> String { answer?["content"]?.array?.first?["text"]?.string ?? "" }

  @Test("An agent checks a document, reads what a code means, simulates, runs, and reads the report")
  func tools() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write(
      "bad.yaml", Self.good.replacing("{ player: playing }", with: "{ player: paused }\n    within: 300ms"))
    let answers = try await answers(
      Self.call(1, "check", ["text": .string(Self.good.replacing("load", with: "laod"))])
        + Self.call(2, "explain", ["word": "K101"]) + Self.call(3, "simulate", ["path": "good.yaml"])
        + Self.call(4, "run", ["path": "bad.yaml"]), in: folder)
    #expect(Self.text(answers[1]).contains("error[K101]") && Self.text(answers[1]).contains("did you mean `load`?"))
    #expect(answers[1]?["structuredContent"]?["diagnostics"]?.array?.first?["code"]?.string == "K101")
    #expect(answers[1]?["isError"]?.bool == false)
    #expect(Self.text(answers[2]).hasPrefix("K101: "))
    #expect(answers[3]?["structuredContent"]?["passed"]?.bool == true, "\(answers[3] ?? .null)")
    #expect(answers[4]?["structuredContent"]?["passed"]?.bool == false, "\(answers[4] ?? .null)")
    #expect(answers[4]?["isError"]?.bool == false)
    let failure = answers[4]?["structuredContent"]?["failures"]?.array?.first
    #expect(failure?["message"]?.string?.contains("player") == true, "\(answers[4] ?? .null)")
    #expect(failure?["evidence"]?.array?.isEmpty == false)

    let later = try await self.answers(Self.call(1, "report", [:]), in: folder)
    #expect(later[1]?["structuredContent"]?["run"]?.string == answers[4]?["structuredContent"]?["run"]?.string)
    #expect(later[1]?["structuredContent"]?["exit"]?.int == 1)
    #expect(Self.text(later[1]).contains("FAILED"))
  }

  @Test("What a tool cannot do is told with its cure; files outside of the working folder are nobody's to read")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("wrong.yaml", Self.good.replacing("playing", with: "plaing"))
    _ = try folder.write("exec.yaml", "scenario: E\ndevice: TV\nsteps:\n  - exec: { command: [touch, made] }\n")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link.yaml"), withDestinationURL: URL(filePath: "/etc/hostname"))
    let answers = try await answers(
      Self.call(1, "run", ["path": "wrong.yaml"]) + Self.call(2, "run", ["path": "exec.yaml"])
        + Self.call(3, "check", ["path": "link.yaml"]) + Self.call(4, "check", ["path": "../../etc/hostname"]),
      in: folder)
    for id in 1...4 { #expect(answers[id]?["isError"]?.bool == true, "\(answers[id] ?? .null)") }
    #expect(Self.text(answers[1]).contains("error[T205]") && Self.text(answers[1]).contains("did you mean `playing`?"))
    #expect(Self.text(answers[2]).contains("--allow-exec"), "\(Self.text(answers[2]))")
    #expect(!FileManager.default.fileExists(atPath: folder.path("made")))
    #expect(Self.text(answers[3]).contains("outside of the working folder"))
    #expect(
      Self.text(answers[4]).contains("outside of the working folder") || Self.text(answers[4]).contains("cannot read"))
    let more = try await self.answers(
      Self.call(1, "explain", ["word": "laod"]) + Self.call(2, "report", ["run": "../x"])
        + Self.call(3, "report", [:]) + Self.call(4, "check", ["path": "nowhere.yaml"]), in: folder)
    #expect(Self.text(more[1]).contains("did you mean `showcaller explain load`?"))
    #expect(Self.text(more[2]).contains("no id of a run"))
    #expect(Self.text(more[3]).contains("error: "))
    #expect(Self.text(more[4]).contains("cannot read `nowhere.yaml`"))
    #expect((1...4).allSatisfy { more[$0]?["isError"]?.bool == true })
  }

  @Test("A run tells how far it is, and ends when it is cancelled or its time is over")
  func cancelling() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "long.yaml", "scenario: Long\ndevice: TV\ntimeout: 2h\nsteps:\n  - expect: { app: none }\n  - wait: 1h\n")
    let running = try Showcaller.start(["mcp"], in: folder.url)
    running.send(Self.hello + Self.call(1, "run", ["path": "long.yaml", "speed": 1], ["progressToken": "t"]))
    try await running.waitFor("notifications/progress")
    running.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"# + "\n")
    running.send(Self.call(2, "run", ["path": "long.yaml", "speed": 1, "timeout": 1]))
    try await running.waitFor("\"id\":2")
    #expect(running.output.contains("took longer than 1s and was ended"), "\(running.output)")
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0)
    #expect(!finished.output.contains("\"id\":1,"), "\(finished.output)")
    #expect(finished.output.contains("\"progressToken\":\"t\""))
  }

  @Test("A line that is no JSON is answered; a stream that ends within one, and a folder that is not there, are told")
  func broken() async throws {
    let folder = try TemporaryFolder()
    let noJSON = try await Showcaller.run("mcp", input: "hello\n", in: folder.url)
    #expect(noJSON.exitCode == 0 && noJSON.output.contains("-32700"), "\(noJSON.output)")
    let cut = try await Showcaller.run("mcp", input: "{\"jsonrpc\"", in: folder.url)
    #expect(cut.exitCode == 2 && cut.errors.contains("ends within a message"), "\(cut.errors)")
    let nowhere = try await Showcaller.run("mcp", "--folder", folder.path("nowhere"), input: "")
    #expect(nowhere.exitCode == 2 && nowhere.errors.contains("cannot work in"), "\(nowhere.errors)")
  }

  @Test("The protocol's own Python client uses it as an agent", .enabled(if: JudgeTests.folder != nil))
  func client() async throws {
    let folder = try TemporaryFolder()
    let finished = try await EditorServerTests.judge("agent_session.py", folder)
    let steps = [
      "initialized True", "tools check explain simulate run report", "checked 1", "explained", "simulated",
      "ran passed",
      "failed s2 expect player", "reported", "refused",
    ]
    #expect(finished.output.split(separator: "\n").map(String.init) == steps, "\(finished.errors.suffix(4000))")
  }
}
