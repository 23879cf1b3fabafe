import ScenarioLanguage

/// What several documents that were run one after the other came to.
package struct SeriesVerdict: Sendable {
  /// What became of one document.
  package enum Ending: Hashable, Sendable {
    case ran(RunVerdict)
    /// Its run was never begun.
    case notRun

    /// The larger, the worse.
    fileprivate var rank: Int {
      switch self {
      case .ran(.passed): 0
      case .ran(.flaky): 1
      case .notRun: 2
      case .ran(.failed): 3
      case .ran(.error): 4
      }
    }
  }

  package struct Document: Hashable, Sendable {
    /// As named on the command line.
    package var file: String
    package var ending: Ending

    /// Whether it ran, and not well.
    var isBad: Bool { if case .ran(let result) = ending { !result.isGood } else { false } }

    package init(_ file: String, _ ending: Ending) {
      self.file = file
      self.ending = ending
    }
  }

  /// In the order in which they were to be run.
  package var documents: [Document]
  /// Seconds of all runs together, in the documents' time.
  package var seconds: Double
  package var exitCode: Int32

  package init(_ documents: [Document], seconds: Double, exitCode: Int32) {
    self.documents = documents
    self.seconds = seconds
    self.exitCode = exitCode
  }

  /// Counts a run: of several runs of one document, such as its shards, the worst counts.
  package mutating func add(_ document: Document, seconds: Double) {
    self.seconds += seconds
    guard let index = documents.firstIndex(where: { $0.file == document.file }) else {
      documents.append(document)
      return
    }
    if document.ending.rank > documents[index].ending.rank { documents[index] = document }
  }

  /// How many documents are named in a line.
  private static let shownNames = 8

  private func files(where isMeant: (Ending) -> Bool) -> [String] {
    documents.filter { isMeant($0.ending) }.map(\.file)
  }

  /// The worst result of those that were run; an error where one that should have been was not.
  package var result: RunVerdict {
    let ran = documents.compactMap { if case .ran(let result) = $0.ending { result } else { nil } }
    let worst = [RunVerdict.error, .failed, .flaky].first(where: ran.contains)
    if let worst, !worst.isGood { return worst }
    return ran.count < documents.count ? .error : worst ?? .passed
  }

  /// What no run says of the end: all that ran is good, and somebody ended what was to follow.
  var endNotice: RunNotice? {
    guard let first = documents.first(where: { $0.ending == .notRun }), !documents.contains(where: \.isBad) else {
      return nil
    }
    switch RunExit(rawValue: exitCode) {
    case .interrupted?: return .cut(first.file, because: "interrupted", at: 0)
    case .terminated?: return .cut(first.file, because: "terminated", at: 0)
    default: return nil
    }
  }

  /// `FAILED 1 of 3 documents: b.yaml in 12.3s · exit 1`.
  package var line: String {
    let bad = files { if case .ran(let result) = $0 { !result.isGood } else { false } }
    let flaky = files { $0 == .ran(.flaky) }
    let passed = files { if case .ran(let result) = $0 { result.isGood } else { false } }
    let notRun = files { $0 == .notRun }
    let all = "of \(documents.count) document\(documents.count == 1 ? "" : "s")"
    let named = result == .flaky ? flaky : bad
    let head = "\(passed.count) \(all)" + (result == .passed ? "" : " passed")
    var parts = [named.isEmpty ? head : "\(named.count) \(all): \(Self.list(named))"]
    if !notRun.isEmpty { parts.append("not run: \(Self.list(notRun))") }
    let word = result.rawValue.uppercased()
    return TerminalText.escaped(
      "\(word) \(parts.joined(separator: "; ")) in \(seconds.decimals(1, padded: true))s · exit \(exitCode)")
  }

  /// `a.yaml, b.yaml and 3 more`.
  package static func list(_ files: [String]) -> String {
    let shown = files.prefix(shownNames).joined(separator: ", ")
    return files.count > shownNames ? "\(shown) and \(files.count - shownNames) more" : shown
  }
}
