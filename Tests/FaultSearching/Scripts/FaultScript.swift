import CastTransport
package import ScenarioLanguage
package import Simulation

/// What goes wrong in one run: parts that can be left out one at a time, and a seed for all that is left to chance.
package struct FaultScript: Hashable, Sendable {
  /// One thing that goes wrong. Times are in milliseconds of the simulation.
  package enum Part: Hashable, Sendable {
    /// An entry of `faults:` of a library.
    case fault(String)
    /// Each write takes so long.
    case delay(ClosedRange<Int>)
    /// Writes arrive in pieces of so many bytes.
    case pieces(ClosedRange<Int>)
    /// One in so many writes is held up for so long.
    case stalls(oneIn: Int, Int)
    /// The cable is pulled; later connections are whole.
    case cut(at: Int)
    /// So many bytes to the sender are lost.
    case loss(bytes: Int, at: Int)
    /// The receiver's direction ends, and it is not told.
    case halfClose(at: Int)
    /// A byte to the sender arrives changed: nothing that TLS would let pass, and it must not cause a hang.
    case corrupt(at: Int)
    /// New connections are not answered.
    case absence(Range<Int>)
    /// The device has no power.
    case powerCut(Range<Int>)
    /// The user wants the run to end; serving is stopped for a moment and begins again.
    case interruption(at: Int)
  }

  package var seed: UInt64
  package var parts: [Part]

  package init(seed: UInt64, _ parts: [Part]) {
    self.seed = seed
    self.parts = parts
  }

  /// Its entries of `faults:`.
  package var faults: [String] { parts.compactMap { if case .fault(let line) = $0 { line } else { nil } } }

  /// A library with its faults; `nil` where it has none.
  package var library: String? {
    faults.isEmpty ? nil : "library: Found by a search\nfaults:\n" + faults.map { "  - \($0)\n" }.joined()
  }

  package struct NoPlan: Error, CustomStringConvertible {
    package var description: String
  }

  /// Its faults, compiled as any library is.
  package func plan() throws -> ReceiverPlan? {
    guard let library else { return nil }
    let outcome = PlanCompiler.compile(SourceFile(name: "lab.yaml", bytes: Array(library.utf8)))
    guard case .library(_, _, let receiver)? = outcome.document, outcome.diagnostics.isEmpty else {
      throw NoPlan(description: outcome.diagnostics.map { "\($0.code) \($0.message)" }.joined(separator: "; "))
    }
    return receiver
  }

  package var link: LinkScript {
    var link = LinkScript()
    for part in parts {
      switch part {
      case .delay(let range): link.delay = .milliseconds(range.lowerBound) ... .milliseconds(range.upperBound)
      case .pieces(let range): link.pieces = range
      case .stalls(let oneIn, let length): link.stalls = .init(oneIn: oneIn, for: .milliseconds(length))
      case .cut(let at): link.faults.append(.init(.cut, at: .time(.milliseconds(at))))
      case .loss(let bytes, let at): link.faults.append(.init(.drop(bytes), at: .time(.milliseconds(at)), .toSender))
      case .halfClose(let at): link.faults.append(.init(.halfClose, at: .time(.milliseconds(at)), .toSender))
      case .corrupt(let at): link.faults.append(.init(.corrupt, at: .time(.milliseconds(at)), .toSender))
      case .fault, .absence, .powerCut, .interruption: break
      }
    }
    return link
  }

  package var presence: DevicePresence {
    var presence = DevicePresence()
    for part in parts {
      switch part {
      case .absence(let range):
        presence.absences.append(.milliseconds(range.lowerBound) ..< .milliseconds(range.upperBound))
      case .powerCut(let range):
        presence.powerCuts.append(.milliseconds(range.lowerBound) ..< .milliseconds(range.upperBound))
      case .fault, .delay, .pieces, .stalls, .cut, .loss, .halfClose, .corrupt, .interruption: break
      }
    }
    presence.powerCuts.sort { $0.lowerBound < $1.lowerBound }
    return presence
  }

  /// When the user wants the run to end.
  package var interruption: Duration? {
    parts.compactMap { part -> Int? in if case .interruption(let at) = part { at } else { nil } }.min()
      .map { .milliseconds($0) }
  }

  /// Whether all that a receiver sends arrives, in time or late, or the connection ends and both sides are told.
  package var isFaithful: Bool {
    parts.allSatisfy { part in
      switch part {
      case .cut, .loss, .halfClose, .corrupt, .powerCut: false
      // Statuses that are late or have lost their request are known late, or not at all.
      case .fault(let text): !["delay:", "without_id"].contains { text.contains($0) }
      case .delay, .pieces, .stalls, .absence, .interruption: true
      }
    }
  }

  /// Whether what arrives was sent so.
  package var isTrue: Bool {
    parts.allSatisfy { part in
      switch part {
      case .loss, .corrupt: false
      case .fault, .delay, .pieces, .stalls, .cut, .halfClose, .absence, .powerCut, .interruption: true
      }
    }
  }

  /// How late a message may come at most, unless it is lost, in seconds.
  package var lag: Double {
    parts.reduce(0.01) { lag, part in
      switch part {
      case .delay(let range): lag + Double(range.upperBound) / 1000
      // One stall may follow another.
      case .stalls(_, let length): lag + Double(length) * 4 / 1000
      case .fault, .pieces, .cut, .loss, .halfClose, .corrupt, .absence, .powerCut, .interruption: lag
      }
    }
  }
}
