import Foundation
import Testing

/// A group of two virtual receivers, each at an address of its own.
struct GroupLab {
  let receiver: Running
  let kitchen: String
  let bath: String
  let group: String

  init(_ more: String...) async throws {
    receiver = try Showcaller.start(
      ["receive", "--port", "0", "--name", "Kitchen", "--name", "Bath", "--group", "Upstairs"] + more, limit: 120)
    try await receiver.waitFor("Upstairs ")
    let lines = receiver.output.split(separator: "\n").map { $0.split(separator: " ") }
    func address(_ name: String) throws -> String {
      String(try #require(lines.first { $0.first == Substring(name) }?.last))
    }
    kitchen = try address("Kitchen")
    bath = try address("Bath")
    group = try address("Upstairs")
  }

  func end() async throws {
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
