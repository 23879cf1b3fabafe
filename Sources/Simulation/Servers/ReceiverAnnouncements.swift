import CastReceiver
import CastTransport
import RunReporting
import Synchronization

/// What the network is told of virtual receivers, kept up to date: what they show, where they listen, and whether they have
/// power.
final class ReceiverAnnouncements: Sendable {
  private struct Entry {
    var advertisement: DeviceAdvertisement?
    var isAway = false

    var visible: DeviceAdvertisement? { isAway || advertisement?.port == 0 ? nil : advertisement }
  }

  private struct State {
    var entries: [Entry]
    var advertiser: DeviceAdvertiser?
  }

  private let state: Mutex<State>

  init(_ configurations: [ReceiverConfiguration]) {
    let entries = configurations.map { configuration in
      Entry(
        advertisement: DeviceID(configuration.id).map {
          DeviceAdvertisement(
            id: $0, name: configuration.name, model: configuration.model,
            capabilities: DeviceCapabilities(rawValue: UInt64(configuration.capabilities)), port: 0)
        })
    }
    state = Mutex(State(entries: entries))
  }

  /// Tells the network of all of them.
  func begin() async throws(ReceiverServerError) {
    // All of them, since none can have lost its power before: so each is at its index.
    let devices = state.withLock { $0.entries.compactMap(\.visible) }
    do {
      let advertiser = try await DeviceAdvertiser.advertise(
        devices, limit: .seconds(5) + .milliseconds(20) * devices.count)
      state.withLock { state in
        state.advertiser = advertiser
        // Something may have changed meanwhile.
        for index in state.entries.indices { advertiser.update(index, state.entries[index].visible) }
      }
    } catch {
      let names = devices.count == 1 ? devices[0].name : "\(devices.count) receivers"
      throw ReceiverServerError(
        .noDevice, "cannot announce \(names): \(error.message)",
        help: error.code == .discoveryUnavailable
          ? "install and start avahi-daemon, or leave out --advertise and give senders the address" : error.help)
    }
  }

  func end() async {
    let advertiser = state.withLock { state in
      defer { state.advertiser = nil }
      return state.advertiser
    }
    await advertiser?.close()
  }

  /// The receiver at `index` shows something else.
  func shows(_ showing: ReceiverConfiguration.Showing, at index: Int) {
    change(index) { entry in
      entry.advertisement?.statusText = showing.statusText
      entry.advertisement?.isAppRunning = showing.isAppRunning
    }
  }

  /// It listens at `port`.
  func listens(at port: Int, at index: Int) { change(index) { $0.advertisement?.port = port } }

  /// It has power, or none.
  func setAway(_ isAway: Bool, at index: Int) { change(index) { $0.isAway = isAway } }

  private func change(_ index: Int, _ change: (inout Entry) -> Void) {
    state.withLock { state in
      guard state.entries.indices.contains(index) else { return }
      let before = state.entries[index].visible
      change(&state.entries[index])
      let visible = state.entries[index].visible
      if visible != before { state.advertiser?.update(index, visible) }
    }
  }
}
