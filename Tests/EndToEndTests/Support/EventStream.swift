import CastProtocol
import Foundation
import Testing

/// What a run's `events.jsonl` must be (docs/runs.md "Events").
enum EventStream {
  static func read(_ path: String) throws -> [JSONValue] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return try lines.map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Numbers without gaps, time that never runs back, `run.started` first and `run.finished` last with the exit code.
  static func check(_ events: [JSONValue], exitCode: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(events.map { $0["n"]?.int } == (1...max(1, events.count)).map { $0 }, sourceLocation: sourceLocation)
    #expect(events.allSatisfy { $0["v"] == 1 }, sourceLocation: sourceLocation)
    let elapsed = events.compactMap { $0["e"]?.number }
    #expect(
      elapsed.count == events.count && zip(elapsed, elapsed.dropFirst()).allSatisfy { $0 <= $1 },
      sourceLocation: sourceLocation)
    #expect(events.first?["type"] == "run.started", sourceLocation: sourceLocation)
    let last = try #require(events.last, sourceLocation: sourceLocation)
    #expect(last["type"] == "run.finished", sourceLocation: sourceLocation)
    #expect(last["exit"]?.int == exitCode, sourceLocation: sourceLocation)
    #expect(last["events"]?.int == events.count, sourceLocation: sourceLocation)
  }
}

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "showcaller-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }
}
