extension LanguageSchema {
  /// The keys of the settings file, `config.yaml` (docs/design.md 10.4).
  package static let settings = MapSpec(
    "the settings", topic: "config",
    [
      KeySpec(
        "device", .byShape(scalar: .text, map: .map(settingsDevice)),
        "What one-line commands use without `--device`: an alias, a name, an id, an address, or a map."),
      KeySpec(
        "aliases", .mapOf(.byShape(scalar: .text, map: .map(settingsDevice)), of: "aliases"), default: "{}",
        "Names of your own for devices, which `--device` takes."),
      KeySpec("timeout", .map(settingsTimeout), "How long one-line commands wait."),
      KeySpec("auth", auth, default: "report", "How devices prove themselves to one-line commands."),
    ])

  static let settingsDevice = MapSpec(
    "a device", topic: "config",
    [
      KeySpec("name", .text, "Exact name as in the Home app."),
      KeySpec("id", .text, "Device id, as `discover` shows it; survives a rename."),
      KeySpec("host", .hostAndPort, "Address, with a port if not 8009: no discovery."),
    ], needsOneOf: [["name", "id", "host"]])

  static let settingsTimeout = MapSpec("`timeout`", topic: "config", timeouts.keys)
}
