package import ScenarioLanguage

/// The settings of one-line commands, and where each comes from: the command line, the environment, the settings file,
/// or what is built in.
package struct Settings: Sendable {
  /// Who gave a value.
  package enum Origin: Hashable, Sendable {
    case flag(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn
  }

  /// A value and who gave it.
  package struct Value<Content: Sendable>: Sendable {
    /// The value.
    package var content: Content
    /// Who gave it.
    package var origin: Origin

    /// A value and who gave it.
    package init(content: Content, origin: Origin) {
      self.content = content
      self.origin = origin
    }
  }

  /// What came of reading them.
  package struct Reading: Sendable {
    /// What they say; nothing of a file with mistakes.
    package var settings: Settings
    /// What is wrong with the settings file, and what it may do better, by place.
    package var problems: [Diagnostic]
    /// The settings file; `nil` where there is none.
    package var source: SourceFile?
  }

  /// The variable that names the default device.
  package static let deviceVariable = "SHOWCALLER_DEVICE"

  /// The device of a command that names none; aliases are resolved.
  package var device: Value<Plan.DeviceSelector>?
  /// In the file's order.
  package var aliases: [SettingsFile.Alias] = []
  /// How long each kind of wait may take.
  package var timeouts = Plan.Timeouts()
  /// By key.
  package var timeoutOrigins: [String: Origin] = [:]
  /// How devices have to prove themselves.
  package var authentication = Value(content: Plan.DeviceRequirements.Authentication.report, origin: .builtIn)

  /// What is built in.
  package init() {}

  /// Reads the settings file and the environment. A file with errors counts for nothing.
  /// - Throws: For a file that is there and cannot be read.
  package static func read(in surroundings: Surroundings) throws(WorkspaceError) -> Reading {
    var reading = Reading(settings: Settings(), problems: [], source: nil)
    if let source = try SettingsFolder.file(SettingsFolder(surroundings).settingsPath) {
      let (file, problems) = SettingsFile.read(source)
      (reading.source, reading.problems) = (source, problems)
      if problems.contains(where: { $0.severity == .error }) { return reading }
      reading.settings.fill(from: file)
    }
    let variable = surroundings.environment[deviceVariable]
    if let text = variable, !text.isEmpty, let device = reading.settings.selector(for: text) {
      reading.settings.device = Value(content: device, origin: .environment(deviceVariable))
    }
    return reading
  }

  /// As ``read(in:)``, telling what is wrong with the file.
  /// - Throws: For a file with mistakes, which have been told, or one that cannot be read.
  package static func load(in surroundings: Surroundings) throws(WorkspaceError) -> Settings {
    let reading = try read(in: surroundings)
    if let source = reading.source, !reading.problems.isEmpty {
      surroundings.messages.tellProblems(reading.problems, [source])
    }
    if reading.problems.contains(where: { $0.severity == .error }) { throw .told }
    return reading.settings
  }

  /// The aliases alone, whatever else is wrong with the file.
  package static func readAliases(in surroundings: Surroundings) -> [SettingsFile.Alias] {
    guard let source = try? SettingsFolder.file(SettingsFolder(surroundings).settingsPath) else { return [] }
    return SettingsFile.read(source).settings.aliases
  }

  private mutating func fill(from file: SettingsFile) {
    aliases = file.aliases
    if let device = file.device {
      self.device = Value(content: resolved(device), origin: .file(device.span.file, line: device.span.line))
    }
    if let setting = file.authentication {
      authentication = Value(
        content: setting.value, origin: .file(setting.span.file, line: setting.span.line))
    }
    for (key, path) in Self.timeoutKeys {
      guard let setting = file.timeouts[key] else { continue }
      timeouts[keyPath: path] = setting.value
      timeoutOrigins[key] = .file(setting.span.file, line: setting.span.line)
    }
  }

  /// The keys of `timeout:`, in the order in which they are shown.
  package static var timeoutKeys: [(String, WritableKeyPath<Plan.Timeouts, Duration>)] {
    [
      ("discover", \.discover), ("connect", \.connect), ("reply", \.reply), ("launch", \.launch), ("load", \.load),
      ("step", \.step),
    ]
  }

  /// The device that a person calls `text`: an alias, an address, an id, or a name.
  package func selector(for text: String) -> Plan.DeviceSelector? {
    let span = SourceSpan.ofCommandLine
    if let alias = aliases.first(where: { $0.name == text }) { return alias.device }
    return Plan.DeviceSelector(spelled: text, at: span)
  }

  private func resolved(_ device: Plan.DeviceSelector) -> Plan.DeviceSelector {
    guard let name = device.name, device.id == nil, device.host == nil else { return device }
    return aliases.first { $0.name == name }?.device ?? device
  }
}
