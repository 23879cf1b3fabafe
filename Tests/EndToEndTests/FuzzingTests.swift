import Foundation
import Testing

@Suite("Fuzzing finds what readers do wrong, keeps the input, and names the command that gives it again")
struct FuzzingTests {
  private static let binary = Showcaller.binary.deletingLastPathComponent().appending(path: "Fuzzing")

  private static func run(_ words: [String], in folder: TemporaryFolder) async throws -> Finished {
    try await Running(binary, words, in: folder.url).finish()
  }

  @Test(
    "A trap, a hang, too much memory and a broken law are found",
    arguments: [
      ("wrong-traps", "TRAPPED by signal"), ("wrong-hangs", "HANGS"), ("wrong-grows", "the process holds"),
      ("wrong-lies", "the law that is broken on purpose"),
    ])
  func found(family: String, says: String) async throws {
    let folder = try TemporaryFolder()
    let words = [
      "--seed", "7", "--seconds", "30", "--hang", family == "wrong-hangs" ? "3" : "20", "--memory", "300", "--folder",
      folder.path("found"),
    ]
    let fuzzed = try await Self.run(words + [family], in: folder)
    #expect(fuzzed.exitCode == 1 && fuzzed.output.contains(says), "\(fuzzed.output)\(fuzzed.errors)")
    #expect(fuzzed.output.contains("1 found (seed 7)"))
    let line = try #require(fuzzed.output.split(separator: "\n").first { $0.contains("; again: ") })
    let command = line.split(separator: " ").drop { $0 != "--repeat" }.map(String.init)
    #expect(command.count == 3 && FileManager.default.fileExists(atPath: command[2]), "\(line)")
    // What needs many inputs is not there after one.
    guard family != "wrong-grows", family != "wrong-hangs" else { return }
    let again = try await Self.run(command, in: folder)
    #expect(again.exitCode != 0, "\(again.output)")
  }

  @Test("The same seed makes the same input, another seed another one")
  func seeds() async throws {
    let folder = try TemporaryFolder()
    var inputs: [Data?] = []
    for (index, seed) in ["7", "7", "8"].enumerated() {
      let found = folder.path("\(index)")
      _ = try await Self.run(["--seed", seed, "--seconds", "30", "--folder", found, "wrong-lies"], in: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: found)
      let name = try #require(names.first { $0.hasPrefix("wrong-lies-") })
      inputs.append(FileManager.default.contents(atPath: "\(found)/\(name)"))
    }
    #expect(inputs[0] != nil && inputs[0] == inputs[1] && inputs[0] != inputs[2])
  }

  @Test("A second of each family finds nothing, from the project's folder, and counts what it read")
  func briefly() async throws {
    let folder = try TemporaryFolder()
    let fuzzed = try await Running(
      Self.binary, ["--seed", "1", "--seconds", "7", "--folder", folder.path("found")], in: Showcaller.root
    ).finish()
    #expect(fuzzed.exitCode == 0, "\(fuzzed.output)\(fuzzed.errors)")
    for family in ["frames", "json", "protobuf", "documents", "certificates", "control", "presses", "messages"] {
      #expect(fuzzed.output.contains("  \(family) "), "\(fuzzed.output)")
    }
  }
}
