import Foundation
import Testing

@Suite struct AdoptionTests {
  @Test("A run adopts the app that a crashed run before it started, and ends it; another's app it leaves alone")
  func adopts() async throws {
    let folder = try TemporaryFolder()
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 120)
    let port = try #require((try await receiver.firstLine()).split(separator: ":").last)
    let crashing = try folder.write(
      "crashing.yaml", "scenario: Crashing\ndevice: TV\nsteps:\n  - launch: default\n  - log: made it\n  - wait: 60s\n"
    )
    let next = try folder.write("next.yaml", "scenario: Next\ndevice: TV\nsteps:\n  - launch: default\n")
    func arguments(_ file: String) -> [String] {
      ["run", "--wire", "--host", "127.0.0.1:\(port)", "--runs", folder.path("runs"), file]
    }
    let state = ["XDG_STATE_HOME": folder.path("state")]

    let crashed = try Showcaller.start(arguments(crashing), environment: state)
    try await crashed.waitFor("made it")
    crashed.signal(SIGKILL)
    _ = try await crashed.finish()
    // Somebody who knows nothing of it joins and leaves it running.
    let stranger = try await Showcaller.start(
      arguments(next), environment: ["XDG_STATE_HOME": folder.path("elsewhere")]
    ).finish()
    #expect(stranger.exitCode == 0 && !stranger.errors.contains("\"STOP\""), "\(stranger.errors)")
    let adopting = try await Showcaller.start(arguments(next), environment: state).finish()
    #expect(adopting.exitCode == 0 && adopting.errors.contains("\"STOP\""), "\(adopting.errors)")
    #expect(!adopting.errors.contains("\"LAUNCH\""))
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
