import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// The Test Anything Protocol, version 14: a subtest for each scenario (docs/runs.md "TAP").
  package static let tap = document("tap", "TAP 14, a subtest for each scenario", of: RunTranscript.self) {
    TAPDocument($0).text
  }
}

/// Runs as a TAP document.
struct TAPDocument {
  private var lines: [String] = []
  private var count = 0
  /// Why the tests end before all that were to be run.
  private var cut: RunNotice?

  init(_ parts: [ReportPart<RunResults>]) {
    for part in parts {
      switch part {
      case .run(let results):
        for suite in results.suites { add(suite) }
        if let notice = results.notice { add(notice) }
      case .notice(let notice): add(notice)
      }
    }
  }

  var text: String {
    // The plan stands first where all is known, so that a reader sees a file that was cut off.
    let head = ["TAP version 14", "1..\(count)"]
    return (head + lines).map { $0 + "\n" }.joined()
  }

  private mutating func add(_ suite: ReportSuite) {
    count += 1
    lines.append("# Subtest: \(Self.description(suite.title))")
    var inner = ["1..\(suite.cases.count)"]
    for (index, one) in suite.cases.enumerated() { inner += Self.test(one, index + 1) }
    lines += inner.map { "    " + $0 }
    let isGood = suite.result?.isGood ?? false
    lines.append("\(isGood ? "ok" : "not ok") \(count) - \(Self.description(suite.title))")
    lines += Self.block([
      ("duration_ms", String(Int(milliseconds: suite.duration))), ("rerun", Self.quoted(suite.rerun)),
    ])
  }

  private mutating func add(_ notice: RunNotice) {
    count += 1
    let name = Self.description(notice.file)
    if notice.reason == .notBegun {
      lines.append("ok \(count) - \(name) # SKIP \(Self.description(notice.message))")
      return
    }
    lines.append("not ok \(count) - \(name)")
    var members = [("message", Self.quoted(notice.message)), ("severity", "fail"), ("type", notice.reason.rawValue)]
    if !notice.detail.isEmpty { members.append(("detail", Self.quoted(notice.detail))) }
    lines += Self.block(members)
  }

  private static func test(_ one: ReportCase, _ number: Int) -> [String] {
    let name = description(one.section == "steps" ? one.name : "\(one.section): \(one.name)")
    var members: [(String, String)] = []
    var line = "\(one.outcome.word.isBad ? "not ok" : "ok") \(number) - \(name)"
    switch one.outcome {
    case .passed: break
    case .flaky: members.append(("severity", "comment"))
    case .failed(let finding), .error(let finding), .unfinished(let finding):
      members += [
        ("message", quoted(finding.message)), ("severity", "fail"), ("type", quoted(finding.type)),
        ("at", quoted(one.cause.text)), ("detail", quoted(finding.text)),
      ]
    case .skipped, .notRun, .stopped: line += " # SKIP \(description(one.outcome.reason ?? ""))"
    case .ignored:
      // TAP marks a failure that does not count as TODO.
      line = "not ok \(number) - \(name) # TODO \(description(one.outcome.reason ?? ""))"
    }
    if one.attempts > 1, !one.failedAttempts.isEmpty {
      members.append(
        ("failed_tries", "[\(one.failedAttempts.map { quoted($0.error.message) }.joined(separator: ", "))]"))
    }
    if let resumed = one.resumedText { members.append(("resumed", quoted(resumed))) }
    if let skew = one.skew { members.append(("skew_ms", String(Int(milliseconds: skew)))) }
    if one.startedAt != nil, one.duration > 0 {
      members.append(("duration_ms", String(Int(milliseconds: one.duration))))
    }
    return [line] + block(members)
  }

  /// A YAML block below a test.
  private static func block(_ members: [(name: String, value: String)]) -> [String] {
    members.isEmpty ? [] : ["  ---"] + members.map { "  \($0.name): \($0.value)" } + ["  ..."]
  }

  /// A text of YAML on one line, which JSON's is.
  private static func quoted(_ text: String) -> String { JSONValue.string(text).serialized() }

  /// A text on a line of TAP, where `#` begins a directive.
  private static func description(_ text: String) -> String {
    TerminalText.escaped(text.escapingScalars { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil })
  }
}

extension Int {
  /// Seconds as whole milliseconds; 0 for what is no time.
  init(milliseconds seconds: Double) {
    self = Int(exactly: (seconds * 1000).rounded()) ?? 0
  }
}
