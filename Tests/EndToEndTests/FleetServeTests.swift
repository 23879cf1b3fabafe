import Foundation
import Testing

/// `serve --broker` before it meets a broker.
@Suite struct FleetServeTests {
  /// Words of a command line, and what is said of them.
  static let mistakes: [(words: [String], says: String)] = [
    (["--operator-key", "k.pem"], "missing expected argument '<files> ...'"),
    (["x.yaml", "--operator-key", "k.pem"], "--operator-key needs a broker: add --broker mqtts://host"),
    (["x.yaml", "--home-assistant"], "--home-assistant needs a broker: add --broker mqtts://host"),
    (["x.yaml", "--broker-ca", "ca.pem"], "--broker-ca needs a broker: add --broker mqtts://host"),
    (["--broker", "mqtt://broker"], "a broker is reached with TLS only: write `mqtts://host`"),
    (["--broker", "mqtts://broker", "--site", "a/b"], "--site takes letters, digits, `-`, `_` and `.`"),
    (["--site", "a"], "no broker is named"),
    (["--broker", "mqtts://broker", "--site", "a", "--operator-key", "no.pem"], "cannot read no.pem"),
  ]

  @Test("What is wrong with a site's command line is told with its cure", arguments: mistakes)
  func commandLine(words: [String], says: String) async throws {
    let folder = try TemporaryFolder()
    let serving = try Showcaller.start(
      ["serve"] + words, environment: ["XDG_STATE_HOME": folder.path("state"), "SHOWCALLER_BROKER": ""],
      in: folder.url)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(says), "\(finished.errors)")
  }
}
