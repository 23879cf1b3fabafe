package import FleetMessages

/// Which sites get a document when.
package struct RolloutWaves: Hashable, Sendable {
  /// The size of a wave, or who is in the first one.
  package enum Canary: Hashable, Sendable {
    case count(Int)
    case sites(SiteGlob)
  }

  package enum Size: Hashable, Sendable {
    case count(Int)
    /// Of all sites, 1 to 100.
    case percent(Int)
  }

  /// In turn; the first is the canary.
  package var waves: [[SiteName]]
  /// Sites that are not there: they find the document when they are back, after all others have shown that it is good.
  package var absent: [SiteName]

  /// - Parameters:
  ///   - sites: All that are to get it, and whether each is there.
  package init(_ sites: [SiteName: Bool], canary: Canary, size: Size) {
    absent = sites.filter { !$0.value }.keys.sorted()
    let present = sites.filter(\.value).keys.sorted()
    var first: [SiteName]
    switch canary {
    case .count(let count): first = Array(present.prefix(max(0, count)))
    case .sites(let glob): first = present.filter(glob.matches)
    }
    let canaries = Set(first)
    let rest = present.filter { !canaries.contains($0) }
    let step =
      switch size {
      case .count(let count): max(1, count)
      case .percent(let percent): max(1, (present.count * max(1, min(100, percent)) + 99) / 100)
      }
    waves = first.isEmpty ? [] : [first]
    for start in stride(from: 0, to: rest.count, by: step) {
      waves.append(Array(rest[start..<min(rest.count, start + step)]))
    }
  }

  /// One line each: `wave 1 (canary): 1 site: bar-nord`.
  package var lines: [String] {
    var lines = waves.enumerated().map { index, sites in
      "wave \(index + 1)\(index == 0 ? " (canary)" : ""): \(Self.names(sites))"
    }
    if !absent.isEmpty { lines.append("when they are back: \(Self.names(absent))") }
    return lines
  }

  /// `3 sites: a, b, c`, and no more than fit.
  package static func names(_ sites: [SiteName], most: Int = 5) -> String {
    let shown = sites.prefix(most).map(\.text).joined(separator: ", ")
    return "\(sites.count) \(sites.count == 1 ? "site" : "sites"): \(shown)\(sites.count > most ? ", ..." : "")"
  }
}
