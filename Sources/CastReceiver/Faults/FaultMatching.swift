import CastProtocol

/// Counts events, and says which faults of a plan they bring.
struct FaultMatching: Sendable {
  private struct Counter {
    var seen = 0
    var fired = 0
    var told = 0
  }

  let faults: [FaultPlan.Fault]
  private var counters: [Counter]
  private var random: SeededGenerator
  /// Faults that have come since they were taken, in their order.
  private(set) var occurrences: [FaultPlan.Occurrence] = []

  init(_ plan: FaultPlan, seed: UInt64) {
    faults = plan.faults
    counters = plan.faults.map { _ in Counter() }
    random = SeededGenerator(seed: seed)
  }

  /// Notes that the fault at `index` goes wrong now.
  mutating func note(_ index: Int) {
    counters[index].told += 1
    // Bounded, because nobody may be collecting them.
    guard occurrences.count < ReceiverLimits.waitingFaults else { return }
    occurrences.append(.init(number: index + 1, text: faults[index].text, count: counters[index].told))
  }

  mutating func takeOccurrences() -> [FaultPlan.Occurrence] {
    defer { occurrences = [] }
    return occurrences
  }

  /// The faults that `event` brings, in the order of the plan.
  mutating func faults(at event: FaultPlan.Event) -> [(index: Int, fault: FaultPlan.Fault)] {
    var found: [(index: Int, fault: FaultPlan.Fault)] = []
    for (index, fault) in faults.enumerated() where fault.event == event {
      counters[index].seen += 1
      guard counters[index].seen.isMultiple(of: max(1, fault.every)),
        counters[index].fired < fault.times ?? .max
      else { continue }
      if fault.chance < 1, Double.random(in: 0..<1, using: &random) >= fault.chance { continue }
      counters[index].fired += 1
      found.append((index, fault))
    }
    return found
  }
}

extension FaultPlan.Request {
  /// What the request of a sender is; `nil`: none that faults know.
  init?(_ message: CastMessage, type: String?) {
    switch (message.namespace, type) {
    case (.receiver, "LAUNCH"): self = .launch
    case (.receiver, "STOP"): self = .stopApp
    case (.receiver, "SET_VOLUME"): self = .volume
    case (.receiver, "GET_STATUS"): return nil
    case (.media, "LOAD"), (.media, "QUEUE_LOAD"): self = .load
    case (.media, "PLAY"): self = .play
    case (.media, "PAUSE"): self = .pause
    case (.media, "STOP"): self = .stop
    case (.media, "SEEK"): self = .seek
    case (.media, "SET_PLAYBACK_RATE"): self = .rate
    case (.media, "EDIT_TRACKS_INFO"): self = .tracks
    case (.media, "SKIP_AD"): self = .skipAd
    case (.media, "GET_STATUS"): self = .refresh
    case (.media, let type?) where type.hasPrefix("QUEUE_"): self = .queue
    case (let namespace, _) where namespace.isOfPlatform: return nil
    default: self = .send
    }
  }
}
