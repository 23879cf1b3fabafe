package import CastProtocol
package import ScenarioLanguage

/// Every setting and where its value comes from, for people and for programs.
package struct SettingsListing: Sendable {
  private let rows: [Row]
  private let files: [(name: String, path: String?)]
  private let hosts: [HostsFile.Entry]

  /// - Parameter device: That of the command line; `nil` where it names none.
  package init(
    _ settings: Settings, device: Settings.Value<Plan.DeviceSelector>?, hosts: [HostsFile.Entry],
    folder: SettingsFolder
  ) {
    var rows = [Self.row("device", of: device ?? settings.device)]
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
    self.rows = rows
    self.hosts = hosts
    files = [("settings", folder.settingsPath), ("hosts", folder.hostsPath)]
  }

  private static func row(_ name: String, of value: Settings.Value<Plan.DeviceSelector>?) -> Row {
    guard let value else { return Row(name: name, text: "none", json: .null, origin: .builtIn) }
    return Row(name: name, text: value.content.spelled, json: value.content.json, origin: value.origin)
  }

  /// One object.
  package var json: JSONValue {
    [
      "v": 1, "settings": .array(rows.map(\.object)),
      "files": .object(JSONObject(files.compactMap { name, path in path.map { .init(name, .string($0)) } })),
      "hosts": .array(hosts.map { ["name": .string($0.name), "address": .string($0.address.text)] }),
    ]
  }

  /// A table, and where the files are.
  package var lines: [String] {
    let nameWidth = rows.map(\.name.count).max() ?? 0
    let textWidth = min(40, rows.map(\.text.count).max() ?? 0)
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let settings = rows.map { row in
      "\(padded(row.name, nameWidth))  \(padded(row.text, textWidth))  \(row.place)"
    }
    return settings
      + files.map { name, path in
        let count = name == "hosts" ? ", \(hosts.count) device\(hosts.count == 1 ? "" : "s")" : ""
        let isThere = ((try? SettingsFolder.file(path)) ?? nil) != nil
        let shown =
          path.map { TerminalText.escaped($0) + (isThere ? count : " (not there)") } ?? "none: HOME is not set"
        return "\(padded("\(name) file", nameWidth))  \(shown)"
      }
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
