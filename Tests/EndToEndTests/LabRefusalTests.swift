import Foundation
import Testing

/// What `run --queue` refuses before it asks anybody (docs/fleet.md "Labs").
@Suite struct LabRefusalTests {
  private static let document = "scenario: S\ndevice: Lobby\nsteps: [{ log: hi }]\n"

  private func send(_ text: String, _ more: String..., named name: String = "s.yaml") async throws -> Finished {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, text)
    let words = ["run", path, "--queue", "lab", "--broker", "mqtts://localhost:1", "--runs", folder.path("runs")]
    let started = try Showcaller.start(words + more)
    started.closeInput()
    return try await started.finish()
  }

  @Test(
    "Options that mean nothing at another computer are refused, with what to use instead",
    arguments: [
      (["--host", "192.0.2.1"], "--host is not for --queue"), (["--jobs", "2"], "--jobs is not for --queue"),
      (["--wire"], "--wire is not for --queue"), (["--secret", "a=@b"], "--secret is not for --queue"),
      (["--retries", "21"], "--retries is from 0 to 20"), (["--wait-agent", "0"], "--wait-agent is above 0"),
      (["--kind", ""], "--kind is empty"),
    ])
  func options(_ words: [String], _ message: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.yaml", Self.document)
    let finished = try await Showcaller.start(["run", path, "--queue", "lab"] + words).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(message), "\(finished.errors)")
  }

  @Test("Options of a lab without a queue are refused")
  func noQueue() async throws {
    let finished = try await Showcaller.run("run", "x.yaml", "--kind", "any")
    #expect(finished.exitCode == 2 && finished.errors.contains("add --queue NAME"), "\(finished.errors)")
  }

  @Test("A document that agents cannot run is refused, with the reason")
  func documents() async throws {
    let several = "scenario: S\nroles: { left: { name: A }, right: { name: B } }\nsteps: [{ role: left, log: hi }]\n"
    let roles = try await send(several)
    #expect(roles.exitCode == 3 && roles.errors.contains("several devices"), "\(roles.errors)")
    let fixed = try await send("scenario: S\ndevice: { host: 192.0.2.1 }\nsteps: [{ log: hi }]\n")
    #expect(fixed.exitCode == 3 && fixed.errors.contains("`--kind MODEL`"), "\(fixed.errors)")
  }

  @Test("Without a key, or with a file that is none, nothing is sent")
  func keys() async throws {
    let none = try await send(Self.document, "--sign-key", "/nonexistent")
    #expect(none.exitCode == 2 && none.errors.contains("cannot read the key"), "\(none.errors)")
    let other = try await send(Self.document, "--sign-key", "/dev/null")
    #expect(other.exitCode == 2, "\(other.errors)")
  }

  @Test("An agent needs to be told whose jobs it runs, and has each device once")
  func agents() async throws {
    let keyless = try await Showcaller.run("fleet", "work", "--queue", "lab", "--virtual", "1")
    #expect(keyless.exitCode == 2 && keyless.errors.contains("--operator-key is missing"), "\(keyless.errors)")
    let twice = try await Showcaller.run(
      "fleet", "work", "--queue", "lab", "--operator-key", "k", "-d", "TV", "-d", "TV")
    #expect(twice.exitCode == 2 && twice.errors.contains("named twice"), "\(twice.errors)")
    let topic = try await Showcaller.run("fleet", "work", "--queue", "a/b", "--operator-key", "k")
    #expect(topic.exitCode == 2 && topic.errors.contains("no name of a queue"), "\(topic.errors)")
  }
}
