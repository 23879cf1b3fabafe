import Glibc
import ScenarioLanguage
import Workspace

/// `$XDG_CONFIG_HOME/showcaller`, where the settings and the hosts file are (design.md 10, Files).
enum SettingsFolder {
  /// `nil` where neither the variable nor the home folder is known.
  static var path: String? {
    if let config = Terminal.environment("XDG_CONFIG_HOME"), config.hasPrefix("/") { return config + "/showcaller" }
    guard let home = Terminal.environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/showcaller"
  }

  static var settingsPath: String? { path.map { $0 + "/config.yaml" } }
  static var hostsPath: String? { path.map { $0 + "/hosts" } }

  /// A file of it; `nil` where there is none.
  /// - Throws: When it is there and cannot be read.
  static func file(_ path: String?) throws(WorkspaceError) -> SourceFile? {
    guard let path else { return nil }
    var status = stat()
    if stat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
    return try SourceFile(readingFrom: path)
  }
}
