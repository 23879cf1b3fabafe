/// The tables of the reference pages, in Markdown, made from the same tables as the checker, `explain` and the schema.
///
/// A page names one between `<!-- table: NAME -->` and `<!-- end -->`; what stands between is rewritten.
package enum ReferenceTables {
  /// Every table there is.
  package static let names: [String] = {
    var names = ["types", "steps", "conditions", "fields", "matchers"]
    names += VerbSpec.Family.allCases.map { "verbs \($0.rawValue)" }
    names += Code.Family.allCases.map { "codes \($0.rawValue)" }
    for map in LanguageSchema.maps where !isOfVerb(map) && map.topic != "steps" { names.append("keys \(place(map))") }
    return names
  }()

  /// A table by its name; `nil` for a name that is none.
  package static func table(_ name: String) -> String? {
    switch name {
    case "types": return types
    case "steps": return keys(Topics.section(of: LanguageSchema.modifiers))
    case "conditions": return keys(Topics.conditions)
    case "fields": return keys(Topics.fields, columns: ["field", "values", "meaning"])
    case "matchers": return keys(Topics.matchers, columns: ["matcher", "takes", "meaning"])
    default: break
    }
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "verbs": return VerbSpec.Family(rawValue: words[1]).map(verbs)
    case "codes": return words[1].first.flatMap(Code.Family.init).flatMap { codes($0) }
    case "keys":
      return LanguageSchema.maps.first { place($0) == words[1] && !isOfVerb($0) }.map { keys(Topics.section(of: $0)) }
    default: return nil
    }
  }

  /// A page with its tables as they are now, and the names of those that do not exist.
  package static func updated(_ page: String) -> (text: String, unknown: [String]) {
    var lines: [Substring] = []
    var unknown: [String] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { isInside = false }
      if !isInside { lines.append(line) }
      guard line.hasPrefix("<!-- table: "), line.hasSuffix(" -->") else { continue }
      isInside = true
      let name = String(line.dropFirst(12).dropLast(4))
      guard let table = table(name) else {
        unknown.append(name)
        continue
      }
      lines += ["", Substring(table), ""]
    }
    return (lines.joined(separator: "\n"), unknown)
  }

  /// A map's place without its article and quotes: "text style".
  static func place(_ map: MapSpec) -> String {
    var place = map.place.filter { $0 != "`" }
    for article in ["a ", "an "] where place.hasPrefix(article) { place.removeFirst(article.count) }
    let twins = LanguageSchema.maps.filter { $0.place == map.place }
    // `not` is in devices and in times; `takeover` has one map.
    return twins.count > 1 ? "\(place) of \(map.topic)" : place
  }

  /// Whether a map is the long form of a verb or a part of it, which stand with the verb.
  private static func isOfVerb(_ map: MapSpec) -> Bool {
    ["a queue item", "a choice", "a branch"].contains(map.place) || Topics.isVerb(map)
  }

  // MARK: Markdown

  private static func keys(_ section: TopicPage.Section, columns: [String] = ["key", "value", "meaning"]) -> String {
    var lines = section.notes
    if !lines.isEmpty { lines.append("") }
    lines += ["| \(columns.joined(separator: " | ")) |", "| --- | --- | --- |"]
    for row in section.rows {
      var meaning = row.summary
      if let value = row.defaultText { meaning += " Default: \(value)." }
      lines.append(cells([row.isRequired ? "`\(row.name)` *" : "`\(row.name)`", row.type, meaning]))
    }
    if section.rows.contains(where: \.isRequired) { lines += ["", "\\* required"] }
    return lines.joined(separator: "\n")
  }

  private static func cells(_ texts: [String]) -> String {
    "| " + texts.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }

  private static let types: String = {
    var lines = ["| type | spelled | refused |", "| --- | --- | --- |"]
    for type in ScalarKind.documented { lines.append(cells([type.name, type.spelled ?? "", type.refused])) }
    return lines.joined(separator: "\n")
  }()

  private static func verbs(_ family: VerbSpec.Family) -> String {
    LanguageSchema.verbs.filter { $0.family == family }.map(text).joined(separator: "\n\n")
  }

  private static func text(of verb: VerbSpec) -> String {
    var lines = ["### `\(verb.name)`", ""]
    var parts = Topics.page(verb.name)?.sections ?? []
    let about = parts.isEmpty ? [] : parts.removeFirst().notes
    lines.append(about.joined(separator: " "))
    for section in parts where section.heading.contains("`\(verb.name)`") || section.heading.hasPrefix("keys of") {
      // A map of the same name that is no verb has a page of its own.
      guard section.heading == "keys of `\(verb.name)`" || section.heading.hasPrefix("next to") || family(verb, section)
      else { continue }
      lines += ["", keys(section)]
    }
    if let example = TopicExamples.text(of: verb.name) { lines += ["", "```yaml", example, "```"] }
    return lines.joined(separator: "\n")
  }

  /// Whether a section is about a part of the verb: a choice, a branch, a queue item.
  private static func family(_ verb: VerbSpec, _ section: TopicPage.Section) -> Bool {
    [.choose, .parallel, .queueUpdate].contains(verb.verb) && section.heading.hasPrefix("keys of")
  }

  private static func codes(_ family: Code.Family) -> String? {
    let pages = CodePages.all.filter { $0.code.family == family }
    guard !pages.isEmpty else { return nil }
    var lines = ["| code | means | what to do |", "| --- | --- | --- |"]
    for page in pages { lines.append(cells([page.code.rawValue, page.title, page.cure])) }
    return lines.joined(separator: "\n")
  }
}
