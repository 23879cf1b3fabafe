import CastProtocol

/// Draws scripts: the same seed, the same script.
package struct ScriptDrawing {
  private var dice: SeededGenerator
  /// Of the run, in milliseconds.
  private let length: Int

  /// - Parameter length: How long a run of the document takes where all goes well, in seconds.
  package init(seed: UInt64, length: Double) {
    dice = SeededGenerator(seed: seed)
    self.length = max(1000, Int(length * 1000))
  }

  /// One to four things that go wrong.
  package mutating func script(seed: UInt64) -> FaultScript {
    var parts: [FaultScript.Part] = []
    for _ in 0...dice.next(below: 4) {
      let part = part()
      // One range of delays, of pieces and of stalls for all links.
      let isSecond = parts.contains { Self.kind($0) == Self.kind(part) && Self.kind(part) != "fault" }
      if !isSecond { parts.append(part) }
    }
    return FaultScript(seed: seed, parts)
  }

  private static func kind(_ part: FaultScript.Part) -> String {
    switch part {
    case .fault: "fault"
    case .delay: "delay"
    case .pieces: "pieces"
    case .stalls: "stalls"
    case .cut, .loss, .halfClose, .corrupt: "link"
    case .absence: "absence"
    case .powerCut: "power"
    case .interruption: "interruption"
    }
  }

  private mutating func part() -> FaultScript.Part {
    switch dice.next(below: 20) {
    case 0...9: return .fault(fault())
    case 10, 11: return .delay(0...pick([5, 40, 300, 1500]))
    case 12: return .pieces(1...pick([2, 7, 100]))
    case 13: return .stalls(oneIn: pick([3, 10]), pick([200, 1000, 4000]))
    case 14: return .cut(at: moment())
    case 15: return chance(2) ? .loss(bytes: pick([1, 4, 200]), at: moment()) : .corrupt(at: moment())
    case 16: return .halfClose(at: moment())
    case 17:
      let start = moment()
      return .absence(start..<start + pick([500, 5_000, 40_000]))
    case 18:
      let start = moment() + 1
      return .powerCut(start..<start + pick([500, 5_000, 40_000]))
    default: return .interruption(at: moment())
    }
  }

  // MARK: faults

  private static let requests = [
    "launch", "load", "play", "pause", "stop", "seek", "rate", "tracks", "volume", "queue", "refresh", "send",
    "stop_app", "skip_ad",
  ]
  private static let states = ["buffering", "playing", "paused", "idle"]

  /// An entry of `faults:`.
  package mutating func fault() -> String {
    var keys: [String] = []
    let request = chance(3) ? "load" : pick(Self.requests)
    let message = pick(Self.states + ["media_status", "message"])
    let either = chance(2) ? request : message
    let refused = request == "send" ? "load" : request
    switch dice.next(below: 22) {
    case 0:
      keys = ["at: load", "answer: load_failed", "code: \(pick([104, 311, 905]))"]
      if chance(2) { keys.append("after: \(pick([1, 5]))s") }
    case 1: keys = ["at: load", "answer: load_cancelled"]
    case 2: keys = ["at: \(refused)", "answer: invalid_request"]
    case 3: keys = ["at: \(refused)", "answer: invalid_player_state"]
    case 4: keys = ["at: launch", "answer: launch_error", "reason: \(pick(["NOT_FOUND", "CANCELLED"]))"]
    case 5: keys = ["at: \(request)", "answer: without_id"]
    case 6: keys = ["at: \(refused)", "accept_but_ignore: true"]
    case 7: keys = ["at: \(request)", "drop: \(pick(["request", "answer"]))"]
    case 8: keys = ["at: \(message)", "drop: message"]
    case 9: keys = happening() + ["drop: connection"] + time()
    case 10: keys = happening() + ["close: connection"] + time()
    case 11: keys = ["at: \(either)", "delay: \(pick(["50ms", "1s", "6s", "40s"]))"]
    case 12: keys = ["at: \(either)", "duplicate: true"]
    case 13: keys = ["at: \(either)", "reorder: true"]
    case 14: keys = happening() + ["mute: true"] + time()
    case 15: keys = happening() + ["silence: true"] + time()
    case 16: keys = happening() + ["restart: \(pick(["same", "certificate", "port"]))"] + time()
    case 17: keys = happening() + ["takeover: \(pick(["YouTube", "Netflix", "default"]))"]
    case 18:
      let kind = pick(["error", "stall", "freeze"])
      keys = happening() + ["player: \(kind)"] + (kind == "error" ? ["code: 315"] : time())
    case 19:
      keys = chance(2) ? ["status: stale_when_polled"] : ["at: launch", "status: without_namespaces"] + time()
    case 20: keys = ["at: \(either)", "frame: \(pick(["oversized", "malformed", "broken_text"]))"]
    default: keys = ["slow_reads: \(pick([200, 2000, 20_000]))"]
    }
    if chance(2), keys.contains(where: { $0.hasPrefix("at: ") }) { keys.append("times: \(pick([1, 2]))") }
    if chance(4) { keys.append("every: \(pick([2, 3]))") }
    if chance(5) { keys.append("chance: \(pick([20, 60]))%") }
    return "{ \(keys.joined(separator: ", ")) }"
  }

  /// When something happens by itself.
  private mutating func happening() -> [String] {
    switch dice.next(below: 3) {
    case 0: ["after: \(moment())ms"]
    case 1: ["at: \(pick(Self.states + ["load", "launch", "connect", "message"]))"]
    default: ["at: \(pick(Self.states + Self.requests))", "after: \(pick([100, 1_000, 7_000]))ms"]
    }
  }

  private mutating func time() -> [String] { chance(2) ? ["for: \(pick(["500ms", "4s", "30s"]))"] : [] }

  // MARK: dice

  private mutating func moment() -> Int { dice.next(below: length + length / 4) }
  private mutating func chance(_ oneIn: Int) -> Bool { dice.next(below: oneIn) == 0 }
  private mutating func pick<T>(_ choices: [T]) -> T { choices[dice.next(below: choices.count)] }
}
