/// How long content lasts, where whoever set up the receiver says so.
package struct ContentDurations: Hashable, Sendable {
  private let byAddress: [String: Duration]
  /// By the name of a file without its ending.
  private let byFile: [String: Duration]

  package init(byAddress: [String: Duration] = [:], byFile: [String: Duration] = [:]) {
    self.byAddress = byAddress
    self.byFile = byFile
  }

  /// What is known of the content at `address`: by the whole address, else by the name of its file.
  func duration(of address: String) -> Duration? {
    if byAddress.isEmpty, byFile.isEmpty { return nil }
    if let duration = byAddress[address] { return duration }
    let file = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    return byFile[String(file.prefix { $0 != "." })]
  }
}
