package import ScenarioLanguage

/// What the aliases of the settings have to do with a device that was not found.
package enum AliasNote {
  /// What to say about them.
  /// - Returns: `nil` where they have nothing to do with it.
  package static func text(for selector: Plan.DeviceSelector, aliases: [SettingsFile.Alias]) -> String? {
    let isTyped = selector.span.file == SourceSpan.commandLine
    if isTyped || aliases.contains(where: { $0.device.span.file == selector.span.file }) {
      if let alias = aliases.first(where: { $0.device.means(the: selector) }) {
        return "`\(alias.name)` is an alias for it (\(alias.device.span.file):\(alias.device.span.line))"
      }
      let near = selector.name.flatMap { Suggestions.nearest(to: $0, among: aliases.map(\.name)) }
      return near.map { "the settings have the alias `\($0)`" }
    }
    guard let alias = aliases.first(where: { $0.name == selector.name }) else { return nil }
    let own = alias.device.name.map { "`device: \(TerminalText.escaped($0))`" } ?? "its own name"
    return "`\(alias.name)` is an alias of the settings, which documents do not know: write \(own), or run with "
      + "`--device \(alias.name)`"
  }
}

extension Plan.DeviceSelector {
  /// Whether both ask for the same, wherever they are written.
  fileprivate func means(the other: Plan.DeviceSelector) -> Bool {
    var moved = other
    moved.span = span
    return moved == self
  }
}
