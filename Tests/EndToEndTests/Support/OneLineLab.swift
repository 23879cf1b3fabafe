import CastProtocol
import Foundation
import Testing

/// A virtual receiver of its own, and one-line commands for it.
struct OneLineLab {
  let receiver: Running
  let address: String

  static let film = "https://cdn.example.com/film.mp4"

  init(name: String = "Lobby TV", _ more: String...) async throws {
    receiver = try Showcaller.start(["receive", "--port", "0", "--name", name] + more, limit: 240)
    address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
  }

  func run(_ arguments: String...) async throws -> Finished { try await run(arguments) }

  func run(_ arguments: [String], input: String? = nil) async throws -> Finished {
    let started = try Showcaller.start(arguments + ["--host", address])
    if let input { started.send(input) }
    started.closeInput()
    return try await started.finish()
  }

  /// Runs with `--json`; the object it prints.
  func json(_ arguments: String...) async throws -> (JSONValue, Finished) {
    let finished = try await run(arguments + ["--json"])
    return (try JSONValue(parsing: Array(finished.output.utf8)), finished)
  }

  /// Waits, as long as a command may run, until the device plays.
  func waitUntilPlaying() async throws {
    let watch = try Showcaller.start(["watch", "--json", "--host", address])
    try await watch.waitFor("\"player\":\"playing\"")
    watch.signal(SIGINT)
    _ = try await watch.finish()
  }

  func end() async throws {
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
