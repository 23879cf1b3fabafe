import Glibc
package import ScenarioLanguage

/// `$XDG_CONFIG_HOME/showcaller`, where the settings and the hosts file are (docs/design.md 10.4).
package struct SettingsFolder: Sendable {
  /// The folder; `nil` where neither the variable nor the home folder is known.
  package let path: String?

  /// The folder of these surroundings.
  package init(_ surroundings: Surroundings) { path = surroundings.settingsFolder }

  /// The path of the settings, whether or not there is such a file.
  package var settingsPath: String? { path.map { $0 + "/config.yaml" } }
  /// The path of the hosts file, whether or not there is one.
  package var hostsPath: String? { path.map { $0 + "/hosts" } }

  /// A file of it; `nil` where there is none.
  /// - Throws: When it is there and cannot be read.
  package static func file(_ path: String?) throws(WorkspaceError) -> SourceFile? {
    guard let path else { return nil }
    var status = stat()
    if stat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
    return try SourceFile(readingFrom: path)
  }
}
