import ArgumentParser
import CastReceiver
import ScenarioLanguage
import Simulation

/// The receivers that one call of `receive` starts, in their order: of a library that has several, else those that the
/// command line names.
struct ReceiverFleet {
  private(set) var configurations: [ReceiverConfiguration] = []
  /// By name, of those that the library gives one.
  private(set) var ports: [String: Int] = [:]

  /// - Parameters:
  ///   - receivers: What the command line says of all of them.
  ///   - seed: Gives each a seed, unless the library has one for it.
  init(_ receivers: VirtualReceivers, _ lab: ReceiverPlan?, seed: () -> UInt64) {
    guard let lab, !lab.receivers.isEmpty else {
      configurations = receivers.names.map {
        receivers.configuration(named: $0, apps: lab?.apps ?? [], seed: seed())
      }
      return
    }
    for receiver in lab.receivers {
      configurations.append(receivers.configuration(of: receiver, among: lab.receivers, seed: seed()))
      ports[receiver.name] = receiver.port
    }
  }

  /// Whether there is a group whose volume its members share.
  var hasGroup: Bool { configurations.contains { !$0.members.isEmpty } }

  /// Refuses options that say again, and otherwise, which receivers there are.
  static func check(_ lab: ReceiverPlan?, names: [String], count: Int?, group: String?) throws(ValidationError) {
    guard let lab, !lab.receivers.isEmpty else { return }
    for (option, isGiven) in [("--name", !names.isEmpty), ("--count", count != nil), ("--group", group != nil)] {
      if isGiven {
        throw ValidationError("\(option) is for one receiver: the library has \(lab.receivers.count) of its own")
      }
    }
  }
}
