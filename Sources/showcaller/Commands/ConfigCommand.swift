import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller config`: every setting of the one-line commands and where its value comes from.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show each setting and where its value comes from.",
    discussion: """
      A setting is taken from the command line, else the environment (SHOWCALLER_DEVICE), else the settings file, else it \
      is built in. The settings file:

        device: kitchen
        aliases:
          kitchen: Kitchen speaker
          lobby: { id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b }
          window: { host: 192.0.2.14 }
        timeout: { discover: 3s, load: 1m }
        auth: require

      A file called hosts beside it lists devices that need no discovery: an address and a name a line.
      """)

  @OptionGroup var device: DeviceOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let settings = try Settings.load()
    HostsFileDevices.process.tell()
    let hosts = HostsFileDevices.process.devices
    var rows = [row("device", of: device.named(by: settings) ?? settings.device)]
    rows += settings.aliases.map { alias in
      Row(
        name: "aliases.\(alias.name)", text: alias.device.spelled, json: alias.device.json,
        origin: .file(alias.device.span.file, line: alias.device.span.line))
    }
    for (key, path) in Settings.timeoutKeys {
      let value = settings.timeouts[keyPath: path]
      rows.append(
        Row(
          name: "timeout.\(key)", text: value.spelled, json: value.json,
          origin: settings.timeoutOrigins[key] ?? .builtIn))
    }
    let mode = settings.authentication
    rows.append(
      Row(name: "auth", text: mode.content.rawValue, json: .string(mode.content.rawValue), origin: mode.origin))
    let folder = SettingsFolder(.process)
    let files = [("settings", folder.settingsPath), ("hosts", folder.hostsPath)]
    if json {
      let object: JSONValue = [
        "v": 1, "settings": .array(rows.map(\.object)),
        "files": .object(JSONObject(files.compactMap { name, path in path.map { .init(name, .string($0)) } })),
        "hosts": .array(hosts.map { ["name": .string($0.name), "address": .string($0.address.text)] }),
      ]
      Terminal.print(object.serialized())
      return
    }
    let width = (rows.map(\.name.count).max() ?? 0, min(40, rows.map(\.text.count).max() ?? 0))
    for row in rows {
      Terminal.print("\(padded(row.name, width.0))  \(padded(row.text, width.1))  \(row.place)")
    }
    for (name, path) in files {
      let count = name == "hosts" ? ", \(hosts.count) device\(hosts.count == 1 ? "" : "s")" : ""
      let isThere = ((try? SettingsFolder.file(path)) ?? nil) != nil
      let state = isThere ? count : " (not there)"
      let shown = path.map(TerminalText.escaped) ?? "none: HOME is not set"
      Terminal.print("\(padded("\(name) file", width.0))  \(shown)\(state)")
    }
  }

  private func row(_ name: String, of value: Settings.Value<Plan.DeviceSelector>?) -> Row {
    guard let value else { return Row(name: name, text: "none", json: .null, origin: .builtIn) }
    return Row(name: name, text: value.content.spelled, json: value.content.json, origin: value.origin)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// One setting as it is shown.
  private struct Row {
    var name: String
    var text: String
    var json: JSONValue
    var origin: Settings.Origin

    init(name: String, text: String, json: JSONValue, origin: Settings.Origin) {
      self.name = name
      self.text = TerminalText.escaped(text)
      self.json = json
      self.origin = origin
    }

    var place: String {
      switch origin {
      case .flag(let name): "flag \(name)"
      case .environment(let name): "environment \(name)"
      case .file(let path, let line): "\(TerminalText.escaped(path)):\(line)"
      case .builtIn: "built in"
      }
    }

    var object: JSONValue {
      var object: JSONObject = ["name": .string(name), "value": json]
      switch origin {
      case .flag(let flag):
        object["from"] = "flag"
        object["flag"] = .string(flag)
      case .environment(let variable):
        object["from"] = "environment"
        object["variable"] = .string(variable)
      case .file(let path, let line):
        object["from"] = "file"
        object["file"] = .string(path)
        object["line"] = .int(line)
      case .builtIn: object["from"] = "built in"
      }
      return .object(object)
    }
  }
}

extension Plan.DeviceSelector {
  /// As a person would write it.
  fileprivate var spelled: String {
    [name, id.map { "id \($0)" }, host.map { "host \($0.text)" }].compactMap { $0 }.joined(separator: ", ")
  }
}
