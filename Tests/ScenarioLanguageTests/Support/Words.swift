@testable import ScenarioLanguage

/// What a reader says of a text: the value as text, or everything of its problem on one line.
enum ScalarWords {
  /// `T201: a duration needs a unit | 30 what? | at 0..<2 | help: … | note: …`; what is empty is left out.
  static func of(_ read: () throws -> some Any) -> String {
    do { return "\(try read())" } catch {
      guard let problem = error as? ScalarProblem else { return "another error" }
      var parts = ["\(problem.code): \(problem.message)"]
      if !problem.label.isEmpty { parts.append(problem.label) }
      if let range = problem.range { parts.append("at \(range.lowerBound)..<\(range.upperBound)") }
      return (parts + problem.footers.map(\.words)).joined(separator: " | ")
    }
  }
}

extension Diagnostic {
  /// `T210: expected a map, found a list | label | help: …`; what is empty is left out.
  var words: String {
    let label = primary.text.isEmpty ? [] : [primary.text]
    return (["\(code): \(message)"] + label + footers.map(\.words)).joined(separator: " | ")
  }
}

extension Diagnostic.Footer {
  fileprivate var words: String {
    switch self {
    case .help(let text): "help: \(text)"
    case .note(let text): "note: \(text)"
    }
  }
}
