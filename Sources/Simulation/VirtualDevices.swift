package import ScenarioLanguage
package import DeviceControl
import RunReporting
import CastProtocol

/// The virtual devices of a run: one for each that any of its documents' plans speaks of.
package struct VirtualDevices: Sendable {
  /// Their names and ids differ. Where they listen is for the caller to set.
  package var devices: [FoundDevice] = []
  /// The receiver pages of the inventory, by the places in ``devices`` of those that show them.
  private(set) var pages: [Int: String] = [:]
  /// For each selector that means one device: the places in ``devices`` of those that answer to it.
  private var made: [Plan.DeviceSelector: Set<Int>] = [:]

  /// - Parameter needs: What two plans ask for in the same words is one device.
  package init(for needs: VirtualDeviceNeeds) {
    var earlier: [Plan.DeviceSelector: [Int]] = [:]
    for wanted in needs.devices {
      var used: [Plan.DeviceSelector: Int] = [:]
      for wish in wanted {
        let selector = wish.selector
        let number = used[selector, default: 0]
        used[selector] = number + 1
        if let known = earlier[selector], number < known.count { continue }
        let index = index(answering: selector)
        earlier[selector, default: []].append(index)
        if needs.showsPages { pages[index] = selector.requirements.page }
        if wish.isOne { made[selector, default: []].insert(index) }
      }
    }
  }

  private mutating func index(answering selector: Plan.DeviceSelector) -> Int {
    var device = VirtualDevice.answering(selector)
    if let taken = devices.firstIndex(where: { $0.name == device.name }) {
      // All selectors with the same name get the same device.
      if selector.name != nil || selector.id != nil || selector.host != nil { return taken }
      let names = Set(devices.map(\.name))
      let name = device.name
      device.name = (2...(devices.count + 2)).lazy.map { "\(name) \($0)" }.first { !names.contains($0) } ?? name
      device.id = VirtualDevice.id(forName: device.name)
    }
    if selector.host == nil { device.address = HostAndPort(host: "127.0.0.1", port: 8009 + devices.count) }
    devices.append(device)
    return devices.count - 1
  }

  /// Those that fit a selector; a document of one device gets that one, whatever it asks.
  package func fitting(_ selector: Plan.DeviceSelector) -> [FoundDevice] {
    if devices.count == 1 { return devices }
    if let own = made[selector], own.count == 1, let index = own.first { return [devices[index]] }
    let fitting = devices.filter(selector.fits)
    if fitting.count > 1, let exact = fitting.first(where: { $0.name == selector.name }) { return [exact] }
    return fitting
  }
}
