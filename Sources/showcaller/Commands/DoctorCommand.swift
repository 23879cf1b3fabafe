import ArgumentParser
import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller doctor`: tells what on this computer keeps it from finding devices and calling a show, and what puts it right.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: ShowcallerCommand.name,
    abstract: "Tell what is wrong on this computer, and the command that puts it right.",
    discussion: """
      Looks at the mDNS daemon, multicast, ports, firewalls, the clock and its zone, and the state folder. Changes nothing. \
      Exits 0 where nothing has failed, else 1.
      """)

  @Option(help: ArgumentHelp("The port that `serve --control` is to listen at.", valueName: "port"))
  var control = 8_020

  @Option(help: ArgumentHelp("How long to listen for devices; 3s unless it is given.", valueName: "time"))
  var timeout: TimeLimit?

  @Flag(help: "Print one JSON object for each check.")
  var json = false

  func validate() throws {
    guard (1...65_535).contains(control) else { throw ValidationError("--control is a port, 1 to 65535") }
    if let timeout, timeout.duration <= .zero || timeout.duration > .seconds(60) {
      throw ValidationError("--timeout is above 0 and at most a minute")
    }
  }

  func run() async throws {
    var facts = HealthFacts.read(
      in: .process, ports: [(8_009, "receive"), (control, "serve --control")])
    do throws(TransportError) {
      let found = try await DeviceBrowser.discover(for: timeout?.duration ?? .seconds(3)) { !$0.isEmpty }
      facts.daemon = .answers(devices: found.count)
    } catch {
      facts.daemon = .fails(error.message)
    }
    let checks = HealthCheck.all(of: facts)
    for check in checks {
      if json { Terminal.print(SafeJSON.text(check.json)) } else { Self.print(check) }
    }
    if checks.contains(where: { $0.verdict == .failed }) { throw ExitCode.expectationFailed }
  }

  private static func print(_ check: HealthCheck) {
    let isColored = Terminal.usesColor(on: Terminal.outputIsTTY)
    let (word, color) =
      switch check.verdict {
      case .ok: ("ok", "32")
      case .warning: ("warning", "33")
      case .failed: ("failed", "31")
      }
    let padded = word + String(repeating: " ", count: max(0, 8 - word.count))
    let shown = isColored ? "\u{1B}[\(color)m\(padded)\u{1B}[0m" : padded
    let name = check.subject.rawValue
    let subject = name + String(repeating: " ", count: max(1, 11 - name.count))
    Terminal.print("\(shown)\(subject)\(TerminalText.escaped(check.text))")
    if let cure = check.cure {
      Terminal.print("\(String(repeating: " ", count: 19))try: \(TerminalText.escaped(cure))")
    }
  }
}
