import CastProtocol
package import ScenarioLanguage

extension Plan.DeviceSelector {
  /// Whether a device is one that was asked for.
  package func fits(_ device: FoundDevice) -> Bool {
    matches(name: device.name, id: device.id, model: device.model, address: device.address)
  }

  /// What to say when not exactly one of the devices found fits: R701 for none, R702 for several; `nil` for one.
  ///
  /// - Parameters:
  ///   - listenFor: How long discovery listened.
  ///   - unsearched: Why the network could not be asked, and what to do; then `devices` are those of the hosts file.
  ///   - notes: What else is known of the name.
  package func diagnostic(
    among devices: [FoundDevice], listenFor: Duration, unsearched: (reason: String, help: String?)? = nil,
    notes: [String] = []
  ) -> Diagnostic? {
    let fitting = devices.filter(fits)
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

  private func notFound(among devices: [FoundDevice], listenFor: Duration) -> Diagnostic {
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
    let place = host?.shortText ?? "192.0.2.14"
    return Diagnostic(
      .error, .r701, wanted, at: .init(span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
      footers: [
        .note(devices.isEmpty ? "found in \(time): nothing" : "found in \(time): \(found)"),
        .help("exit code 4; on networks without mDNS use `device: { host: \(place) }`"),
      ])
  }

  private func ambiguous(_ devices: [FoundDevice]) -> Diagnostic {
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
