import CastProtocol

extension ReceiverPlan.Fault {
  /// The fault as an entry of `faults:` in one line: `{ at: load, answer: load_failed, code: 311 }`.
  package var text: String {
    var keys: [String] = []
    if let event { keys.append("at: \(event.rawValue)") }
    if after > .zero { keys.append("after: \(after.spelled)") }
    keys += action.keys
    if every != 1 { keys.append("every: \(every)") }
    if let times { keys.append("times: \(times)") }
    if chance < 1 { keys.append("chance: \((chance * 100).decimals(1))%") }
    return "{ \(keys.joined(separator: ", ")) }"
  }
}

extension ReceiverPlan.Fault.Action {
  fileprivate var keys: [String] {
    switch self {
    case .answer(.loadFailed, let code, _): ["answer: load_failed", "code: \(code)"]
    case .answer(let answer, _, let reason):
      ["answer: \(answer.rawValue)"] + (reason.map { ["reason: \(ScalarText.shown($0))"] } ?? [])
    case .ignore: ["accept_but_ignore: true"]
    case .lose(let loss, let time): ["drop: \(loss.rawValue)"] + Self.lasting(time)
    case .close(let time): ["close: connection"] + Self.lasting(time)
    case .delay(let time): ["delay: \(time.spelled)"]
    case .duplicate: ["duplicate: true"]
    case .reorder: ["reorder: true"]
    case .mute(let time): ["mute: true"] + Self.lasting(time)
    case .silence(let time): ["silence: true"] + Self.lasting(time)
    case .restart(let change, let time): ["restart: \(change.rawValue)"] + Self.lasting(time)
    case .takeover(_, let name): ["takeover: \(ScalarText.shown(name))"]
    case .player(.error, let code, _): ["player: error", "code: \(code)"]
    case .player(let player, _, let time): ["player: \(player.rawValue)"] + Self.lasting(time)
    case .stalePolls: ["status: stale_when_polled"]
    case .lateNamespaces(let time): ["status: without_namespaces"] + Self.lasting(time)
    case .frame(let frame): ["frame: \(frame.rawValue)"]
    case .slowReads(let rate): ["slow_reads: \(rate)"]
    case .auth(let proof): ["auth: \(proof.rawValue)"]
    }
  }

  private static func lasting(_ time: Duration?) -> [String] { time.map { ["for: \($0.spelled)"] } ?? [] }
}
