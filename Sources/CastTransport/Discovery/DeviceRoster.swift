/// The devices of a network by their ids: makes of single services coming and going what happened to a device.
///
/// A group that gets another leader, or a device with a new address, is one that moved, whichever of the two records goes
/// or comes first.
package struct DeviceRoster: Sendable {
  /// What happened to a device.
  package enum Event: Hashable, Sendable {
    case came(DeviceRecord)
    /// Its address or port is another; the rest may be, too.
    case moved(from: DeviceRecord, to: DeviceRecord)
    /// It says something else of itself.
    case changed(from: DeviceRecord, to: DeviceRecord)
    case gone(DeviceRecord)
  }

  /// In the order they came; two services of one id are both here.
  private var services: [DeviceRecord] = []
  /// What was told last of each id.
  private var told: [DeviceID: DeviceRecord] = [:]

  package init() {}

  /// What a change of a service means.
  package mutating func receive(_ change: DeviceChange) -> Event? {
    switch change {
    case .found(let record):
      services.removeAll { $0.instanceName == record.instanceName }
      services.append(record)
      return tell(record)
    case .updated(let record):
      let before = services.first { $0.instanceName == record.instanceName }
      if let index = services.firstIndex(where: { $0.instanceName == record.instanceName }) {
        services[index] = record
      } else {
        services.append(record)
      }
      // A service that takes another id is another device.
      if let before, before.id != record.id, !services.contains(where: { $0.id == before.id }) {
        told[before.id] = nil
      }
      return tell(record)
    case .removed(let record):
      services.removeAll { $0.instanceName == record.instanceName }
      // The same device elsewhere was told of when it came there.
      if let other = services.last(where: { $0.id == record.id }) {
        return told[record.id]?.instanceName == record.instanceName ? tell(other) : nil
      }
      return told.removeValue(forKey: record.id).map { .gone($0) }
    }
  }

  private mutating func tell(_ record: DeviceRecord) -> Event? {
    guard let before = told.updateValue(record, forKey: record.id) else { return .came(record) }
    // One more address, or one less that was not used, is no move.
    if before.port != record.port || !record.addresses.contains(before.preferredHost) {
      return .moved(from: before, to: record)
    }
    var same = record
    (same.instanceName, same.host, same.addresses) = (before.instanceName, before.host, before.addresses)
    return same == before ? nil : .changed(from: before, to: record)
  }
}
