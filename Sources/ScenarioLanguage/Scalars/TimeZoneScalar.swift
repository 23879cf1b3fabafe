/// Names of zones as documents write them.
extension TimeZoneDatabase {
  /// What is wrong with a name; without data only its spelling counts.
  mutating func problem(with text: String, wantsSuggestion: Bool) -> ScalarProblem? {
    do throws(ScalarProblem) {
      _ = try NameScalar.timeZone(text)
      // Each name is another file to look for, which is not worth it once nobody reads further errors.
      guard wantsSuggestion, isAvailable, rules(text) == nil else { return nil }
      return ScalarProblem(
        .t218, "unknown time zone \(ScalarText.quoted(text))", label: suggestion(text, wantsSuggestion))
    } catch {
      var problem = error
      problem.label = suggestion(text, wantsSuggestion)
      return problem
    }
  }

  private mutating func suggestion(_ text: String, _ isWanted: Bool) -> String {
    guard isWanted, text.utf8.count <= 64 else { return "" }
    let wanted = text.lowercased().replacing(" ", with: "_")
    // A city alone, or the whole in other letters.
    let city = names.first { name in
      let small = name.lowercased()
      return small == wanted || small.hasSuffix("/" + wanted)
    }
    return Suggestions.label(city ?? Suggestions.nearest(to: text, among: names))
  }
}

extension ScalarSpec {
  static let timeZone = ScalarSpec(
    "time zone", "a time zone", "a name of the IANA list: `Europe/Paris`", refused: "`CET+1`, `Paris`",
    pattern: "[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", examples: ["Europe/Paris"]
  ) { text, context throws(ScalarProblem) in
    if let problem = context.zones.problem(with: text, wantsSuggestion: context.allowsSuggestions) { throw problem }
    return .text
  }
}
