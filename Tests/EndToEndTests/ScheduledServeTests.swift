import CastProtocol
import Foundation
import TestSupport
import Testing

/// Scenarios that `showcaller serve` runs by their schedules.
@Suite struct ScheduledServeTests {
  private static func scenario(_ schedule: String, steps: String = "[{ log: hi }]", device: String = "Lab TV") -> String
  {
    "scenario: Nightly check\nid: nightly\ndevice: \(device)\nschedule: [\(schedule)]\nsteps: \(steps)\n"
  }

  private static func serve(_ folder: TemporaryFolder, _ arguments: String..., limit: Double = 90) throws -> Running {
    try Showcaller.start(
      ["serve"] + arguments, environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url, limit: limit)
  }

  /// The objects that were printed, of one event.
  private static func objects(_ output: String, _ event: String) throws -> [JSONValue] {
    try output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      .filter { $0["event"]?.string == event }
  }

  @Test("A scenario alone is run at its times, with a line at begin and end and a folder of its own")
  func alone() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("check.yaml", Self.scenario("{ at: [\"04:30\", \"04:40\"], timezone: Europe/Paris }"))
    let serving = try Self.serve(
      folder, "check.yaml", "--virtual", "--from", "2026-11-23 04:29", "--speed", "100x", "--for", "13m")
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let lines = finished.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(finished.output)\(finished.errors)")
    #expect(
      lines[0].contains("2026-11-23 04:30:0")
        && lines[0].contains("  nightly  begins the run of 04:30: .showcaller/runs/"))
    #expect(lines[1].contains("  nightly  PASSED nightly [Lab TV] 1 passed in ") && lines[1].contains("exit 0"))
    #expect(lines[2].contains("begins the run of 04:40"))
    let runs = try RunFolder.ids(in: folder.path(".showcaller/runs"))
    #expect(runs.count == 2 && lines[0].hasSuffix(runs[0]) && lines[1].hasSuffix(runs[0]))
    let events = try String(contentsOfFile: folder.path(".showcaller/runs/\(runs[0])/events.jsonl"), encoding: .utf8)
    #expect(events.contains("\"type\":\"run.finished\"") && !finished.errors.contains("error"))
    // Nothing of it outlives virtual devices.
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/showcaller/schedules")))
  }

  @Test("A time that comes while a run goes on is passed over, and that is told; what fails is told with its reason")
  func overlap() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "check.yaml", Self.scenario("{ every: 1m }", steps: "[{ wait: 80s }, { expect: { app: none }, within: 1s }]"))
    let serving = try Self.serve(
      folder, "check.yaml", "--virtual", "--from", "2026-11-23 12:00:30", "--speed", "60x", "--for", "3m", "--json")
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let begun = try Self.objects(finished.output, "run_begun").compactMap { $0["scheduled"]?.string }
    #expect(begun == ["2026-11-23T12:01:00", "2026-11-23T12:03:00"].map { $0 + "+00:00" }, "\(finished.output)")
    let skipped = try #require(try Self.objects(finished.output, "skipped").first)
    #expect(skipped["scheduled"] == "2026-11-23T12:02:00+00:00" && skipped["by"] == "2026-11-23T12:01:00+00:00")
    let ended = try Self.objects(finished.output, "run_ended")
    #expect(ended.first?["exit"] == 0 && ended.first?["result"] == "passed", "\(finished.output)")
    // The second is stopped with the rest.
    #expect(ended.last?["exit"] == 143 && ended.count == 2)
  }

  @Test("SIGTERM stops a run under way as it stops `run`: its `finally` runs, then serving ends with 0")
  func terminated() async throws {
    let folder = try TemporaryFolder()
    let steps = "[{ wait: 1h }]\nfinally: [{ log: cleaned up }]\ntimeout: 2h"
    _ = try folder.write("check.yaml", Self.scenario("{ every: 1m }", steps: steps))
    let serving = try Self.serve(
      folder, "check.yaml", "--virtual", "--from", "2026-11-23 12:00:58", "--speed", "1x")
    try await serving.waitFor("begins the run of 12:01")
    try await Self.waitFor("step.started", below: folder)
    serving.signal(SIGTERM)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0 && finished.output.contains("exit 143"), "\(finished.output)\(finished.errors)")
    let run = try #require(
      try RunFolder.ids(in: folder.path(".showcaller/runs")).first)
    let events = try String(contentsOfFile: folder.path(".showcaller/runs/\(run)/events.jsonl"), encoding: .utf8)
    #expect(events.contains("cleaned up") && events.contains("\"type\":\"run.finished\""))
  }

  /// Waits until an event of a type stands in the folder of a run.
  private static func waitFor(_ type: String, below folder: TemporaryFolder) async throws {
    let runs = folder.path(".showcaller/runs")
    for _ in 0..<200 {
      for run in (try? RunFolder.ids(in: runs)) ?? [] {
        let events = try? String(contentsOfFile: "\(runs)/\(run)/events.jsonl", encoding: .utf8)
        if events?.contains("\"type\":\"\(type)\"") == true { return }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("no \(type)")
  }

  @Test("An edit counts from the next run on, one with a mistake changes nothing and is told")
  func edited() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("check.yaml", Self.scenario("{ every: 1m }"))
    let serving = try Self.serve(folder, "check.yaml", "--virtual", "--speed", "30x", "--from", "2026-11-23 12:00")
    try await serving.waitFor("PASSED")
    _ = try folder.write("check.yaml", Self.scenario("{ every: 1 }"))
    try await serving.waitFor("the scenario runs on as it was")
    _ = try folder.write(
      "check.yaml", Self.scenario("{ every: 1m }", steps: "[{ expect: { app: { id: ABCD } }, within: 1s }]"))
    try await serving.waitFor("goes by the edited scenario")
    try await serving.waitFor("FAILED nightly")
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
  }

  @Test("What was missed while nobody served is made up for once, as the scenario says")
  func missed() async throws {
    let folder = try TemporaryFolder()
    // Two hours ago: what is due within the last minute begins on time, so a full hour would be near at times.
    let due = String(Date(timeIntervalSinceNow: -2 * 3_600).ISO8601Format().dropFirst(11).prefix(5))
    let schedule = "{ at: \"\(due)\", timezone: UTC, missed: run_once, within: 24h }"
    let file = try folder.write("check.yaml", Self.scenario(schedule))
    let port = try #require(Int((try await Self.receiver()).1))
    func serve() throws -> Running { try Self.serve(folder, file, "--host", "127.0.0.1:\(port)") }
    let first = try serve()
    let stored = folder.path("state/showcaller/schedules")
    try await Self.waitForFile(below: stored)
    first.signal(SIGTERM)
    #expect(try await first.finish().exitCode == 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: stored).first)
    let json = try String(contentsOfFile: "\(stored)/\(name)", encoding: .utf8)
    let old = try #require(try JSONValue(parsing: json)["schedules"]?.array?.first?["until"]?.int)
    try json.replacingOccurrences(of: "\(old)", with: "\(old - 3 * 3_600)")
      .write(toFile: "\(stored)/\(name)", atomically: true, encoding: .utf8)
    let second = try serve()
    try await second.waitFor(", late: ")
    try await second.waitFor("PASSED")
    second.signal(SIGTERM)
    #expect(try await second.finish().exitCode == 0)
    // What it knows is stored again when it begins to look.
    let before = try Self.modified("\(stored)/\(name)")
    let third = try serve()
    for _ in 0..<200 where try Self.modified("\(stored)/\(name)") == before {
      try await Task.sleep(for: .milliseconds(50))
    }
    third.signal(SIGTERM)
    let finished = try await third.finish()
    #expect(finished.exitCode == 0 && !finished.output.contains("late"), "\(finished.output)")
  }

  private static func modified(_ path: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  private static func receiver() async throws -> (Running, String) {
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 300)
    return (receiver, String(try await receiver.firstLine().split(separator: ":").last ?? ""))
  }

  private static func waitForFile(below folder: String) async throws {
    for _ in 0..<200 {
      if (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == false { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("nothing in \(folder)")
  }

  @Test("A scenario without a schedule is refused by name, and passed over in a folder with a note")
  func unscheduled() async throws {
    let named = try await Showcaller.run("serve", "examples/hello.yaml", "--virtual")
    #expect(named.exitCode == 2 && named.errors.contains("is a scenario without a `schedule`"), "\(named.errors)")
    #expect(named.errors.contains("showcaller run examples/hello.yaml"))
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: true)
    _ = try folder.write("d/plain.yaml", "scenario: Plain\ndevice: TV\nsteps: [{ log: hi }]\n")
    _ = try folder.write("d/check.yaml", Self.scenario("{ every: 1h }"))
    let serving = try Self.serve(folder, "d", "--virtual", "--for", "1s")
    let finished = try await serving.finish()
    #expect(
      finished.exitCode == 0 && finished.errors.contains("plain.yaml is a scenario without"), "\(finished.errors)")
  }
}
