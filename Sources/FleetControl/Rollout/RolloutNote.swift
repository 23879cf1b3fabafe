package import CastProtocol
package import FleetMessages

/// Why a roll-out goes no further.
package struct RolloutFailure: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The site does not take it; why.
    case refused(String)
    case noAnswer(Duration)
    case offline(Duration)
    /// More screens are dark than before.
    case dark(Int, before: Int)
    /// The site was given a later edition by somebody else.
    case superseded(Int)
    case alert(SiteFacts.Place)
  }

  package var site: SiteName
  package var reason: Reason

  package init(_ site: SiteName, _ reason: Reason) { (self.site, self.reason) = (site, reason) }

  package var text: String {
    switch reason {
    case .refused(let why): "\(site) refused it: \(why)"
    case .superseded(let edition):
      "somebody else gave \(site) a later one (edition \(edition)); nothing is put back"
    case .noAnswer(let limit): "\(site) did not say within \(limit.components.seconds) s that it has it"
    case .offline(let time): "\(site) is offline for \(time.components.seconds) s"
    case .dark(let dark, let before):
      "\(site) has \(dark) dark \(dark == 1 ? "screen" : "screens"), \(before == 0 ? "none" : "\(before)") before"
    case .alert(let place): "\(site) has a new alert: \(place.playlist) \(place.name)"
    }
  }
}

/// What is where when a roll-out has ended early.
package struct RolloutStanding: Hashable, Sendable {
  package var have: [SiteName] = []
  /// Given, and not confirmed.
  package var unsure: [SiteName] = []
  /// These have the edition before it again.
  package var back: [SiteName] = []
  package var without: [SiteName] = []

  package init() {}

  package var lines: [String] {
    [
      ("have it", have), ("were given it and did not confirm", unsure), ("went back", back),
      ("were not given it", without),
    ].compactMap { words, sites in sites.isEmpty ? nil : "\(words): \(RolloutWaves.names(sites))" }
  }
}

/// How a roll-out goes.
package enum RolloutNote: Hashable, Sendable {
  case waveBegan(Int, of: Int, [SiteName])
  case hasIt(SiteName)
  /// It was to be taken off, and is.
  case tookItOff(SiteName)
  case watching(Duration)
  case waveDone(Int)
  case failed(RolloutFailure)
  case puttingBack([SiteName])
  case isBack(SiteName)
  case connectionLost, connectionBack

  package var text: String {
    switch self {
    case .waveBegan(let number, let count, let sites): "wave \(number) of \(count): \(RolloutWaves.names(sites))"
    case .hasIt(let site): "\(site) has it"
    case .tookItOff(let site): "\(site) took it off"
    case .watching(let time): "watching for \(time.components.seconds) s"
    case .waveDone(let number): "wave \(number) is good"
    case .failed(let failure): "stopped: \(failure.text)"
    case .puttingBack(let sites): "putting back what was there before at \(RolloutWaves.names(sites))"
    case .isBack(let site): "\(site) is back"
    case .connectionLost: "the connection to the broker is lost; waiting until it is back"
    case .connectionBack: "the broker is back"
    }
  }

  /// One object of `--json`.
  package var json: JSONValue {
    func names(_ sites: [SiteName]) -> JSONValue { .array(sites.map { .string($0.text) }) }
    var object: JSONObject
    switch self {
    case .waveBegan(let number, let count, let sites):
      object = ["event": "wave", "wave": .int(number), "of": .int(count), "sites": names(sites)]
    case .hasIt(let site): object = ["event": "has", "site": .string(site.text)]
    case .tookItOff(let site): object = ["event": "took_off", "site": .string(site.text)]
    case .watching(let time): object = ["event": "watching", "seconds": .int(Int(time.components.seconds))]
    case .waveDone(let number): object = ["event": "wave_done", "wave": .int(number)]
    case .failed(let failure):
      object = ["event": "failed", "site": .string(failure.site.text), "message": .string(failure.text)]
    case .puttingBack(let sites): object = ["event": "putting_back", "sites": names(sites)]
    case .isBack(let site): object = ["event": "back", "site": .string(site.text)]
    case .connectionLost: object = ["event": "lost"]
    case .connectionBack: object = ["event": "connected"]
    }
    object.members.insert(.init("v", 1), at: 0)
    return .object(object)
  }
}

/// How a roll-out ended.
package enum RolloutEnd: Hashable, Sendable {
  /// - Parameter absent: These take it when they are back.
  case done(sites: Int, absent: [SiteName])
  case stopped(RolloutFailure, RolloutStanding)
  case interrupted(RolloutStanding)
  case connectionLost(RolloutStanding)

  package var lines: [String] {
    switch self {
    case .done(let sites, let absent):
      ["done: \(sites) \(sites == 1 ? "site" : "sites")"]
        + (absent.isEmpty ? [] : ["not there, and get it when they are back: \(RolloutWaves.names(absent))"])
    case .stopped(let failure, let standing): ["stopped: \(failure.text)"] + standing.lines
    case .interrupted(let standing): ["interrupted"] + standing.lines
    case .connectionLost(let standing): ["the broker did not come back"] + standing.lines
    }
  }

  package var json: JSONValue {
    func names(_ sites: [SiteName]) -> JSONValue { .array(sites.map { .string($0.text) }) }
    func object(_ outcome: String, _ standing: RolloutStanding) -> JSONObject {
      [
        "v": 1, "event": "end", "ok": false, "outcome": .string(outcome), "have": names(standing.have),
        "unsure": names(standing.unsure), "back": names(standing.back), "without": names(standing.without),
      ]
    }
    switch self {
    case .done(let sites, let absent):
      return ["v": 1, "event": "end", "ok": true, "outcome": "done", "sites": .int(sites), "absent": names(absent)]
    case .stopped(let failure, let standing):
      var object = object("stopped", standing)
      object["site"] = .string(failure.site.text)
      object["message"] = .string(failure.text)
      return .object(object)
    case .interrupted(let standing): return .object(object("interrupted", standing))
    case .connectionLost(let standing): return .object(object("connection_lost", standing))
    }
  }
}
