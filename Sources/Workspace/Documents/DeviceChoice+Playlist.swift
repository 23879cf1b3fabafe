package import ScenarioLanguage
import CastProtocol

/// Which of its screens a playlist is shown on.
extension DeviceChoice {
  /// The plan on the devices that were chosen; without a choice as it is.
  ///
  /// `--host` replaces all of the playlist's devices by one. `--device` leaves those that it names; a name that is none
  /// of the playlist's is looked for as for a run. Under `--virtual` it has to be one of the playlist's.
  /// - Throws: Where it has to be and is not, or an alias is asked for and the settings have mistakes.
  package func apply(to plan: PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan {
    var plan = plan
    let known = plan.devices.selectors.flatMap { $0.tagged.isEmpty ? [$0] : $0.tagged }
    if let host {
      if isVirtual {
        throw WorkspaceError(
          .commandLineWrong, "--virtual brings its own device; leave out --host and --device",
          help: "`--device` chooses one of the devices of a playlist")
      }
      plan.devices.choose([selector(host, inPlaceOf: known)])
      return plan
    }
    var chosen: [Plan.DeviceSelector] = []
    for name in devices {
      let selector = try selector(name, among: known, of: plan)
      // The same device under another of its names is shown on once.
      if !chosen.contains(where: { $0.isSpelled(like: selector) }) { chosen.append(selector) }
    }
    if !chosen.isEmpty { plan.devices.choose(chosen) }
    return plan
  }

  private func selector(
    _ host: HostAndPort, inPlaceOf known: [Plan.DeviceSelector]
  ) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(span: line.span(ofOption: ["--host"]))
    selector.host = host
    if known.count == 1 { selector.name = known[0].name }
    // Another address is no reason to ask for less.
    let strictest =
      known.first { $0.requirements.authentication == .pin }
      ?? known.first { $0.requirements.authentication == .require } ?? known.first
    if let strictest { selector.requirements = strictest.requirements }
    return selector
  }

  private func selector(
    _ name: String, among known: [Plan.DeviceSelector], of plan: PlaylistPlan
  ) throws(WorkspaceError) -> Plan.DeviceSelector {
    var named: Plan.DeviceSelector
    if let entry = plan.inventory[name] ?? known.first(where: { $0.name == name }) {
      named = entry
      if isVirtual, !known.contains(where: { $0.isSpelled(like: entry) || $0.fits(entry.name) }) {
        throw isNone(name, of: known, plan)
      }
    } else if isVirtual {
      guard let glob = known.first(where: { $0.fits(name) }) else { throw isNone(name, of: known, plan) }
      named = glob
      (named.name, named.nameLike) = (name, nil)
    } else if let other = try settings().selector(for: name) {
      named = other
    } else {
      throw WorkspaceError(.commandLineWrong, "`--device \(name)` names no device")
    }
    // If no such device is found, the message points at the option.
    named.span = line.span(ofOption: ["--device", "-d"], name)
    return named
  }

  /// Why a virtual device is not there.
  private func isNone(_ name: String, of known: [Plan.DeviceSelector], _ plan: PlaylistPlan) -> WorkspaceError {
    let names = known.map { "`\($0.inventoryID ?? $0.name ?? $0.nameLike ?? $0.text)`" }
    return WorkspaceError(
      .documentUnfit, "`\(name)` is none of the devices of \(plan.file)",
      help: names.isEmpty ? nil : "they are \(names.joined(separator: ", "))")
  }
}

extension Plan.DeviceSet {
  /// Leaves these alone: what was asked of the whole set is not asked of a part of it.
  fileprivate mutating func choose(_ selectors: [Plan.DeviceSelector]) {
    (self.selectors, atLeast, atMost) = (selectors, nil, nil)
  }
}

extension Plan.DeviceSelector {
  /// Whether both say the same, wherever they are written.
  fileprivate func isSpelled(like other: Plan.DeviceSelector) -> Bool {
    var other = other
    other.span = span
    return self == other
  }

  /// Whether a device of this name may be meant: nothing else of it is known.
  fileprivate func fits(_ name: String?) -> Bool {
    guard let name, self.name != nil || nameLike != nil else { return false }
    return matches(name: name, id: id, model: model, address: host ?? HostAndPort(host: ""))
  }
}
