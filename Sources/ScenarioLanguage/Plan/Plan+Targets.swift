package import CastProtocol

/// Which devices and which values a scenario is run with.
extension Plan {
  /// The device a step acts on, where the document has roles.
  package enum RoleTarget: Codable, Hashable, Sendable {
    case one(String)
    case all
  }

  /// What an entry of the inventory asks of its device besides being found (docs/language/devices.md "Inventory").
  package struct DeviceRequirements: Codable, Hashable, Sendable {
    package enum Authentication: String, Codable, Hashable, Sendable, CaseIterable {
      case none, report, require, pin

      /// Whether a device that does not prove itself is not used.
      package var demandsProof: Bool { self == .require || self == .pin }
    }
    /// What it must be able to do, such as `rate`.
    package var features: [String] = []
    /// Where the inventory says so.
    package var featuresSpan: SourceSpan?
    package var authentication = Authentication.report
    package var allowsLegacyTLS = false
    /// The address of the receiver page that is shown in its place; `nil`: it is a device.
    package var page: String?
    /// Where the inventory says so.
    package var pageSpan: SourceSpan?

    package init() {}
  }

  /// One entry of `roles:`.
  package struct Role: Codable, Hashable, Sendable {
    package var name: String
    package var device: DeviceSelector
  }

  /// `devices:`: an independent run per device.
  package struct DeviceSet: Codable, Hashable, Sendable {
    package enum Order: String, Codable, Hashable, Sendable, CaseIterable {
      case together
      case oneByOne = "one_by_one"
      case first
    }
    /// What a device must match one of.
    package var selectors: [DeviceSelector]
    package var atLeast: Int?
    package var atMost: Int?
    package var order = Order.together

    package init(selectors: [DeviceSelector]) { self.selectors = selectors }
  }

  /// One value of a row of the matrix, as reports show it.
  package struct RowValue: Codable, Hashable, Sendable {
    package var name: String
    package var value: JSONValue
  }

  /// `session:`.
  package struct Session: Codable, Hashable, Sendable {
    package enum Join: String, Codable, Hashable, Sendable, CaseIterable {
      case auto
      case alwaysNew = "always_new"
      case mustExist = "must_exist"
    }
    package enum Leave: String, Codable, Hashable, Sendable, CaseIterable { case restore, stop, keep }
    package var join = Join.auto
    package var leave = Leave.restore

    package init() {}
  }

  package enum Takeover: String, Codable, Hashable, Sendable, CaseIterable { case fail, ignore }
}

extension Plan.DeviceSelector {
  /// Whether a receiver page stands in place of a device, whichever of its devices is meant.
  package var isPage: Bool {
    tagged.isEmpty ? requirements.page != nil : tagged.allSatisfy { $0.requirements.page != nil }
  }
}

extension Plan.RoleTarget {
  /// As a document writes it.
  package var text: String {
    switch self {
    case .one(let name): name
    case .all: "all"
    }
  }
}

extension RunnableDocument {
  /// Whether a device has to prove itself somewhere in the document.
  package var requiresAuthentication: Bool { rows.contains(where: \.requiresAuthentication) }
}

extension Plan {
  fileprivate var requiresAuthentication: Bool {
    let selectors = [device] + roles.map(\.device) + (devices?.selectors ?? []) + Array(inventory.values)
    return selectors.contains(where: \.requirements.authentication.demandsProof)
      || allSteps.contains { if case .connect(_, let asked?) = $0.action { asked.demandsProof } else { false } }
  }
}
