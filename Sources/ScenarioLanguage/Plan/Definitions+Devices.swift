extension Definitions {
  /// What `devices:` of a scenario or a playlist asks for; `nil` where it is not written or not understood.
  mutating func deviceSet(_ root: FieldMap, reportingTo problems: DiagnosticCollector) -> Plan.DeviceSet? {
    guard let node = root.node("devices") else { return nil }
    if let items = node.items {
      if items.isEmpty, let key = root.keySpan("devices") {
        problems.report(
          .error, .k105, "`devices` names no device", at: .init(key, "an empty list"),
          footers: [.help("`devices: [Window TV]`, or `devices: { match: { model_like: \"Chromecast*\" } }`")])
      }
      let selectors = items.compactMap { item in
        selector(item, map: item.pairs == nil ? nil : FieldMap(item, as: LanguageSchema.selector))
      }
      return Plan.DeviceSet(selectors: selectors)
    }
    guard node.pairs != nil else { return nil }
    let map = FieldMap(node, as: LanguageSchema.deviceMatch)
    guard let match = map.node("match"), let selector = selector(match, map: map.map("match")) else { return nil }
    var set = Plan.DeviceSet(selectors: [selector])
    set.atLeast = map.int("at_least")
    set.atMost = map.int("at_most")
    set.order = map.choice("run", as: Plan.DeviceSet.Order.self) ?? .together
    if let most = set.atMost, most < set.atLeast ?? 1, let node = map.node("at_most") {
      problems.report(
        .error, .t213, "`at_most` is less than `at_least`", at: node, "no number of devices fits",
        related: map.span("at_least").map { [.init($0, "at least so many")] } ?? [],
        footers: map.has("at_least") ? [] : [.help("`at_least` is 1 unless it is written")])
    }
    return set
  }
}
