import CastProtocol
import Foundation
import Testing

/// `showcaller lsp`, talked to over standard input.
@Suite(.serialized) struct EditorServerTests {
  private static func framed(_ message: JSONValue) -> String {
    let text = message.serialized()
    return "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
  }

  private static func request(_ id: Int, _ method: String, _ params: JSONValue = .null) -> String {
    framed(["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params])
  }

  private static func notification(_ method: String, _ params: JSONValue = .null) -> String {
    framed(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  private static func opening(_ folder: TemporaryFolder, _ text: String) -> String {
    let uri = "file://" + folder.path("a.yaml")
    return notification(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "yaml", "version": 1, "text": .string(text)]])
  }

  @Test("An editor sees the problems that `check` finds, also those that only a simulation finds, and ends it")
  func session() async throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: S
      device: TV
      media: { film: { url: https://cdn.example.com/a.mp4, duration: 10s } }
      steps:
        - load: film
        - expect: { position: { min: 20s } }
          within: 5s

      """
    let check = try await Showcaller.run("check", "--format", "json", try folder.write("a.yaml", text))
    let known = try JSONValue(parsing: Array(check.output.utf8))["diagnostics"]?.array ?? []
    #expect(!known.isEmpty)
    let running = try Showcaller.start(["lsp"], in: folder.url)
    running.send(Self.request(1, "initialize", ["capabilities": [:]]) + Self.notification("initialized", [:]))
    running.send(Self.opening(folder, text))
    try await running.waitFor("publishDiagnostics")
    for problem in known {
      #expect(running.output.contains("\"code\":\"\(problem["code"]?.string ?? "?")\""), "\(running.output)")
      let place =
        "\"start\":{\"line\":\((problem["line"]?.int ?? 0) - 1),\"character\":\((problem["utf16Column"]?.int ?? 0) - 1)}"
      #expect(running.output.contains(place), "\(running.output)")
    }
    running.send(Self.request(2, "shutdown") + Self.notification("exit"))
    let finished = try await running.finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
  }

  @Test(
    "It ends with its client, and says why where what comes is no message",
    arguments: [
      ("", Int32(0), ""), (request(1, "initialize", [:]), 0, ""),
      ("Content-Length: 7\r\n\r\n{}", 2, "ends within a message"),
      ("hello\r\n\r\n", 2, "`hello` is no line of a message's header"), (notification("exit"), 1, ""),
    ])
  func ends(input: String, code: Int32, part: String) async throws {
    let finished = try await Showcaller.run("lsp", input: input)
    #expect(finished.exitCode == code, "\(finished.errors)")
    #expect(part.isEmpty ? finished.errors.isEmpty : finished.errors.contains(part), "\(finished.errors)")
    #expect(part.isEmpty || finished.errors.contains("help: "), "\(finished.errors)")
  }

  @Test("A document that is typed letter by letter is answered to the end, and its last text is what counts")
  func typing() async throws {
    let folder = try TemporaryFolder()
    let text = "scenario: S\ndevice: TV\nsteps:\n  - paly\n"
    let uri = "file://" + folder.path("a.yaml")
    let running = try Showcaller.start(["lsp"], in: folder.url)
    running.send(Self.request(1, "initialize", ["capabilities": [:]]))
    running.send(Self.opening(folder, ""))
    for length in 1...text.count {
      running.send(
        Self.notification(
          "textDocument/didChange",
          [
            "textDocument": ["uri": .string(uri), "version": .int(length + 1)],
            "contentChanges": [["text": .string(String(text.prefix(length)))]],
          ]))
    }
    running.send(
      Self.request(
        2, "textDocument/hover", ["textDocument": ["uri": .string(uri)], "position": ["line": 2, "character": 1]]))
    try await running.waitFor("\"version\":\(text.count + 1)")
    try await running.waitFor("K101")
    #expect(running.output.contains("\"id\":2,\"result\":{"))
    running.closeInput()
    #expect(try await running.finish().exitCode == 0)
  }

  @Test(
    "pygls, which others build their servers and tests on, uses it as an editor", .enabled(if: JudgeTests.folder != nil)
  )
  func pygls() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("lib.yaml", "library: L\nmedia:\n  film: { url: https://cdn.example.com/a.mp4 }\n")
    let finished = try await Self.judge("editor_session.py", folder)
    let steps = [
      "initialized", "problem shown", "problem mended", "page shown", "definition found", "names offered", "formatted",
      "ended",
    ]
    #expect(finished.output.split(separator: "\n").map(String.init) == steps, "\(finished.errors.suffix(4000))")
  }

  static func judge(_ script: String, _ folder: TemporaryFolder) async throws -> Finished {
    let python = try #require(JudgeTests.folder) + "/bin/python3"
    let path = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/\(script)").path
    let running = try Running(
      URL(filePath: python), [path, Showcaller.binary.path, folder.url.path], in: folder.url, limit: 120)
    running.closeInput()
    return try await running.finish()
  }
}
