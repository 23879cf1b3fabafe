import CastProtocol
import Foundation

/// `make fuzz`: broken input for everything that reads what strangers wrote (docs/security.md 4, rule S12).
///
/// Each family of readers works in a process of its own, so that one that traps or hangs is found and named; what it was
/// given last is kept in a file, with the command that gives it again.
@main enum Fuzzing {
  static func main() async {
    var words = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      defer { words.removeSubrange(index...index + 1) }
      return words[index + 1]
    }
    if words.first == "--repeat" {
      guard words.count == 3, let family = Family.named(words[1]) else { return usage() }
      await repeatInput(family, words[2])
    }
    let seed = option("--seed").map { UInt64($0) } ?? UInt64.random(in: 1...999_999_999)
    let seconds = option("--seconds").map { Double($0) } ?? 300
    let hang = option("--hang").map { Double($0) } ?? 20
    let memory = option("--memory").map { Int($0) } ?? 700
    let state = option("--worker")
    let folder = option("--folder") ?? ".build/fuzz"
    guard let seed, let seconds, seconds > 0, let hang, let memory else { return usage() }
    let families = words.compactMap(Family.named)
    guard families.count == words.count else { return usage() }
    if let state {
      guard let family = families.first else { return usage() }
      exit(await Worker.run(family, seed: seed, seconds: seconds, memory: memory, state: state))
    }
    let chosen = families.isEmpty ? Family.all : families
    let limits = Supervisor.Limits(hang: hang, memory: memory)
    exit(Supervisor(families: chosen, seed: seed, seconds: seconds, folder: folder, limits: limits).run())
  }

  private static func usage() {
    let names = Family.all.map(\.name).joined(separator: "|")
    print(
      "usage: Fuzzing [--seed N] [--seconds S] [--folder PATH] [--hang S] [--memory MIB] [\(names)]...\n       Fuzzing --repeat FAMILY FILE"
    )
    exit(2)
  }

  /// Gives one input to its family again, and says what came of it.
  private static func repeatInput(_ family: Family, _ path: String) async {
    guard let data = FileManager.default.contents(atPath: path) else {
      print("cannot read \(path)")
      exit(2)
    }
    do {
      try await family.makeReader().read(Array(data))
      print("\(family.name): \(data.count) bytes are read or refused as they should be")
      exit(0)
    } catch {
      print("\(family.name): \(error)")
      exit(1)
    }
  }
}

/// What a family of readers did wrong.
struct Violation: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Reads any bytes, and checks the laws that hold for all of them.
protocol Reader: AnyObject {
  func read(_ bytes: [UInt8]) async throws(Violation)
}

/// Readers of one kind of input, and what is changed to make input for them.
struct Family: Sendable {
  var name: String
  /// What its input is made of.
  var seeds: @Sendable () -> [[UInt8]]
  /// Words that mean something to it.
  var words: [String]
  var makeReader: @Sendable () -> any Reader

  static let all: [Family] = [
    .frames, .json, .protobuf, .documents, .certificates, .control, .presses, .screen, .messages, .results,
    .recordings, .broker,
  ]
  /// Those that do wrong on purpose: whether that is found is tested.
  private static let wrong: [Family] = [.traps, .hangs, .grows, .lies]

  static func named(_ name: String) -> Family? { (all + wrong).first { $0.name == name } }
}
