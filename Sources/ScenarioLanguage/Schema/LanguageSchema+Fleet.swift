/// What a library says of several virtual receivers (docs/language/library.md "Several receivers").
extension LanguageSchema {
  /// The apps of a virtual receiver, as `receiver:` and each of `receivers:` have it.
  static let receiverApps = KeySpec(
    "apps", .list(.reference(.app), of: "apps"), default: "[]",
    "Apps that it launches besides the Default Media Receiver: names of `apps:`, or ids.")

  static let oneReceiver = MapSpec(
    "a receiver of several", topic: "receivers",
    [
      KeySpec("name", .text, default: "its name under `receivers`", "Its friendly name."),
      KeySpec("model", .text, default: "that of `receiver`", "Its model, as `discover` shows it."),
      KeySpec(
        "id", .text, default: "made of the name", "Its device id: 32 hexadecimal digits, with hyphens or without."),
      KeySpec(
        "port", .int(1...65535), default: "the next one from `--port` on",
        "Where it listens; with `--port 0` it takes any free one all the same."),
      KeySpec("seed", .int(0...Int.max), "Makes its session ids and delays the same each time."),
      KeySpec(
        receiverApps.name, receiverApps.type, default: "those of `receiver`",
        "Apps that it launches besides the Default Media Receiver."),
      KeySpec(
        "members", .list(.id, of: "members"),
        "It is a group of these others, by their names under `receivers`; it has a port of its own."),
    ])

  /// What an app of a virtual receiver plays.
  static let mediaTypes = ["video", "audio", "image"]
}
