import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage

/// The settings of one-line commands, and where each comes from: the command line, the environment, the settings file,
/// or what is built in.
struct Settings: Sendable {
  enum Origin: Hashable, Sendable {
    case flag(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn
  }

  struct Value<Content: Sendable>: Sendable {
    var content: Content
    var origin: Origin
  }

  /// The variable that names the default device.
  static let deviceVariable = "SHOWCALLER_DEVICE"

  /// The device that is meant where nobody says; aliases are resolved.
  var device: Value<Plan.DeviceSelector>?
  /// In the file's order.
  var aliases: [SettingsFile.Alias] = []
  var timeouts = Plan.Timeouts()
  /// By key.
  var timeoutOrigins: [String: Origin] = [:]
  /// How devices have to prove themselves.
  var authentication = Value(content: AuthenticationMode.report, origin: .builtIn)

  /// Reads the settings file and the environment.
  /// - Throws: Exit code 3, after telling why, for a file with mistakes; 2 for one that cannot be read.
  static func load() throws -> Settings {
    var settings = Settings()
    if let source = try SettingsFolder.file(SettingsFolder.settingsPath) {
      let (file, problems) = SettingsFile.read(source)
      if !problems.isEmpty { DiagnosticPrinter.standardError.print(problems, of: [source]) }
      if problems.contains(where: { $0.severity == .error }) { throw ExitCode.documentInvalid }
      settings.take(file)
    }
    if let text = Terminal.environment(deviceVariable), !text.isEmpty, let device = settings.selector(for: text) {
      settings.device = Value(content: device, origin: .environment(deviceVariable))
    }
    return settings
  }

  /// The aliases alone, without a word about mistakes of the file.
  static func readAliases() -> [SettingsFile.Alias] {
    guard let source = try? SettingsFolder.file(SettingsFolder.settingsPath) else { return [] }
    return SettingsFile.read(source).settings.aliases
  }

  private mutating func take(_ file: SettingsFile) {
    aliases = file.aliases
    if let device = file.device {
      self.device = Value(content: resolved(device), origin: .file(device.span.file, line: device.span.line))
    }
    if let setting = file.authentication, let mode = AuthenticationMode(rawValue: setting.value.rawValue) {
      authentication = Value(content: mode, origin: .file(setting.span.file, line: setting.span.line))
    }
    for (key, path) in Self.timeoutKeys {
      guard let setting = file.timeouts[key] else { continue }
      timeouts[keyPath: path] = setting.value
      timeoutOrigins[key] = .file(setting.span.file, line: setting.span.line)
    }
  }

  /// The keys of `timeout:`, in the order in which they are shown.
  static var timeoutKeys: [(String, WritableKeyPath<Plan.Timeouts, Duration>)] {
    [
      ("discover", \.discover), ("connect", \.connect), ("reply", \.reply), ("launch", \.launch), ("load", \.load),
      ("step", \.step),
    ]
  }

  /// The device that a person calls `text`: an alias, an address, an id, or a name.
  func selector(for text: String) -> Plan.DeviceSelector? {
    let span = SourceSpan(file: SourceSpan.commandLine, line: 1, column: 1, endLine: 1, endColumn: 1)
    if let alias = aliases.first(where: { $0.name == text }) { return alias.device }
    return Plan.DeviceSelector(spelled: text, at: span)
  }

  private func resolved(_ device: Plan.DeviceSelector) -> Plan.DeviceSelector {
    guard let name = device.name, device.id == nil, device.host == nil else { return device }
    return aliases.first { $0.name == name }?.device ?? device
  }
}
