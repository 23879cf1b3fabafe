import CastProtocol
import FleetMessages

/// What goes wrong between clients and their broker. Times are in milliseconds of the simulation.
package enum BrokerFault: Hashable, Sendable {
  /// Each message takes so long, each way.
  case latency(ClosedRange<Int>)
  /// One in so many messages comes twice, as it does where an acknowledgement is lost between nodes.
  case duplicates(oneIn: Int)
  /// One in so many acknowledgements never comes back to who published.
  case lostAcknowledgements(oneIn: Int)
  /// A connection breaks.
  case cut(client: Int, at: Int, Notice)
  /// All connections end; nobody can connect for so long.
  case crash(at: Int, down: Int, BrokerModel.Survivors)
  /// What is retained is written down.
  case save(at: Int)
  /// Nothing goes either way for these clients, and nobody is told.
  case partition(clients: [Int], Range<Int>)
  /// Somebody connects with the client's name.
  case takeover(client: Int, at: Int)
  /// The broker does what it should not.
  case hostile(Range<Int>, [HostileAct])

  /// Who finds out at once that a connection broke; the other finds out when nothing is heard for long.
  package enum Notice: String, Hashable, Sendable, CaseIterable { case both, client, broker }

  /// When it is over, in milliseconds; `nil`: it never is.
  package var end: Int? {
    switch self {
    case .latency, .duplicates, .lostAcknowledgements: nil
    case .cut(_, let at, _), .takeover(_, let at), .save(let at): at
    case .crash(let at, let down, _): at + down
    case .partition(_, let range), .hostile(let range, _): range.upperBound
    }
  }
}

/// What a broker does that belongs to others, or is badly made.
package enum HostileAct: String, Hashable, Sendable, CaseIterable {
  /// Sends what it has seen before.
  case replay
  /// Sends bytes that are nothing.
  case garbage
  /// Sends what it has seen, with a byte changed.
  case twist
  /// Removes what is retained.
  case remove
  /// Sends much at once.
  case flood
  /// Sends on topics that nobody asked for, and what was meant for another there.
  case foreign
}

extension BrokerFault {
  /// Draws one to five faults; the same seed, the same faults.
  /// - Parameters:
  ///   - length: When the last begins at the latest, in milliseconds.
  ///   - clients: How many there are.
  package static func drawn(by seed: UInt64, length: Int, clients: Int) -> [BrokerFault] {
    var dice = SeededGenerator(seed: seed)
    var faults: [BrokerFault] = []
    for _ in 0...dice.next(below: 5) { faults.append(one(&dice, max(1, length), max(1, clients))) }
    return faults
  }

  private static func one(_ dice: inout SeededGenerator, _ length: Int, _ clients: Int) -> BrokerFault {
    func pick<T>(_ choices: [T]) -> T { choices[dice.next(below: choices.count)] }
    let (at, client) = (dice.next(below: length), dice.next(below: clients))
    switch dice.next(below: 16) {
    case 0, 1: return .latency(0...pick([5, 50, 400, 900]))
    case 2, 3: return .duplicates(oneIn: pick([1, 2, 5]))
    case 4: return .lostAcknowledgements(oneIn: pick([1, 2, 5]))
    case 5, 6: return .cut(client: client, at: at, pick(Notice.allCases))
    case 7, 8: return .crash(at: at, down: pick([100, 2_000, 20_000]), pick(BrokerModel.Survivors.allCases))
    case 9: return .save(at: at)
    case 10, 11:
      let others = (0..<clients).filter { _ in dice.next(below: 2) == 0 }
      return .partition(clients: others.isEmpty ? [client] : others, at..<at + pick([1_000, 15_000, 90_000]))
    case 12: return .takeover(client: client, at: at)
    default:
      let acts = HostileAct.allCases.filter { _ in dice.next(below: 2) == 0 }
      return .hostile(at..<at + pick([2_000, 10_000]), acts.isEmpty ? HostileAct.allCases : acts)
    }
  }
}
