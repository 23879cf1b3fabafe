package import CastProtocol

extension EventKind {
  /// `device.found`: which device a scenario runs on.
  package struct DeviceFound: EventPayload {
    package var name = ""
    package var id: String?
    package var model: String?
    /// The host as it is connected to.
    package var address = ""
    package var port = 0
    package var origin = OpenWord<AddressOrigin>.unknown("")

    package init() {}

    package init(name: String, id: String?, model: String?, address: HostAndPort, origin: AddressOrigin) {
      (self.name, self.id, self.model) = (name, id, model)
      (self.address, self.port, self.origin) = (address.host, address.port, .known(origin))
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("name", &name)
      members.optional("id", &id)
      members.optional("model", &model)
      members.always("ip", &address)
      members.always("port", &port)
      members.always("via", &origin)
    }
  }

  /// `device.connected`: a connection is open and the device has told its status.
  package struct DeviceConnected: EventPayload {
    /// The version of TLS; `nil` where there is none, as in simulations.
    package var tls: String?
    /// The verdict on the device's proof; `nil` where it has not come yet.
    package var authentication: OpenWord<AuthenticationVerdict>?
    package var firmware: String?
    /// Milliseconds until the first status came.
    package var latency: Double?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.optional("tls", &tls)
      members.optional("auth", &authentication)
      members.optional("firmware", &firmware)
      members.exact("latencyMs", &latency)
    }
  }

  /// `device.software`: what a device says of its software when it is asked beside the run (docs/protocol.md 7.2).
  package struct DeviceSoftware: EventPayload {
    /// The version of its Cast software: `1.56.500000`.
    package var firmware: String?
    /// The build of its system.
    package var build: String?

    package init() {}
    package init(firmware: String?, build: String?) { (self.firmware, self.build) = (firmware, build) }

    package mutating func code(_ members: inout EventMembers) {
      members.optional("firmware", &firmware)
      members.optional("build", &build)
    }

    /// `1.56.500000, build 333333`; `nil` where it says neither.
    package var text: String? {
      let parts = [firmware, build.map { "build \($0)" }].compactMap(\.self)
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
  }

  /// `device.lost`: the connection broke.
  package struct DeviceLost: EventPayload {
    package var reason = ""

    package init() {}
    package init(reason: String) { self.reason = reason }

    package mutating func code(_ members: inout EventMembers) { members.always("reason", &reason) }
  }

  /// `device.back`: it is connected again.
  package struct DeviceBack: EventPayload {
    /// Seconds since it was lost.
    package var after = 0.0

    package init() {}
    package init(after: Double) { self.after = after }

    package mutating func code(_ members: inout EventMembers) { members.always("after", &after) }
  }
}
