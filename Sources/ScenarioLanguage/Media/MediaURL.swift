/// What a receiver can make of a URL (C501, C502). Its general syntax is the scalar reader's business.
extension URLScalar {
  /// What keeps a receiver from fetching it; `key` is what the document writes before it (`load`, `url`).
  /// - Parameter areHere: Whether they run on this computer.
  func problemOfReceivers(after key: String, areHere: Bool = false) -> ScalarProblem? {
    if isFile { return nil }
    guard isWeb else {
      let suggestion = Suggestions.nearest(to: scheme, among: ["https", "http", "file"])
      return ScalarProblem(
        .c501, "\(ScalarText.quoted(scheme)) is not a URL scheme a receiver can fetch",
        label: Suggestions.label(suggestion), at: schemeRange,
        help: suggestion == nil ? "`https:` or `http:`, or `file:` for a file on this computer" : nil
      ).onCommandLine(nil)
    }
    guard !areHere, Self.isLoopback(host) else { return nil }
    let path = path.prefix { $0 != "?" && $0 != "#" }
    let file = ScalarText.shown(path.split(separator: "/").last.map(String.init) ?? "video.mp4")
    let value = key == "images" ? "[file:\(file)]" : "file:\(file)"
    return ScalarProblem(
      .c502, "the receiver would look for \(ScalarText.quoted(host)) on itself",
      label: "the TV fetches this, not this computer", at: hostRange,
      help: "`\(key): \(value)` serves the file from this computer under an address the TV can reach"
    ).onCommandLine("use the address that this computer has in the device's network")
  }

  /// Whether a host is the computer that looks for it.
  package static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "0.0.0.0" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    // `127.1` is the same address in fewer parts.
    return (2...4).contains(parts.count) && parts.first == "127" && parts.allSatisfy { ScalarText.isDigits($0) }
  }
}
