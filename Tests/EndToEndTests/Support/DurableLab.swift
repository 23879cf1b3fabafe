import CastProtocol
import Foundation
import Testing

/// A virtual receiver in a process of its own, which outlives the runs that are killed, and documents for it.
final class DurableLab: Sendable {
  let folder: TemporaryFolder
  let receiver: Running
  let address: String

  init(latency: String = "none") async throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/config.yaml", "auth: none\n")
    receiver = try Showcaller.start(
      ["receive", "--port", "0", "--name", "Lobby TV", "--wire", "--latency", latency], limit: 3600)
    receiver.closeInput()
    address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
  }

  /// A document with twenty items of its own.
  func items(_ name: String, count: Int = 20, more: String = "") throws -> String {
    let steps = (1...count).map {
      "  - load: https://cdn.example.com/\(name)-\($0).mp4\n  - expect: { player: playing }\n"
    }
    return try folder.write(
      "\(name).yaml", "scenario: \(name)\ndevice: TV\nsteps:\n\(steps.joined())\(more)")
  }

  /// Starts a run, or goes on with one.
  func start(_ arguments: [String], runs: String, limit: Double = 90) throws -> Running {
    let running = try Showcaller.start(
      ["run", "--runs", folder.path(runs)] + arguments,
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CONFIG_HOME": folder.url.path], limit: limit)
    running.closeInput()
    return running
  }

  func run(_ document: String, runs: String) async throws -> Finished {
    try await start(["--host", address, document], runs: runs).finish()
  }

  func resume(_ name: String? = nil, runs: String) async throws -> Finished {
    try await start(["--resume"] + (name.map { [$0] } ?? []), runs: runs).finish()
  }

  /// The journal of the newest run of a folder, as far as it is there.
  func journal(runs: String) -> String {
    let ids = (try? RunFolder.ids(in: folder.path(runs))) ?? []
    guard let id = ids.last, let data = FileManager.default.contents(atPath: folder.path("\(runs)/\(id)/journal.jsonl"))
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// How often each content and each play id came to the receiver.
  func loads(of name: String) -> (contents: [String: Int], plays: [String: Int]) {
    var contents: [String: Int] = [:]
    var plays: [String: Int] = [:]
    for line in receiver.output.split(separator: "\n")
    where line.contains("\"LOAD\"") && line.contains("\"received\"") && line.contains("/\(name)-") {
      guard let message = try? JSONValue(parsing: Array(line.utf8))["msg"] else { continue }
      contents[message["media"]?["contentId"]?.string ?? "", default: 0] += 1
      if let play = message["media"]?["customData"]?["showcaller"]?["play"]?.string { plays[play, default: 0] += 1 }
    }
    return (contents, plays)
  }

  /// How many connections the receiver has had.
  var connections: Int { receiver.output.split(separator: "\n").count { $0.contains("\"opened\"") } }

  /// The app that runs; empty: none.
  func app() async throws -> String {
    let status = try await Showcaller.start(
      ["status", "--json", "--host", address],
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CONFIG_HOME": folder.url.path]
    ).finish()
    let json = try JSONValue(parsing: Array(status.output.utf8))
    return json["status"]?["app"]?["id"]?.string ?? json["app"]?["id"]?.string ?? ""
  }

  func end() async throws {
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
