import CastProtocol
import Foundation
import Testing

/// Faults over real sockets and TLS: `run --virtual --faults` and `receive LAB.yaml`.
@Suite struct FaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var fault: String
    var exit: Int32
    var tells: String?
    var options: [String] = []

    var testDescription: String { fault }
  }

  static let cases = [
    Case(fault: "{ at: playing, times: 1, after: 1s, drop: connection, for: 2s }", exit: 0, tells: "device.lost"),
    Case(fault: "{ at: playing, times: 1, after: 1s, close: connection }", exit: 0, tells: "device.lost"),
    Case(fault: "{ at: playing, times: 1, after: 1s, restart: same, for: 1s }", exit: 5, tells: "app_gone"),
    Case(fault: "{ at: playing, times: 1, after: 1s, restart: port }", exit: 5, tells: "app_gone"),
    Case(fault: "{ at: playing, times: 1, after: 1s, restart: certificate }", exit: 5, tells: "app_gone"),
    // Another certificate of TLS is no other device: its own key has proved it.
    Case(
      fault: "{ at: playing, times: 1, after: 1s, restart: certificate, for: 1s }", exit: 5, tells: "app_gone",
      options: ["--auth", "pin"]),
    Case(fault: "{ at: playing, times: 1, frame: oversized }", exit: 5, tells: "a frame announces"),
    Case(fault: "{ slow_reads: 1000 }", exit: 0),
    Case(fault: "{ auth: wrong_signature }", exit: 4, tells: "\"auth\"", options: ["--auth", "require"]),
    Case(fault: "{ auth: wrong_nonce }", exit: 4, tells: "\"auth\"", options: ["--auth", "require"]),
    Case(fault: "{ auth: broken_certificate }", exit: 4, tells: "\"auth\"", options: ["--auth", "require"]),
    Case(fault: "{ auth: error }", exit: 4, tells: "\"auth\"", options: ["--auth", "require"]),
    Case(fault: "{ auth: no_answer }", exit: 4, tells: "\"auth\"", options: ["--auth", "require"]),
  ]

  static let scenario = """
    scenario: Fault
    device: Lab TV
    steps:
      - load: https://x.example.com/film.mp4
      - wait: 3s
      - seek: 30s
        retry: { attempts: 4, wait: 2s, before: reconnect }
      - expect: { player: playing }

    """

  @Test("A run against a virtual receiver that goes wrong over TLS ends with the right exit code", arguments: cases)
  func runs(test: Case) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("scenario.yaml", Self.scenario)
    _ = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - \(test.fault)\n")
    let started = try Showcaller.start(
      ["run", "--virtual", "--faults", folder.path("lab.yaml"), "--runs", folder.path("runs"), "--report", "json=-"]
        + test.options + [folder.path("scenario.yaml")])
    started.closeInput()
    let run = try await started.finish()
    #expect(run.exitCode == test.exit, "\(run.output)\(run.errors)")
    if let word = test.tells { #expect(run.output.contains(word), "\(run.output)") }
  }

  @Test("A receiver of a library has its name and model, knows how long its media last, and fails as it says")
  func receives() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "lab.yaml",
      """
      library: Lab
      receiver: { name: Lab TV, model: Lab Model }
      media: { film: { duration: 7m } }
      faults:
        - { at: load, every: 2, answer: load_failed, code: 311 }

      """)
    let receiver = try Showcaller.start(["receive", folder.path("lab.yaml"), "--port", "0"])
    let line = try await receiver.firstLine()
    #expect(line.hasPrefix("Lab TV "))
    let address = try #require(line.split(separator: " ").last.map(String.init))
    let first = try await Showcaller.run("load", "https://x.example.com/film.mp4", "--host", address)
    #expect(first.exitCode == 0, "\(first.errors)")
    let status = try await Showcaller.run("status", "--json", "--host", address)
    #expect(status.output.contains("420"), "\(status.output)")
    let second = try await Showcaller.run("load", "https://x.example.com/film.mp4", "--host", address)
    #expect(second.exitCode == 5 && second.errors.contains("311"), "\(second.errors)")
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }
}
