package import WebClient

/// Compares what this computer and a public resolver say of names: devices ask a resolver of their own.
package actor NameComparison {
  private let system: any NameLookup
  private let resolver: any NameLookup
  /// What people call the resolver.
  private let title: String
  private var known: [String: [ProbeFinding]] = [:]

  /// - Parameter resolver: Whom devices ask.
  package init(_ resolver: NameServer, system: any NameLookup = SystemNames()) {
    self.init(resolver, title: "\(resolver)", system: system)
  }

  init(_ resolver: any NameLookup, title: String, system: any NameLookup) {
    self.resolver = resolver
    self.title = title
    self.system = system
  }

  /// What a device would find otherwise than this computer; each name is asked for once.
  func findings(of url: WebURL, within limit: Duration) async -> [ProbeFinding] {
    guard !ProbeRules.isAddress(url.host) else { return [] }
    if let known = known[url.host] { return known.map { $0.at(url) } }
    let found = await compare(url, within: limit)
    known[url.host] = found
    return found
  }

  private func compare(_ url: WebURL, within limit: Duration) async -> [ProbeFinding] {
    let theirs: [String]
    do throws(WebError) {
      theirs = try await resolver.addresses(of: url.host, within: limit)
    } catch {
      return [
        ProbeFinding(
          .skipped, .warning, "what devices find for \(url.host) is not known: \(error.message)",
          help: "name another resolver with `--resolver`, or leave it out", at: "\(url)")
      ]
    }
    let ours = (try? await system.addresses(of: url.host, within: limit)) ?? []
    return Self.findings(ours: ours, theirs: theirs, title: title, url)
  }

  /// What two lists of addresses for a name mean. Pure.
  static func findings(ours: [String], theirs: [String], title: String, _ url: WebURL) -> [ProbeFinding] {
    guard !theirs.isEmpty else {
      return [
        ProbeFinding(
          .nameLocal, .error,
          ours.isEmpty
            ? "\(title) does not know the name \(url.host)" : "only this network knows \(url.host), \(title) does not",
          help: "devices that ask it find nothing: use the address, or make the name public", at: "\(url)")
      ]
    }
    // Large sites answer differently from place to place; inside or outside of this network is another thing.
    guard !ours.isEmpty, Set(ours).isDisjoint(with: theirs),
      ours.contains(where: isInside) != theirs.contains(where: isInside)
    else { return [] }
    func shown(_ list: [String]) -> String { list.prefix(2).joined(separator: ", ") + (list.count > 2 ? ", …" : "") }
    return [
      ProbeFinding(
        .nameDiffers, .warning, "\(url.host) is \(shown(ours)) here, and \(shown(theirs)) for \(title)",
        help: "devices that ask it go elsewhere: use the address, or one answer for all", at: "\(url)")
    ]
  }

  /// Addresses that are not of the Internet (RFC 1918, 3927, 4193, 4291, 6598, and loopback).
  static func isInside(_ address: String) -> Bool {
    if address.contains(":") {
      let text = address.lowercased()
      return text == "::1" || text == "::" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { text.hasPrefix($0) }
    }
    let parts = address.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 4 else { return false }
    switch (parts[0], parts[1]) {
    case (10, _), (127, _), (0, _), (192, 168), (169, 254): return true
    case (172, 16...31), (100, 64...127): return true
    default: return false
    }
  }
}

extension ProbeFinding {
  /// The same about another address of the same server.
  fileprivate func at(_ url: WebURL) -> ProbeFinding {
    var finding = self
    finding.url = "\(url)"
    return finding
  }
}
