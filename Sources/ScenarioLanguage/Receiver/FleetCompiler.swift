/// Compiles `receivers:` of a library, and the apps that virtual receivers launch.
struct FleetCompiler {
  /// More receivers than this are no library's.
  private static let limit = 1000

  let root: FieldMap
  let problems: DiagnosticCollector
  private var likes: LikeResolver

  init(root: FieldMap, problems: DiagnosticCollector) {
    self.root = root
    self.problems = problems
    likes = LikeResolver(root)
  }

  /// The receivers, none where the library has but one.
  /// - Parameter shared: What `receiver:` says of all of them.
  mutating func receivers(sharing shared: FieldMap?) -> [ReceiverPlan.Receiver] {
    let entries = root.entries("receivers")
    if entries.isEmpty { return [] }
    if let place = shared?.keySpan("name") {
      problems.report(
        .error, .k107, "`name` has no effect here", at: .init(place, "each of `receivers` has a name of its own"))
    }
    guard entries.count <= Self.limit else {
      problems.report(
        .error, .t213, "a library has at most \(Self.limit) receivers", at: .init(entries[Self.limit].key.span))
      return []
    }
    let sharedApps = apps(of: shared)
    var receivers: [ReceiverPlan.Receiver] = []
    var names: [String: String] = [:]
    for entry in entries {
      var receiver = ReceiverPlan.Receiver(name: entry.map?.text("name") ?? entry.key.text)
      names[entry.key.text] = receiver.name
      if let map = entry.map {
        receiver.model = map.text("model")
        receiver.id = id(of: map)
        receiver.port = map.int("port")
        receiver.seed = map.int("seed")
      }
      receiver.model = receiver.model ?? shared?.text("model")
      receiver.apps = entry.map?.has("apps") == true ? apps(of: entry.map) : sharedApps
      receivers.append(receiver)
    }
    for (index, entry) in entries.enumerated() {
      receivers[index].members = members(of: entry, among: names, all: entries)
    }
    checkApart(entries, receivers)
    return receivers
  }

  private func id(of map: FieldMap) -> String? {
    guard let node = map.node("id"), let text = node.text else { return nil }
    let digits = text.filter { $0 != "-" }.lowercased()
    if digits.utf8.count == 32, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) {
      return digits
    }
    problems.report(
      .error, .t222, "a device id has 32 hexadecimal digits", at: node,
      "such as 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b")
    return nil
  }

  private func members(
    of entry: FieldMap.Entry, among names: [String: String], all: [FieldMap.Entry]
  ) -> [String] {
    (entry.map?.list("members") ?? []).compactMap { node in
      guard let key = node.text, !node.isEmpty else { return nil }
      guard let name = names[key] else {
        problems.report(
          .error, .n406, "there is no receiver \(ScalarText.quoted(key))", at: node,
          Suggestions.label(Suggestions.nearest(to: key, among: names.keys.sorted())))
        return nil
      }
      let other = all.first { $0.key.text == key }
      guard key != entry.key.text, other?.map?.has("members") != true else {
        problems.report(.error, .k107, "a group has single devices as its members", at: node, "this one is a group")
        return nil
      }
      return name
    }
  }

  /// What tells receivers apart has to be different: senders would take two for one.
  private func checkApart(_ entries: [FieldMap.Entry], _ receivers: [ReceiverPlan.Receiver]) {
    let kinds: [(what: String, key: String, values: [String?])] = [
      ("are called", "name", receivers.map { Optional($0.name) }), ("have the id", "id", receivers.map(\.id)),
      ("listen at port", "port", receivers.map { receiver in receiver.port.map { "\($0)" } }),
    ]
    for (what, key, values) in kinds {
      var seen: [String: Int] = [:]
      for (index, value) in values.enumerated() {
        guard let value else { continue }
        guard let first = seen.updateValue(index, forKey: value) else { continue }
        let place = entries[index].map?.span(key) ?? entries[index].key.span
        problems.report(
          .error, .k104, "two receivers \(what) \(ScalarText.shown(value))", at: .init(place, "this is the second"),
          related: [.init(entries[first].map?.span(key) ?? entries[first].key.span, "this is the first")])
      }
    }
  }

  /// The apps that `receiver:`, or one of `receivers:`, names.
  mutating func apps(of map: FieldMap?) -> [ReceiverPlan.App] {
    let defined = root.entries("apps")
    var apps: [ReceiverPlan.App] = []
    for node in map?.list("apps") ?? [] {
      guard let name = node.text, !node.isEmpty else { continue }
      guard let entry = defined.first(where: { $0.key.text == name }) else {
        if NameScalar.isPlainAppID(name) {
          apps.append(ReceiverPlan.App(id: name))
        } else if name != "default" {
          problems.report(
            .error, .n406, "there is no app \(ScalarText.quoted(name))", at: node, "define it under `apps:`")
        }
        continue
      }
      apps.append(app(entry))
    }
    return apps
  }

  private mutating func app(_ entry: FieldMap.Entry) -> ReceiverPlan.App {
    guard let written = entry.map else { return ReceiverPlan.App(id: entry.node.text ?? "") }
    let map = likes.resolved(written, .app, reportingTo: problems)
    var app = ReceiverPlan.App(id: map.text("id") ?? likes.lastText(from: map, .app) ?? "")
    app.title = map.text("title")
    app.namespaces = map.texts("namespaces")
    guard map.has("types") else { return app }
    app.types = map.list("types").compactMap { node in
      guard let type = node.text?.lowercased() else { return nil }
      if type.contains("/") || LanguageSchema.mediaTypes.contains(type) { return type }
      problems.report(
        .error, .t205, "\(ScalarText.quoted(type)) is nothing that an app plays", at: node,
        "`video`, `audio`, `image`, or a type such as `video/mp4`")
      return nil
    }
    return app
  }
}
