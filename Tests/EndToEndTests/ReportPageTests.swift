import Foundation
import Testing

/// The HTML report in the browser that people use; only where `make judges` has installed it.
@Suite struct ReportPageTests {
  static let steps = [
    "written by the run, and the same made again", "whole without a script", "the merged status at the pointer",
    "the same by keyboard, and zoom", "readable on a phone, on a desk, in light, dark and print",
    "ten minutes of statuses open at once", "no request, no error, no dialog",
  ]

  @Test(
    "In Chromium the HTML report of a failed run is whole, tells the status at a moment, and fetches nothing",
    .enabled(if: JudgeTests.folder != nil))
  func page() async throws {
    let python = try #require(PeerTests.python)
    let folder = try TemporaryFolder()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/report_session.py")
    let running = try Running(
      python, [script.path, Showcaller.binary.path, folder.url.path], in: Showcaller.root, limit: 180)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors.suffix(4_000))")
    #expect(finished.output.split(separator: "\n").map(String.init) == Self.steps)
  }
}
