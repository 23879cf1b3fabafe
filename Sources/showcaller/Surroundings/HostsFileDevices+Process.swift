import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension HostsFileDevices {
  /// Those of the person who runs this process.
  static let process = HostsFileDevices(.process)

  /// As a resolver takes them.
  var devices: [FoundDevice] {
    entries.map { FoundDevice(name: $0.name, address: $0.address, via: .hosts) }
  }

  /// Says on standard error what is wrong with the file, once in a process.
  func tell() {
    switch takeProblem() {
    case .mistakes(let problems, let source): DiagnosticPrinter.standardError.print(problems, of: [source])
    case .unreadable(let message): Terminal.say("warning: \(message)")
    case nil: break
    }
  }
}
