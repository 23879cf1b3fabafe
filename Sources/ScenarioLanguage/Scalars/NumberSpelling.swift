extension Double {
  /// Whether two numbers are the same but for rounding on the way: levels and rates pass through 32-bit floats on some
  /// devices, which leaves seven digits.
  package func isClose(to other: Double) -> Bool {
    Swift.abs(self - other) <= 1e-6 * Swift.max(1, magnitude, other.magnitude)
  }

  /// The number with at most `places` (0 to 6) decimals; `padded` keeps trailing zeros: `18.0`.
  package func decimals(_ places: Int, padded: Bool = false) -> String {
    guard isFinite else { return self > 0 ? "inf" : isNaN ? "nan" : "-inf" }
    let scale = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][Swift.min(Swift.max(places, 0), 6)]
    guard let units = Int(exactly: (magnitude * Double(scale)).rounded()) else { return "\(self)" }
    let sign = self < 0 && units != 0 ? "-" : ""
    var fraction = String(units % scale + scale).dropFirst()
    if !padded { while fraction.last == "0" { fraction.removeLast() } }
    return fraction.isEmpty ? "\(sign)\(units / scale)" : "\(sign)\(units / scale).\(fraction)"
  }
}

extension Duration {
  /// The duration as documents spell it, exact to the millisecond: `1h30m`, `2m5.5s`, `500ms`, `0s`.
  package var spelled: String {
    let (seconds, attoseconds) = components
    let isNegative = seconds < 0 || attoseconds < 0
    let (magnitude, overflow) = Int(seconds.magnitude).multipliedReportingOverflow(by: 1_000)
    if overflow { return "\(seconds)s" }
    var rest = magnitude + Int((attoseconds.magnitude + 500_000_000_000_000) / 1_000_000_000_000_000)
    if rest == 0 { return "0s" }
    if rest < 1_000 { return "\(isNegative ? "-" : "")\(rest)ms" }
    var text = isNegative ? "-" : ""
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] where rest >= length {
      text += "\(rest / length)\(unit)"
      rest %= length
    }
    if rest > 0 { text += "\((Double(rest) / 1_000).decimals(3))s" }
    return text
  }
}
