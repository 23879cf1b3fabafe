import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// A page for people, such as the summary of a GitHub workflow (docs/runs.md "GitHub").
  package static let markdown = document("markdown", "a summary in Markdown", of: RunTranscript.self) {
    MarkdownDocument($0).text
  }
}

/// Runs as a table of scenarios, and what failed below it.
struct MarkdownDocument {
  /// GitHub takes 1 MiB a page; what is more is counted.
  private static let byteLimit = 900_000
  private static let detailLimit = 8_000

  private var rows: [String] = []
  private var findings: [String] = []
  private var leftOut = 0
  private var bytes = 0
  private var seconds = 0.0
  private var words: [ReportCase.Outcome.Word: Int] = [:]
  private var isGood = true

  init(_ parts: [ReportPart<RunResults>]) {
    for part in parts {
      switch part {
      case .run(let results): add(results)
      case .notice(let notice): add(notice)
      }
    }
  }

  var text: String {
    let counted = ReportCase.Outcome.Word.allCases.compactMap { word in
      words[word].map { "\($0) \(word.rawValue.replacing("_", with: " "))" }
    }
    let head = [
      "### \(isGood ? "✅ passed" : "❌ failed")" + (counted.isEmpty ? "" : ": \(counted.joined(separator: ", "))")
        + " in \(seconds.decimals(1, padded: true)) s", "",
      "| | scenario | device | passed | failed | not run | other | time |",
      "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    var lines = head + rows + findings
    if leftOut > 0 { lines += ["", "\(leftOut) more are not shown here."] }
    return lines.map { $0 + "\n" }.joined()
  }

  private mutating func add(_ results: RunResults) {
    seconds += results.seconds
    // Such as for flaky steps with --fail-on-flaky.
    if let finished = results.finished, finished.exit != 0 { isGood = false }
    for suite in results.suites { add(suite) }
    for repeated in results.repeated {
      if let line = admitted("\n**\(Self.cell(repeated.title))**: \(repeated.result.rawValue), \(repeated.text)") {
        findings.append(line)
      }
    }
    if let notice = results.notice { add(notice) }
  }

  private mutating func add(_ suite: ReportSuite) {
    for one in suite.cases { words[one.outcome.word, default: 0] += 1 }
    let isGood = suite.result?.isGood ?? false
    if !isGood { self.isGood = false }
    let symbol = !isGood ? "❌" : suite.result == .flaky ? "⚠️" : "✅"
    let good = suite.count { $0 == .passed || $0 == .flaky }
    let bad = suite.count(\.isBad)
    row([
      symbol, Self.cell(suite.title), Self.cell(suite.deviceText), "\(good)", "\(bad)",
      "\(suite.count { $0 == .notRun || $0 == .skipped })", "\(suite.count { $0 == .ignored || $0 == .stopped })",
      "\(suite.duration.decimals(1, padded: true)) s",
    ])
    for one in suite.cases {
      let title = "\(suite.title): \(one.name)"
      if let finding = one.outcome.finding {
        tell(title, finding.message, finding.text)
      } else if one.outcome.word == .flaky {
        let tries = one.failedAttempts.map { "try \($0.attempt) of \(one.attempts): \($0.error.message)" }
        tell(title, "passed, but not at once", tries.joined(separator: "\n"))
      }
      if let skew = one.skew, let line = admitted("\n\(Self.cell(title)): \(skew.decimals(3)) s apart") {
        findings.append(line)
      }
    }
  }

  private mutating func add(_ notice: RunNotice) {
    let isSkipped = notice.reason == .notBegun
    if !isSkipped { isGood = false }
    row([isSkipped ? "➖" : "❌", Self.cell("\(notice.file): \(notice.message)"), "", "", "", "", "", ""])
    if !isSkipped, !notice.detail.isEmpty { tell(notice.file, notice.message, notice.detail) }
  }

  private mutating func row(_ cells: [String]) {
    if let line = admitted("| \(cells.joined(separator: " | ")) |") { rows.append(line) }
  }

  /// The text where there is room for it; else it is counted.
  private mutating func admitted(_ text: String) -> String? {
    guard bytes + text.utf8.count <= Self.byteLimit else {
      leftOut += 1
      return nil
    }
    bytes += text.utf8.count + 1
    return text
  }

  private mutating func tell(_ title: String, _ message: String, _ detail: String) {
    let detail = detail.count > Self.detailLimit ? detail.prefix(Self.detailLimit) + "…" : detail
    // A fence longer than any in the text cannot be closed by it.
    let fence = String(repeating: "`", count: max(3, Self.longestRun(of: "`", in: detail) + 1))
    let message = message.count > Self.detailLimit ? message.prefix(Self.detailLimit) + "…" : message
    let text = "\n**\(Self.cell(title))**: \(Self.cell(message))\n\n\(fence)text\n\(detail)\n\(fence)"
    if let text = admitted(text) { findings.append(text) }
  }

  private static let markup = Set("\\`*_[]<>|#&~!$@".unicodeScalars)

  private static func longestRun(of character: Unicode.Scalar, in text: String) -> Int {
    var (longest, current) = (0, 0)
    for one in text.unicodeScalars {
      current = one == character ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }

  /// A text on one line of Markdown, where none of it is markup.
  private static func cell(_ text: String) -> String {
    TerminalText.escaped(text).escapingScalars { markup.contains($0) ? "\\\($0)" : nil }
  }
}
