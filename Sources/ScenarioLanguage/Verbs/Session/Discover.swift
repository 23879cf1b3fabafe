import CastProtocol

/// `discover`: looks for devices.
enum Discover: StepVerb {
  static let spec = VerbSpec(
    .discover, .session, .inquiry,
    .keys(
      [
        KeySpec("for", .duration, default: "5s", "How long to listen; an answer may take a second or two."),
        KeySpec("at_least", .int(0...10_000), default: "1", "How many devices must be found; fewer are a failure."),
        KeySpec(
          "where", .byShape(scalar: .text, map: .map(LanguageSchema.selector)), default: "all",
          "Which devices count: a name, or a selector."),
        KeySpec("via", .choice("way to look", of: Plan.DiscoverAction.Way.self), default: "both", "Where to look."),
      ], short: "for"),
    "Looks for devices.",
    sends: "an mDNS query for `_googlecast._tcp`",
    done: "the time is over, or `at_least` devices were seen and `for` is left out",
    example: "- discover: { for: 5s, at_least: 2, where: { name_like: \"Lobby*\" } }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let body = step.body
    let timeouts = compiler.defaults.timeouts
    var action = Plan.DiscoverAction()
    action.listenFor = body.duration("for") ?? (body.has("at_least") ? nil : timeouts.discover)
    action.atLeast = body.int("at_least") ?? 1
    action.selector = body.node("where").flatMap { compiler.definitions.selector($0, map: body.map("where")) }
    action.via = body.choice("via", as: Plan.DiscoverAction.Way.self) ?? .both
    let listen = action.listenFor ?? timeouts.discover
    return .init(
      action: .discover(action), timeout: listen + timeouts.reply, argument: compiler.shown(body.node("for")))
  }
}

extension Plan {
  package struct DiscoverAction: Codable, Hashable, Sendable {
    /// `nil` when `for` was omitted: over as soon as `atLeast` were found.
    package var listenFor: Duration?
    package var atLeast = 1
    package var selector: DeviceSelector?
    package var via = Way.both

    package enum Way: String, Codable, Hashable, Sendable, CaseIterable { case mdns, hosts, both }

    package init() {}
  }
}

extension Plan.DiscoverAction: LocalAction {
  var arguments: JSONObject {
    var object: JSONObject = ["atLeast": .int(atLeast)]
    object["for"] = listenFor?.json
    object["where"] = selector?.json
    object["via"] = .string(via.rawValue)
    return object
  }
  var needsRole: Bool { false }
}
