import CastProtocol
import Foundation
import Testing

/// `--wait-lock` waits for every device that a command has to do with.
@Suite struct DeviceLockWaitTests {
  /// A run that keeps a device until it is interrupted.
  private static func hold(_ address: String, _ folder: TemporaryFolder) async throws -> Running {
    let document = try folder.write(
      "hold.yaml",
      "scenario: Hold\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - launch: default\n  - log: made it\n  - wait: 50s\n"
    )
    let running = try start(["run", document, "--runs", folder.path("runs"), "--host", address], folder)
    try await running.waitFor("made it")
    return running
  }

  private static func start(_ arguments: [String], _ folder: TemporaryFolder) throws -> Running {
    let running = try Showcaller.start(arguments, environment: ["XDG_STATE_HOME": folder.path("state")])
    running.closeInput()
    return running
  }

  @Test("A transfer waits for the device it goes to, and has neither meanwhile")
  func transfer() async throws {
    let (folder, lab) = (try TemporaryFolder(), try await GroupLab("--latency", "none"))
    let loaded = try await Self.start(["load", OneLineLab.film, "--duration", "10m", "--host", lab.kitchen], folder)
      .finish()
    #expect(loaded.exitCode == 0, "\(loaded.errors)")
    let holder = try await Self.hold(lab.bath, folder)
    let words = ["transfer", "--host", lab.kitchen, "--to-host", lab.bath]
    let busy = try await Self.start(words, folder).finish()
    #expect(busy.exitCode == 75 && busy.errors.contains("with `--wait-lock 1m`"), "\(busy.errors)")
    let waiting = try Self.start(words + ["--wait-lock", "1m"], folder)
    try await waiting.waitFor("waiting for ")
    #expect(try await Self.start(["volume", "40%", "--host", lab.kitchen], folder).finish().exitCode == 0)
    holder.signal(SIGINT)
    let finished = try await waiting.finish()
    #expect(finished.exitCode == 0 && finished.errors.contains("waiting for \(lab.bath)"), "\(finished.errors)")
    _ = try await holder.finish()
    try await lab.end()
  }

  @Test("A member of a group is waited for")
  func member() async throws {
    let (folder, lab) = (try TemporaryFolder(), try await GroupLab("--latency", "none"))
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/hosts", "\(lab.kitchen) Kitchen\n\(lab.bath) Bath\n")
    let holder = try await Self.hold(lab.bath, folder)
    let waiting = try Showcaller.start(
      ["volume", "30%", "--host", lab.group, "--member", "Bath", "--wait-lock", "1m"],
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CONFIG_HOME": folder.url.path])
    waiting.closeInput()
    try await waiting.waitFor("waiting for Bath")
    holder.signal(SIGINT)
    let finished = try await waiting.finish()
    #expect(finished.exitCode == 0 && finished.output.contains("volume 30%"), "\(finished.errors)")
    _ = try await holder.finish()
    try await lab.end()
  }
}
