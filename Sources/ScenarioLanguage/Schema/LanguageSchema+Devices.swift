extension LanguageSchema {
  static let auth = FieldType.choice("authentication rule", of: Plan.DeviceRequirements.Authentication.self)
  static let tags = FieldType.list(.id, of: "tags")
  /// What a device may have to be able to do: what it says of itself, and the commands of its apps.
  static let feature = FieldType.choice("feature", ["video", "audio"] + StatusField.commands.values)

  /// Which device (docs/language/devices.md "Selectors").
  static let selector = MapSpec(
    "a device selector", topic: "device", selectorKeys(notType: .map(innerSelector)),
    needsOneOf: [["name", "name_like", "id", "host", "model", "model_like", "tag", "kind", "not"]])

  private static let innerSelector = MapSpec("`not`", topic: "device", selectorKeys(notType: .anyMap))

  private static func selectorKeys(notType: FieldType) -> [KeySpec] {
    [
      KeySpec("name", .text, "Exact name as in the Home app."),
      KeySpec("name_like", .text, "Name with `*` and `?`."),
      KeySpec("id", .text, "Survives new names and addresses."),
      KeySpec("host", .hostAndPort, "Address, with a port if not 8009: no discovery."),
      KeySpec("model", .text, "Exact model, as `discover` shows it."),
      KeySpec("model_like", .text, "Model with `*` and `?`."),
      KeySpec("tag", .reference(.tag), "A device of the inventory that has this tag."),
      KeySpec(
        "kind", .choice("device kind", of: Plan.DeviceSelector.Kind.self), default: "any",
        "A single device, or a group of speakers."),
      KeySpec("not", notType, "What it must not be: a selector of its own."),
    ]
  }

  /// `devices:`: a list, or a match with limits.
  static let devices = FieldType.byShape(
    list: .list(.byShape(scalar: .text, map: .map(selector)), of: "devices"), map: .map(deviceMatch))

  static let deviceMatch = MapSpec(
    "`devices`", topic: "devices",
    [
      KeySpec("match", .map(selector), required: true, "A selector: which devices the scenario runs on."),
      KeySpec("at_least", .nonNegativeInteger, default: "1", "Fewer are an error."),
      KeySpec("at_most", .nonNegativeInteger, "No more than these."),
      KeySpec("run", .choice("order", of: Plan.DeviceSet.Order.self), default: "together", "In which order."),
    ])

  static let inventoryEntry = MapSpec(
    "a device", topic: "inventory",
    [
      KeySpec("name", .text, "Friendly name, as in the Home app."),
      KeySpec("id", .text, "Device id, as `discover` shows it; survives a rename."),
      KeySpec("host", .hostAndPort, "Address, with a port if not 8009."),
      KeySpec("model", .text, "Model, as `discover` shows it."),
      KeySpec("tags", tags, default: "[]", "Words to select by."),
      KeySpec("expect", .list(feature, of: "features"), default: "[]", "What it must be able to do."),
      KeySpec("auth", auth, default: "report", "Device certificate check."),
      KeySpec("tls", .choice("TLS setting", ["default", "legacy"]), default: "default", "For old devices."),
      KeySpec(
        "ids", foreignIDs, default: "{}",
        "Ids of the screen in other systems, which the proof of play carries along."),
      KeySpec(
        "receiver", .url,
        "A receiver page of your own: a run shows it in a browser, behind a virtual receiver, in place of a device."),
      KeySpec("like", .reference(.inventory), "Another entry to start from."),
    ], needsOneOf: [["name", "id", "host", "model", "receiver", "like"]])

  static let app = MapSpec(
    "an app", topic: "apps",
    [
      KeySpec("id", .appID, "Receiver application id."),
      KeySpec("namespaces", .list(.urn, of: "namespaces"), default: "[]", "What it speaks."),
      KeySpec("title", .text, default: "made of the id", "What virtual receivers call it."),
      KeySpec(
        "types", .list(.text, of: "types"), default: "everything",
        "What it plays on virtual receivers: `video`, `audio`, `image`, or types such as `video/mp4`; `[]`: no media."),
      KeySpec("like", .reference(.app), "Another app to start from."),
    ], needsOneOf: [["id", "like"]])
}
