import Synchronization

/// Keeps the volumes of a group and of its members in step.
package final class SharedVolumes: Sendable {
  private let receivers = Mutex<[VirtualReceiver]>([])

  package init() {}

  /// Has the receiver that is made of `configuration` tell of its volumes.
  package func join(_ configuration: inout ReceiverConfiguration) {
    let id = configuration.id
    configuration.volumeChanged = { [self] change in pass(change, from: id) }
  }

  /// Has it follow what the others tell.
  package func add(_ receiver: VirtualReceiver) { receivers.withLock { $0.append(receiver) } }

  private func pass(_ change: ReceiverConfiguration.VolumeChange, from id: String) {
    let receivers = receivers.withLock { $0 }
    for (index, change) in Self.followers(of: change, from: id, among: receivers.map(\.configuration)) {
      receivers[index].follow(change)
    }
  }

  /// What a member set is told to groups, what a group set to the member that is meant.
  static func followers(
    of change: ReceiverConfiguration.VolumeChange, from id: String, among receivers: [ReceiverConfiguration]
  ) -> [(index: Int, change: ReceiverConfiguration.VolumeChange)] {
    receivers.enumerated().compactMap { index, receiver in
      var change = change
      if let member = change.memberID {
        guard receiver.id == member else { return nil }
        change.memberID = nil
      } else {
        guard receiver.members.contains(where: { $0.id == id }) else { return nil }
        change.memberID = id
      }
      return (index, change)
    }
  }
}
