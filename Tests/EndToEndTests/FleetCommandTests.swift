import Foundation
import Testing

/// `showcaller fleet` where no broker is needed: keys, and what is told before anything is sent.
@Suite struct FleetCommandTests {
  @Test("The operator's key is made once, readable by its owner only, and its public half is printed each time")
  func key() async throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_STATE_HOME": folder.url.path]
    func printed(_ arguments: String...) async throws -> Finished {
      let running = try Showcaller.start(["fleet", "key"] + arguments, environment: environment)
      running.closeInput()
      return try await running.finish()
    }
    let first = try await printed()
    #expect(first.exitCode == 0 && first.output.hasPrefix("-----BEGIN PUBLIC KEY-----\n"), "\(first)")
    #expect(try await printed().output == first.output)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("showcaller/operator-key.pem"))
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let other = try await printed("--key", folder.path("other.pem"))
    #expect(other.exitCode == 0 && other.output != first.output)
    _ = try folder.write("wrong.pem", "no key")
    let wrong = try await printed("--key", folder.path("wrong.pem"))
    #expect(wrong.exitCode == 2 && wrong.errors.contains("wrong.pem"), "\(wrong)")
  }

  static let wrong: [(arguments: [String], exit: Int32, message: String)] = [
    (["sites"], 2, "no broker is named"),
    (["site"], 2, "did you mean `showcaller fleet sites`?"),
    (["sites", "a/b"], 2, "a/b"),
    (["order", "skip", "x", "--to", "*"], 2, "takes no name"),
    (["order", "play", "--to", "*"], 2, "names an item"),
    (["order", "skip", "--to", "*"], 2, "there is no operator's key"),
    (["rollback", "cafe", "--to", "*", "--at-once", "--canary", "2"], 2, "--at-once has no canary"),
    (["rollback", "cafe", "--to", "*", "--wave", "0%"], 2, "--wave is a number of sites"),
    (["push", "cafe.yaml", "--to", "*"], 3, "error["),
  ]

  @Test("What cannot be is told before a broker is asked", arguments: wrong)
  func mistakes(arguments: [String], exit: Int32, message: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("cafe.yaml", "playlist: Café\nscreens: { Bar: { device: TV } }\nnothing: 1\n")
    let running = try Showcaller.start(
      ["fleet"] + arguments, environment: ["XDG_STATE_HOME": folder.url.path, "SHOWCALLER_BROKER": ""], in: folder.url)
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == exit && finished.errors.contains(message), "\(finished)")
  }
}
