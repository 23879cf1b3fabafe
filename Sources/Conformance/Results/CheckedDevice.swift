/// A device, and what the checks came to on it: one column of the matrix.
package struct CheckedDevice: Hashable, Sendable {
  package var name: String
  /// The id that it announces; `nil` where it told none.
  package var id: String?
  package var model: String?
  /// Its system's build; `nil` where it told none.
  package var firmware: String?
  /// The revision of its Cast software; `nil` where it told none.
  package var castVersion: String?
  /// As `--host` takes it.
  package var address: String
  /// When the first check began, in UTC: `2026-11-27T02:00:00.000Z`.
  package var time: String
  /// In the order in which they were run.
  package var checks: [ConformanceResult] = []

  package init(name: String, address: String, time: String) {
    (self.name, self.address, self.time) = (name, address, time)
  }

  /// `Chromecast Ultra`, or what it is called where it does not say what it is.
  package var title: String { model ?? name }

  /// `1.56.500000 (build 298112)`; `unknown` where it told nothing.
  package var versions: String {
    switch (castVersion, firmware) {
    case (let cast?, let firmware?): "\(cast) (build \(firmware))"
    case (let cast?, nil): cast
    case (nil, let firmware?): "build \(firmware)"
    case (nil, nil): "unknown"
    }
  }

  package func result(of check: String) -> ConformanceResult? { checks.first { $0.id == check } }

  /// Whether every check was judged, or left out for a reason of the device's: what is kept to compare with.
  package var isComplete: Bool {
    checks.allSatisfy { $0.verdict.isJudged || $0.verdict == .skipped }
  }

  /// Whether both are the same device: by their ids, else by their names.
  package func isSame(as other: CheckedDevice) -> Bool {
    if let id, let otherID = other.id { return id == otherID }
    return name == other.name
  }
}
