import CastProtocol

/// What `config.yaml` says (docs/design.md 10.4).
package struct SettingsFile: Hashable, Sendable {
  /// A value and the line that gives it.
  package struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var span: SourceSpan
  }

  /// One entry of `aliases:`.
  package struct Alias: Hashable, Sendable {
    package var name: String
    package var device: Plan.DeviceSelector
  }

  /// As written: a name may be an alias.
  package var device: Plan.DeviceSelector?
  /// In the file's order.
  package var aliases: [Alias] = []
  /// Those that the file gives, by key.
  package var timeouts: [String: Setting<Duration>] = [:]
  /// How devices have to prove themselves.
  package var authentication: Setting<Plan.DeviceRequirements.Authentication>?

  package init() {}

  /// Reads a settings file.
  /// - Returns: What it says, nothing of what is wrong; and its problems by place.
  package static func read(_ source: SourceFile) -> (settings: SettingsFile, problems: [Diagnostic]) {
    let problems = DiagnosticCollector()
    var settings = SettingsFile()
    if saysNothing(source) { return (settings, []) }
    guard var yaml = YAMLParser.parse(source, reportingTo: problems) else {
      return (settings, problems.finished(file: source.name, in: [source]))
    }
    var fieldReader = FieldReader(
      diagnostics: problems, alreadyReported: yaml.alreadyReported, text: SourceText(source))
    fieldReader.read(&yaml.root, as: .map(LanguageSchema.settings), field: .init(name: "settings"))
    settings.fill(from: FieldMap(yaml.root, as: LanguageSchema.settings), reportingTo: problems)
    return (settings, problems.finished(file: source.name, in: [source]))
  }

  /// Whether there is nothing but comments and empty lines.
  private static func saysNothing(_ source: SourceFile) -> Bool {
    source.bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      let first = line.first { ![0x20, 0x0D].contains($0) }
      return first == nil || first == UInt8(ascii: "#")
    }
  }

  private mutating func fill(from root: FieldMap, reportingTo problems: DiagnosticCollector) {
    if let node = root.node("device") { device = Self.selector(node, map: root.map("device")) }
    for entry in root.entries("aliases") {
      guard let device = Self.selector(entry.node, map: entry.map) else { continue }
      aliases.append(Alias(name: entry.key.text, device: device))
    }
    // Aliases do not stand for aliases, so a device name that is one is probably a mistake.
    let names = Set(aliases.map(\.name))
    for alias in aliases {
      guard let name = alias.device.name, names.contains(name) else { continue }
      problems.report(
        .error, .n406, "the alias `\(alias.name)` stands for another alias, `\(ScalarText.shown(name))`",
        at: .init(alias.device.span, "an alias too"),
        footers: [.help("write the device's own name, its `id` or its `host`")])
    }
    if let mode = root.choice("auth", as: Plan.DeviceRequirements.Authentication.self), let span = root.span("auth") {
      authentication = Setting(value: mode, span: span)
    }
    guard let map = root.map("timeout") else { return }
    for key in map.keys {
      guard let value = map.duration(key.text), let span = map.span(key.text) else { continue }
      guard value >= .milliseconds(1), value <= .seconds(3600) else {
        problems.report(.error, .t213, "a timeout is from 1ms to 1h", at: .init(span))
        continue
      }
      timeouts[key.text] = Setting(value: value, span: span)
    }
  }

  private static func selector(_ node: YAMLNode, map: FieldMap?) -> Plan.DeviceSelector? {
    guard let map else { return node.text.flatMap { Plan.DeviceSelector(spelled: $0, at: node.span) } }
    var selector = Plan.DeviceSelector(span: node.span)
    selector.name = map.text("name")
    selector.id = map.text("id")
    selector.host = map.host("host")
    return selector.name == nil && selector.id == nil && selector.host == nil ? nil : selector
  }
}

extension Plan.DeviceSelector {
  /// What a person calls a device outside of documents: an address in digits, an id of 32 hexadecimal digits with or
  /// without hyphens, else a name.
  /// - Returns: `nil` where nothing is written.
  package init?(spelled text: String, at span: SourceSpan) {
    guard !text.isEmpty else { return nil }
    self.init(span: span)
    if let address = Self.literal(text) {
      host = address
    } else if Self.isID(text) {
      id = text
    } else {
      name = text
    }
  }

  /// An IPv4 or IPv6 address, with a port or without; no name of a host.
  private static func literal(_ text: String) -> HostAndPort? {
    guard let address = try? NameScalar.host(text) else { return nil }
    let parts = address.host.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ ScalarText.int($0, upTo: 3).map { $0 <= 255 } ?? false }) { return address }
    let plain = address.host.prefix { $0 != "%" }
    let isIPv6 =
      plain.utf8.filter { $0 == UInt8(ascii: ":") }.count >= 2
      && plain.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    return isIPv6 ? address : nil
  }

  private static func isID(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" }
    return digits.utf8.count == 32 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
