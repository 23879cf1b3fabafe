import CastProtocol
import DeviceControl
import ScenarioLanguage
import Synchronization

/// What was saved or set so far in a scenario: one write, one lookup.
final class Variables: Sendable {
  private let values = Mutex<[String: JSONValue]>([:])

  /// Everything, with what the surroundings of a step add to it.
  /// - Parameters:
  ///   - local: The values of loops, and what the last `exec` of a line wrote.
  ///   - facts: What is known of a device.
  func all(local: [String: JSONValue] = [:], facts: [String: JSONValue] = [:]) -> [String: JSONValue] {
    let values = values.withLock { $0 }
    if local.isEmpty, facts.isEmpty { return values }
    return values.merging(local) { $1 }.merging(facts) { $1 }
  }

  /// Gives a name a value, or none; names that loops and devices give are theirs.
  func set(_ value: JSONValue?, for name: String) {
    if name.isOfLoop || name.hasPrefix("device.") { return }
    values.withLock { $0[name] = value }
  }
}

extension String {
  /// Whether a loop gives the name its value.
  fileprivate var isOfLoop: Bool { self == "item" || self == "index" || hasPrefix("item.") }
}
