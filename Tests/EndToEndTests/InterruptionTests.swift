import CastProtocol
import Foundation
import Testing

/// Signals end a run in order, and at last at once.
@Suite(.serialized) struct InterruptionTests {
  private static let document = """
    scenario: Long
    device: Lobby
    steps: [ { load: film }, { log: on air }, { wait: 5m } ]
    media: { film: { url: "https://cdn.example.com/film.mp4", duration: 10m } }
    finally: [ { log: tidying }, stop_app ]

    """

  private func start(
    _ arguments: String..., in folder: TemporaryFolder, document: String = document, shell: String = "exec \"$@\""
  ) throws -> Running {
    _ = try folder.write("long.yaml", document)
    return try Running(
      URL(filePath: "/bin/bash"),
      ["-c", shell, "sh", Showcaller.binary.path, "run", "--virtual", "--runs", "runs", "long.yaml"] + arguments,
      in: folder.url, limit: 40)
  }

  private func events(in folder: TemporaryFolder) throws -> [JSONValue] {
    let runs = try RunFolder.ids(in: folder.path("runs"))
    return try EventStream.read(folder.path("runs/\(try #require(runs.first))/events.jsonl"))
  }

  @Test(
    "The first signal ends the step; finally runs, and the events end with the run",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
  func first(signal: Int32, exitCode: Int32) async throws {
    let folder = try TemporaryFolder()
    let running = try start(in: folder)
    try await running.waitFor("on air")
    running.signal(signal)
    // A terminal that is closed may say so twice.
    if signal == SIGHUP { running.signal(signal) }
    let finished = try await running.finish()
    #expect(finished.exitCode == exitCode, "\(finished.errors)")
    let events = try events(in: folder)
    try EventStream.check(events, exitCode: Int(exitCode))
    #expect(events.contains { $0["type"] == "finally.finished" && $0["result"] == "passed" }, "\(events.suffix(5))")
  }

  @Test("Under nohup SIGHUP stays ignored")
  func nohup() async throws {
    let folder = try TemporaryFolder()
    let running = try start(in: folder, shell: "trap '' HUP; exec \"$@\"")
    try await running.waitFor("on air")
    running.signal(SIGHUP)
    running.signal(SIGTERM)
    let finished = try await running.finish()
    #expect(finished.exitCode == 143, "\(finished.errors)")
    // The first and only one was SIGTERM: had SIGHUP counted, the cleanup would have been skipped.
    #expect(try events(in: folder).contains { $0["type"] == "finally.finished" && $0["result"] == "passed" })
  }

  @Test("A third signal ends the process at once, whatever it waits for")
  func third() async throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("never"), 0o600)
    // Far more than a pipe takes: the end of the run waits for who reads it.
    let long = String(repeating: "0123456789", count: 50)
    let text = Self.document.replacing(
      "{ log: on air }", with: "{ repeat: { times: 300, steps: [{ log: \"\(long)\" }] } }, { log: on air }")
    let running = try start(
      "--report", "json=never", in: folder, document: text, shell: "exec 9<>never; exec \"$@\"")
    try await running.waitFor("on air")
    running.signal(SIGINT)
    try await running.waitFor("exit 130")
    running.signal(SIGTERM)
    running.signal(SIGINT)
    let finished = try await running.finish()
    // 8 would say that the report was waited for.
    #expect(finished.exitCode == 130, "\(finished.errors)")
    #expect(!finished.errors.contains("too slow"), "\(finished.errors)")
  }

  @Test("A third signal ends programs that run, too, also those that ignore the first ones")
  func thirdEndsPrograms() async throws {
    let folder = try TemporaryFolder()
    let script = "trap '' TERM INT; echo > \(folder.path("cleaning")); while :; do sleep 0.05; done"
    let text = Self.document.replacing(
      "{ log: tidying }", with: "{ exec: { command: [sh, -c, \"\(script)\"], output: none }, timeout: 30s }")
    let running = try start("--allow-exec", in: folder, document: text)
    try await running.waitFor("on air")
    running.signal(SIGINT)
    for _ in 0..<1000 where !FileManager.default.fileExists(atPath: folder.path("cleaning")) {
      try await Task.sleep(for: .milliseconds(20))
    }
    // The second asks the program to end and gives it time; the third does not.
    running.signal(SIGTERM)
    running.signal(SIGINT)
    let finished = try await running.finish()
    #expect(finished.exitCode == 130, "\(finished.errors)")
    var left = try await Showcaller.processes(holding: folder.path("cleaning"))
    for _ in 0..<50 where !left.isEmpty {
      try await Task.sleep(for: .milliseconds(20))
      left = try await Showcaller.processes(holding: folder.path("cleaning"))
    }
    #expect(left.isEmpty, "\(left)")
  }

  @Test("Ctrl-C while a device is connected to says only that")
  func connecting() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("long.yaml", Self.document)
    // It accepts and says nothing more.
    let (connections, connected) = AsyncStream<Void>.makeStream()
    let server = try PlainServer { _ in connected.yield() }
    let running = try Showcaller.start(
      ["run", "--runs", "runs", "--host", "127.0.0.1:\(server.port)", "long.yaml"], in: folder.url)
    for await _ in connections { break }
    running.signal(SIGINT)
    let finished = try await running.finish()
    #expect(finished.exitCode == 130, "\(finished.errors)")
    #expect(!finished.errors.contains("R711") && !finished.errors.contains("cancelled"), "\(finished.errors)")
  }
}
