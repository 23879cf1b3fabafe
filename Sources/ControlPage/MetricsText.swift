/// Writes the text format of Prometheus.
struct MetricsText {
  typealias Sample = (labels: [(String, String)], value: Double)

  enum Kind: String { case gauge, counter, histogram }

  private(set) var text = ""

  /// All samples of one name.
  mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    head(name, kind, help)
    for sample in samples { line(name, sample.labels, Self.number(sample.value)) }
  }

  /// - Parameter samples: Counts up to each bound, after those of all, and the sum.
  mutating func histogram(
    _ name: String, _ help: String, bounds: [Double],
    _ samples: [(labels: [(String, String)], counts: [Int], sum: Double)]
  ) {
    guard !samples.isEmpty else { return }
    head(name, .histogram, help)
    let words = bounds.map(Self.number) + ["+Inf"]
    for sample in samples {
      for (bound, count) in zip(words, sample.counts) {
        line(name + "_bucket", sample.labels + [("le", bound)], "\(count)")
      }
      line(name + "_sum", sample.labels, Self.number(sample.sum))
      line(name + "_count", sample.labels, "\(sample.counts.last ?? 0)")
    }
  }

  private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP showcaller_\(name) \(help)\n# TYPE showcaller_\(name) \(kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    let labels = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += "showcaller_\(name){\(labels)} \(value)\n"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n", "\r\n", "\r": "\\n"
      default: String(character)
      }
    }.joined()
  }
}
