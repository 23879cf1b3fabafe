import Testing

/// A second, strict reading of Prometheus' text format 0.0.4: what `promtool check metrics` refuses is refused here, too.
struct PrometheusText {
  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }
  struct Wrong: Error, CustomStringConvertible { var description: String }

  private(set) var samples: [Sample] = []
  /// The kind of each family.
  private(set) var kinds: [String: String] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Wrong(description: "the last line has no line break") }
    var helped: Set<String> = []
    var family = ""
    var done: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
      if let match = line.wholeMatch(of: /# HELP ([a-z_:][a-z0-9_:]*) (.+)/) {
        guard helped.insert(String(match.1)).inserted else { throw Wrong(description: "two helps: \(line)") }
      } else if let match = line.wholeMatch(of: /# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)/) {
        let name = String(match.1)
        if !family.isEmpty { done.insert(family) }
        family = name
        guard helped.contains(name), kinds[name] == nil else {
          throw Wrong(description: "no help, or two types: \(line)")
        }
        kinds[name] = String(match.2)
      } else {
        let sample = try Self.sample(line)
        let endings = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard endings.contains(where: { sample.name == family + $0 }), !done.contains(family) else {
          throw Wrong(description: "a sample outside its family: \(line)")
        }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
          throw Wrong(description: "twice: \(line)")
        }
        samples.append(sample)
      }
    }
    try checkHistograms()
  }

  /// `name{label="value",...} number`; in values `\\`, `\"` and `\n` stand for what they are.
  private static func sample(_ line: String) throws -> Sample {
    let label = #"[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*""#
    let whole = try Regex("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{((?:\(label),?)*)\\})? ([^ ]+)")
    guard let match = line.wholeMatch(of: whole), let name = match.output[1].substring,
      let written = match.output[3].substring, let value = written == "+Inf" ? .infinity : Double(written)
    else { throw Wrong(description: "no sample: \(line)") }
    var labels: [String: String] = [:]
    for pair in (match.output[2].substring ?? "").matches(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/) {
      var text = ""
      var isEscaped = false
      for character in pair.2 {
        if isEscaped {
          text.append(character == "n" ? "\n" : character)
        } else if character != "\\" {
          text.append(character)
        }
        isEscaped = !isEscaped && character == "\\"
      }
      guard labels.updateValue(text, forKey: String(pair.1)) == nil else {
        throw Wrong(description: "a label twice: \(line)")
      }
    }
    return Sample(name: String(name), labels: labels, value: value)
  }

  /// Buckets only grow, the last is `+Inf` and equals the count, and there is a sum.
  private func checkHistograms() throws {
    for name in kinds.keys where kinds[name] == "histogram" {
      for count in samples where count.name == name + "_count" {
        let buckets = samples.filter { bucket in
          var labels = bucket.labels
          labels["le"] = nil
          return bucket.name == name + "_bucket" && labels == count.labels
        }
        let values = buckets.map(\.value)
        guard values == values.sorted(), buckets.last?.labels["le"] == "+Inf", values.last == count.value,
          samples.contains(where: { $0.name == name + "_sum" && $0.labels == count.labels })
        else { throw Wrong(description: "no histogram: \(name)") }
      }
    }
  }

  /// The first value of a name without its prefix, with these labels among its own.
  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { sample in
      sample.name == "showcaller_\(name)" && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }?.value
  }
}
