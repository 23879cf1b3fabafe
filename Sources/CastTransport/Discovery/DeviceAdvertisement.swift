/// What a virtual receiver says about itself by mDNS.
package struct DeviceAdvertisement: Hashable, Sendable {
  package var id: DeviceID
  package var name: String
  package var model: String
  package var capabilities: DeviceCapabilities
  /// What the running app shows; empty when idle.
  package var statusText: String
  package var isAppRunning: Bool
  /// 1 to 65535.
  package var port: Int

  package init(
    id: DeviceID, name: String, model: String, capabilities: DeviceCapabilities = [.videoOut, .audioOut],
    statusText: String = "", isAppRunning: Bool = false, port: Int
  ) {
    self.id = id
    self.name = name
    self.model = model
    self.capabilities = capabilities
    self.statusText = statusText
    self.isAppRunning = isAppRunning
    self.port = port
  }

  /// The model, at most 20 bytes with `-` for spaces, then the id without hyphens (docs/protocol.md 7.1).
  package var instanceName: String {
    var model = String(model.map { $0 == " " ? "-" : $0 })
    while model.utf8.count > 20 { model.removeLast() }
    var name = "\(model)-\(id.compact)"
    while name.utf8.count > 63 { name.removeLast() }
    return name
  }

  /// All keys of recorded devices, in their order (docs/protocol.md 7.1). What only Google's cloud gives out is made of the
  /// id, in the same form.
  var txt: TXTRecord {
    let isGroup = capabilities.contains(.multizoneGroup)
    var txt = TXTRecord()
    txt.set("id", isGroup ? id.description.uppercased() : id.compact)
    txt.set("cd", String(id.compact.reversed()).uppercased())
    txt.set("rm", "")
    txt.set("ve", "05")
    txt.set("md", model)
    txt.set("ic", "/setup/icon.png")
    txt.set("fn", name)
    txt.set("ca", String(capabilities.rawValue))
    txt.set("st", isAppRunning ? "1" : "0")
    txt.set("bs", "FA8FCA" + id.compact.suffix(6).uppercased())
    txt.set("nf", "1")
    txt.set("rs", statusText)
    return txt
  }
}
