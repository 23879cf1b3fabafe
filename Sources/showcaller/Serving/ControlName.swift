import ArgumentParser

/// A name under which a proxy with TLS has the control page.
struct ControlName: Hashable, Sendable {
  /// What browsers send in the header `Host`.
  let hosts: Set<String>

  /// Reads the value of `--control-name`.
  static func read(_ text: String) throws(ValidationError) -> ControlName {
    guard let match = text.lowercased().wholeMatch(of: /([a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:([0-9]{1,5}))?/),
      text.utf8.count <= 255
    else {
      throw ValidationError("it takes a name, such as screens.example.com or screens.example.com:8443")
    }
    let name = String(match.1)
    guard let port = match.4 else { return ControlName(hosts: [name, "\(name):443"]) }
    guard let number = Int(port), (1...65_535).contains(number) else { throw ValidationError("\(port) is no port") }
    // Browsers leave out the usual port.
    return ControlName(hosts: number == 443 ? [name, "\(name):443"] : ["\(name):\(number)"])
  }
}
