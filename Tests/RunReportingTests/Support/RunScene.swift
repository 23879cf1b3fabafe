import CastProtocol

@testable import RunReporting

/// Runs as lists of short lines: `2.4 step.finished s1 @hub {"result":"passed"}` is an event at 2.4 s, of step `s1`,
/// on device `hub`; `@` alone is on none, and without it `tv` is meant.
enum RunScene {
  struct Unreadable: Error { var line: String }

  static func events(_ lines: [String]) throws -> [Event] {
    try lines.enumerated().map { index, line in
      let brace = line.firstIndex(of: "{") ?? line.endIndex
      var words = line[..<brace].split(separator: " ").map(String.init)
      guard words.count >= 2, let elapsed = Double(words[0]),
        let type = EventType(rawValue: words[1])
      else {
        throw Unreadable(line: line)
      }
      words.removeFirst(2)
      let isOfRun = type == .runStarted || type == .runFinished
      var device: String? = isOfRun ? nil : "tv"
      if let place = words.firstIndex(where: { $0.hasPrefix("@") }) {
        let name = words.remove(at: place).dropFirst()
        device = name.isEmpty ? nil : String(name)
      }
      let json =
        brace == line.endIndex ? nil : try JSONValue(parsing: String(line[brace...])).object
      return Event(
        number: index + 1, wallTime: 1_795_251_600 + elapsed, elapsed: elapsed, type: type,
        document: isOfRun ? nil : "ads", device: device, step: words.first, fields: json ?? [:])
    }
  }

  /// How a run of `qa/ads.yaml` begins.
  static let begin =
    #"0 run.started {"run":"r1","tool":"showcaller 0.4.0","language":1,"seed":7,"host":"ci-12","argv":[],"#
    + #""docs":[{"doc":"ads","kind":"scenario","file":"qa/ads.yaml","sha256":"9f2c41","tags":[]}]}"#

  /// The device is there.
  static let device = [
    #"0.1 device.found {"name":"Living Room TV","id":"8e2d","model":"Chromecast","ip":"192.0.2.14","port":8009,"#
      + #""via":"mdns"}"#,
    #"0.2 device.connected {"tls":"TLSv1.2","auth":"verified","firmware":"1.68","latencyMs":4}"#,
  ]

  /// How it ends.
  static func end(_ seconds: Double, _ result: RunVerdict, exit: Int, counts: String = "{}")
    -> String
  {
    #"\#(seconds) run.finished {"run":"r1","result":"\#(result.rawValue)","exit":\#(exit),"events":0,"#
      + #""scenarios":\#(counts)}"#
  }

  /// How a step begins that stands in a line of `qa/ads.yaml`.
  static func step(
    _ seconds: Double, _ id: String, _ verb: String, _ name: String, line: Int, more: String = ""
  ) -> String {
    #"\#(seconds) step.started \#(id) {"verb":"\#(verb)","name":"\#(name)","file":"qa/ads.yaml","line":\#(line),"#
      + #""column":5,"deadline":\#(seconds + 10)\#(more)}"#
  }

  /// What all its scenario came to.
  static func finished(
    _ seconds: Double, _ result: RunVerdict, _ counts: String, duration: Double, more: String = ""
  ) -> String {
    #"\#(seconds) scenario.finished {"result":"\#(result.rawValue)",\#(counts),"duration":\#(duration)\#(more)}"#
  }

  /// The document that steps stand in.
  static let source = (1...12).map { "  - line\($0): with some words in it" }.joined(
    separator: "\n")
}
