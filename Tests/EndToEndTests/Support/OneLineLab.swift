import CastProtocol
import Foundation
import Testing

/// A virtual receiver of its own, and one-line commands for it.
struct OneLineLab {
  let receiver: Running
  let address: String
  /// Settings that ask for no proof: the receiver's is by a chain of its own, of which each command would warn.
  private let settings: TemporaryFolder

  static let film = "https://cdn.example.com/film.mp4"

  init(name: String = "Lobby TV", _ more: String...) async throws {
    settings = try TemporaryFolder()
    let folder = settings.url.appending(path: "showcaller")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try settings.write("showcaller/config.yaml", "auth: none\n")
    receiver = try Showcaller.start(["receive", "--port", "0", "--name", name] + more, limit: 240)
    address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
  }

  func run(_ arguments: String...) async throws -> Finished { try await run(arguments) }

  func run(_ arguments: [String], input: String? = nil) async throws -> Finished {
    let started = try Showcaller.start(
      arguments + ["--host", address], environment: ["XDG_CONFIG_HOME": settings.url.path])
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
