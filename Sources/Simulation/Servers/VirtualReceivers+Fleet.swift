import CastProtocol
package import CastReceiver
import CastTransport
package import ScenarioLanguage

/// Virtual receivers as a library has them.
extension VirtualReceivers {
  /// What the one receiver of a library is: what the command line says, and its apps.
  package func configuration(named name: String, apps: [ReceiverPlan.App], seed: UInt64) -> ReceiverConfiguration {
    var configuration = configuration(named: name, seed: seed)
    for app in apps { configuration.offer(app) }
    return configuration
  }

  /// What one of several is.
  /// - Parameter all: Among them are the members of a group.
  package func configuration(
    of receiver: ReceiverPlan.Receiver, among all: [ReceiverPlan.Receiver], seed: UInt64
  ) -> ReceiverConfiguration {
    var configuration = configuration(
      named: receiver.name, apps: receiver.apps, seed: receiver.seed.map { UInt64($0) } ?? seed)
    configuration.id = receiver.deviceID
    if model == nil, let own = receiver.model { configuration.model = own }
    if !receiver.members.isEmpty {
      configuration.model = Self.groupModel
      configuration.members = all.filter { receiver.members.contains($0.name) }.map {
        .init(id: $0.deviceID, name: $0.name)
      }
    }
    return configuration
  }
}

extension ReceiverPlan.Receiver {
  fileprivate var deviceID: String {
    id.flatMap { DeviceID($0) }?.description ?? VirtualDevice.id(forName: name)
  }
}

extension ReceiverConfiguration {
  /// Lets an app be launched.
  fileprivate mutating func offer(_ app: ReceiverPlan.App) {
    appIDs.insert(app.id)
    customNamespaces[app.id, default: []] += app.namespaces.map { Namespace(rawValue: $0) }
    if let title = app.title { appNames[app.id] = title }
    guard let types = app.types, pageAddresses[app.id] == nil else { return }
    if types.isEmpty { plainAppIDs.insert(app.id) } else { appTypes[app.id] = types }
  }
}
