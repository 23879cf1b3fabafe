import CastProtocol
import CastTransport
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

  private static func run(_ arguments: [String]) async throws -> Finished {
    let started = try Showcaller.start(arguments)
    started.closeInput()
    return try await started.finish()
  }

  @Test("What went wrong is in the events of a run, on its console, and in what a simulation prints; faults add up")
  func tells() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "s.yaml",
      "scenario: S\ndevice: TV\nsteps:\n  - load: https://x.example.com/film.mp4\n  - expect: { player: playing }\n")
    let first = try folder.write("a.yaml", "library: A\nfaults:\n  - { at: media_status, duplicate: true }\n")
    let second = try folder.write("b.yaml", "library: B\nfaults:\n  - { at: load, answer: load_failed, code: 311 }\n")
    let options = ["--faults", first, "--faults", second]
    let run = try await Self.run(
      ["run", "--virtual"] + options + [
        "--runs", folder.path("runs"), "--report", "json=\(folder.path("e.jsonl"))", "--report",
        "junit=\(folder.path("junit.xml"))", file,
      ])
    #expect(run.exitCode == 5)
    let junit = try String(contentsOfFile: folder.path("junit.xml"), encoding: .utf8)
    #expect(junit.contains("\nfault     \(second):3: { at: load, answer: load_failed, code: 311 } at +"), "\(junit)")
    let quiet = try await Self.run(["run", "-q", "--virtual"] + options + ["--runs", folder.path("runs"), file])
    #expect(quiet.errors.contains("\n   fault     \(second):3: { at: load"), "\(quiet.errors)")
    let events = try String(contentsOfFile: folder.path("e.jsonl"), encoding: .utf8)
    let told =
      #""type":"fault","receiver":"TV","number":1,"fault":"{ at: load, answer: load_failed, code: 311 }","count":1,"file":"\#(second)","line":3,"#
    #expect(events.contains(told), "\(events)")
    #expect((run.output + run.errors).contains("fault  \(second):3: { at: load"), "\(run.output)\(run.errors)")
    let started = events.split(separator: "\n").first { $0.contains(#""type":"run.started""#) }
    #expect(started?.contains("a.yaml") == true && started?.contains("b.yaml") == true, "\(started ?? "")")
    let runs = folder.url.appending(path: "runs")
    let id = try #require(try FileManager.default.contentsOfDirectory(atPath: runs.path).first { $0.count == 26 })
    let kept = try FileManager.default.contentsOfDirectory(atPath: runs.appending(path: "\(id)/sources").path)
    #expect(kept.contains { $0.hasSuffix("a.yaml") } && kept.contains { $0.hasSuffix("b.yaml") }, "\(kept)")
    let simulated = try await Self.run(["simulate"] + options + [file])
    #expect(simulated.exitCode == 5 && !simulated.output.contains("cannot pass"), "\(simulated.output)")
    #expect(simulated.output.contains("fails, first at s1, with seed 0, and these faults had come:\n"))
  }

  @Test("A first connection that breaks off is made again, in a simulation as in a run")
  func first() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "s.yaml",
      "scenario: S\ndevice: TV\nsteps:\n  - load: https://x.example.com/film.mp4\n  - expect: { player: playing }\n")
    let lab = try folder.write("lab.yaml", "library: L\nfaults:\n  - { drop: connection }\n")
    let run = try await Self.run(
      ["run", "--virtual", "--faults", lab, "--runs", folder.path("runs"), file])
    let simulated = try await Self.run(["simulate", "--faults", lab, file])
    #expect(run.exitCode == 0 && simulated.exitCode == 0, "\(run.errors)\(simulated.output)")
  }

  @Test("The screens of a playlist go wrong, too: served on virtual receivers, and in a simulation with receivers")
  func playlists() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "p.yaml",
      "playlist: P\ntimezone: UTC\ndevice: TV\nmedia: { a: { url: https://x.example.com/a.jpg } }\nprogram:\n  - { during: any_time, play: [a] }\n"
    )
    let lab = try folder.write("lab.yaml", "library: L\nfaults:\n  - { at: load, answer: load_failed, code: 311 }\n")
    let simulated = try await Showcaller.run(
      "simulate", "--receivers", "--for", "1m", "--from", "2026-11-23", "--faults", lab, file)
    let sound = try await Showcaller.run("simulate", "--receivers", "--for", "1m", "--from", "2026-11-23", file)
    #expect(simulated.exitCode == 0 && simulated.output != sound.output, "\(simulated.output)\(simulated.errors)")
    let forecast = try await Showcaller.run("simulate", "--faults", lab, file)
    #expect(forecast.exitCode != 0 && forecast.errors.contains("--receivers"), "\(forecast.errors)")
    let served = try await Showcaller.run(
      "serve", "--virtual", "--for", "20s", "--speed", "10x", "--faults", lab, file)
    #expect((served.output + served.errors).contains("311"), "\(served.output)\(served.errors)")
    #expect(served.output.contains("  TV  fault \(lab):3: { at: load, answer: load_failed, code: 311 }\n"))
    let json = try await Showcaller.run(
      "serve", "--virtual", "--json", "--for", "20s", "--speed", "10x", "--faults", lab, file)
    #expect(json.output.contains(#""event":"fault","receiver":"TV","number":1,"#), "\(json.output)")
    let real = try await Showcaller.run("serve", "--faults", lab, file)
    #expect(real.exitCode != 0 && real.errors.contains("--virtual"), "\(real.exitCode) \(real.errors)")
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
    let ended = try await receiver.finish()
    #expect(ended.exitCode == 0)
    let told = "Lab TV: fault \(folder.path("lab.yaml")):5: { at: load, answer: load_failed, code: 311, every: 2 }\n"
    #expect(ended.errors.contains(told), "\(ended.errors)")
  }

  @Test("A scenario that serve runs by its schedule tells the fault that made it fail, and keeps it in its events")
  func scheduled() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "s.yaml",
      "scenario: S\ndevice: TV\nschedule: [{ at: \"04:30\", timezone: UTC }]\nsteps: [{ load: https://x.example.com/a.mp4 }]\n"
    )
    let lab = try folder.write("lab.yaml", "library: L\nfaults:\n  - { at: load, answer: load_failed, code: 311 }\n")
    let served = try await Showcaller.start(
      [
        "serve", "--virtual", "--from", "2026-11-23 04:29", "--speed", "60x", "--for", "3m", "--faults", lab, "--runs",
        folder.path("runs"), file,
      ], in: folder.url
    ).finish()
    #expect(
      served.output.contains("; fault \(lab):3: { at: load, answer: load_failed, code: 311 } at +"), "\(served.output)")
    let runs = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs")).filter { $0.count == 26 }
    let events = try String(
      contentsOfFile: folder.path("runs/\(try #require(runs.first))/events.jsonl"), encoding: .utf8)
    #expect(events.contains(#""type":"fault""#))
  }

  @Test("A receiver whose port somebody takes while it starts again stays away, and says so")
  func staysAway() async throws {
    let folder = try TemporaryFolder()
    let lab = try folder.write(
      "lab.yaml",
      "library: L\nreceiver: { name: Lab TV }\nfaults:\n  - { at: pause, restart: certificate, for: 2s, times: 1 }\n")
    let receiver = try Showcaller.start(["receive", lab, "--port", "0"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    #expect(try await Showcaller.run("load", "https://x.example.com/a.mp4", "--host", address).exitCode == 0)
    let paused = try Showcaller.start(["pause", "--host", address])
    try await receiver.waitFor("fault ")
    var taken: TLSServer?
    let end = ContinuousClock.now + .seconds(2)
    while taken == nil, ContinuousClock.now < end {
      taken = try? await TLSServer.listen(host: "127.0.0.1", port: port) { $0.close() }
    }
    #expect(taken != nil)
    try await receiver.waitFor("warning: Lab TV does not come back: 127.0.0.1:\(port) is in use")
    await taken?.close()
    _ = try await paused.finish()
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }
}
