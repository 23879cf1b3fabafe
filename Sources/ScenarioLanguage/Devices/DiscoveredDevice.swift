package import CastProtocol

/// A device as discovery saw it: what a selector can be compared with.
package struct DiscoveredDevice: Hashable, Sendable {
  package var name: String
  package var id: String?
  package var model: String?
  package var address: HostAndPort

  package init(name: String, id: String? = nil, model: String? = nil, address: HostAndPort) {
    self.name = name
    self.id = id
    self.model = model
    self.address = address
  }

  /// Whether it is several speakers that play as one; discovery calls them all by one model.
  package var isGroup: Bool { model == "Google Cast Group" }

  /// `Living Room TV (Chromecast Ultra, 192.0.2.14)`; the port only where it is not the usual one.
  package var text: String {
    let place = address.port == HostAndPort.defaultPort ? address.host : address.text
    return "\(name) (\(model.map { "\($0), " } ?? "")\(place))"
  }
}

extension Plan.DeviceSelector {
  /// Whether every given part fits. Names are compared as Unicode text with regard to case; ids without regard to
  /// case and hyphens, as devices write them both ways.
  package func matches(_ device: DiscoveredDevice) -> Bool {
    func isSame(_ wanted: String?, _ value: String?) -> Bool { wanted.map { $0 == value } ?? true }
    func isLike(_ glob: String?, _ value: String?) -> Bool {
      glob.map { glob in value.map { Glob(glob).matches($0) } ?? false } ?? true
    }
    func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
    return isSame(name, device.name) && isLike(nameLike, device.name)
      && (id.map { wanted in device.id.map { plain(wanted) == plain($0) } ?? false } ?? true)
      && (host.map { $0 == device.address } ?? true)
      && isSame(model, device.model) && isLike(modelLike, device.model)
      && (kind == .any || (kind == .group) == device.isGroup)
      && (tag == nil || tagged.contains { $0.matches(device) }) && !excluded.contains { $0.matches(device) }
  }

  /// What to say when not exactly one of the devices found fits: R701 for none, R702 for several; `nil` for one.
  ///
  /// - Parameters:
  ///   - listenFor: How long discovery listened.
  ///   - unsearched: Why the network could not be asked, and what to do; then `devices` are those of the hosts file.
  ///   - notes: What else is known of the name.
  package func diagnostic(
    among devices: [DiscoveredDevice], listenFor: Duration, unsearched: (reason: String, help: String?)? = nil,
    notes: [String] = []
  ) -> Diagnostic? {
    let fitting = devices.filter(matches)
    var result: Diagnostic
    switch fitting.count {
    case 0: result = notFound(among: devices, listenFor: listenFor)
    case 1: return nil
    default: return ambiguous(fitting)
    }
    if let unsearched {
      let found = devices.map(\.text).joined(separator: ", ")
      result.footers = [.note("\(unsearched.reason); the hosts file has \(found.isEmpty ? "nothing" : found)")]
      if let help = unsearched.help { result.footers.append(.help(help)) }
    }
    result.footers.insert(contentsOf: notes.map { .note($0) }, at: 0)
    return result
  }

  private func notFound(among devices: [DiscoveredDevice], listenFor: Duration) -> Diagnostic {
    let wanted: String =
      if let name { "no device called `\(name)`" } else { "no device with \(text)" }
    let suggestion = name.flatMap { name in
      devices.first { $0.name.lowercased() == name.lowercased() }?.name
        ?? Suggestions.nearest(to: name, among: devices.map(\.name))
    }
    let time = "\(listenFor.seconds.decimals(1)) s"
    let found = devices.map(\.text).joined(separator: ", ")
    // Never the address of a device that was not meant: it may be somebody else's.
    let host = suggestion == nil ? nil : devices.first { $0.name == suggestion }?.address
    let place = host.map { $0.port == HostAndPort.defaultPort ? $0.host : $0.text } ?? "192.0.2.14"
    return Diagnostic(
      .error, .r701, wanted, at: .init(span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
      footers: [
        .note(devices.isEmpty ? "found in \(time): nothing" : "found in \(time): \(found)"),
        .help("exit code 4; on networks without mDNS use `device: { host: \(place) }`"),
      ])
  }

  private func ambiguous(_ devices: [DiscoveredDevice]) -> Diagnostic {
    let message = name.map { "\(devices.count) devices are called `\($0)`" } ?? "\(devices.count) devices have \(text)"
    let cure = devices.compactMap(\.id).first.map { "`device: { id: \($0) }`" } ?? "`device: { host: … }`"
    return Diagnostic(
      .error, .r702, message, at: .init(span, "which one?"),
      footers: [
        .note("found: \(devices.map(\.text).joined(separator: ", "))"),
        .help("exit code 4; name one of them by \(cure)"),
      ])
  }
}
