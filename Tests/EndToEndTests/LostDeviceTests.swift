import Foundation
import Testing

/// Devices that vanish without a FIN: another process that stops in its tracks, as one without power does.
@Suite struct LostDeviceTests {
  @Test("A device that stops in the middle of a step ends the run as connection_lost after ten seconds of silence: 5")
  func stopped() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 120)
    let port = try #require(Int((try await receiver.firstLine()).split(separator: ":").last ?? ""))
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "gone.yaml",
      """
      scenario: Gone
      device: TV
      steps:
        - load: { media: { url: "https://cdn.example.com/a.mp4", duration: 10m } }
        - expect: { player: paused }
          within: 100s

      """)
    let run = try Showcaller.start(
      ["run", "--host", "127.0.0.1:\(port)", "--runs", folder.path("runs"), file], limit: 100)
    run.closeInput()
    try await run.waitFor("passed load")
    receiver.signal(SIGSTOP)
    let finished = try await run.finish()
    receiver.signal(SIGCONT)
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(finished.errors.contains("nothing came from the device for 10 s"), "\(finished.errors)")
    let events = try EventStream.read(
      folder.path("runs") + "/" + (try #require(Self.run(in: folder))) + "/events.jsonl")
    try EventStream.check(events, exitCode: 5)
  }

  /// The one run in `folder`.
  private static func run(in folder: TemporaryFolder) -> String? {
    (try? RunFolder.ids(in: folder.path("runs")))?.first
  }
}
