import Foundation
import Testing

/// The control page in the browser that people use; only where `make judges` has installed it.
@Suite struct ControlPageTests {
  static let steps = [
    "now, since, next, device and picture of each screen", "hostile names are text",
    "skipped by mouse, with the token only, and seen without a reload",
    "an alarm fired and cleared by keyboard, and the focus seen on the way",
    "events leave focus, choice, scrolling and open parts alone", "played, paused, and what went wrong is told",
    "usable at 360 px and on a desk, in light and dark", "a serve that is gone is told", "no dialog opened",
  ]

  @Test(
    "In Chromium the page tells of screens and obeys mouse and keyboard, on a phone and in the dark, whatever they are called",
    .enabled(if: JudgeTests.folder != nil))
  func page() async throws {
    let python = try #require(PeerTests.python)
    let folder = try TemporaryFolder()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/control_session.py")
    let running = try Running(
      python, [script.path, Showcaller.binary.path, folder.url.path], in: Showcaller.root, limit: 180)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors.suffix(4_000))")
    #expect(finished.output.split(separator: "\n").map(String.init) == Self.steps)
  }
}
