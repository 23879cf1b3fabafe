/// A path into the merged status, such as `break.clip_time`.
enum StatusPathScalar {
  static func read(_ text: String) throws(ScalarProblem) {
    let path = FieldPath(parsing: text)
    guard path.parts.count <= FieldPath.longest else {
      throw ScalarProblem(.y311, "a path has at most \(FieldPath.longest) parts")
    }
    if StatusField.find(path) != nil || StatusField.hasMembers(path) { return }
    var prefix: [String] = []
    var offset = 0
    for part in path.parts {
      let names = StatusField.names(below: FieldPath(prefix))
      guard names.contains(part) else {
        let suggestion = Suggestions.nearest(to: part, among: names)
        let help =
          names.isEmpty || suggestion != nil
          ? nil : "fields here: \(ScalarText.listed(names.sorted())) (`showcaller explain fields`)"
        throw ScalarProblem(
          .t205, "\(ScalarText.quoted(text)) is not a status field",
          label: Suggestions.label(suggestion),
          at: offset..<offset + max(part.unicodeScalars.count, 1), help: help)
      }
      prefix.append(part)
      offset += part.unicodeScalars.count + 1
    }
  }
}

extension ScalarSpec {
  static let statusPath = ScalarSpec(
    "status field", "a status field", "a field of the device's status: `position`, `break.clip_time`",
    examples: ["position", "break.clip_time"]
  ) { text, _ throws(ScalarProblem) in
    try StatusPathScalar.read(text)
    return .text
  }

  /// A pattern is compiled by the matcher that has it.
  static let regularExpression = ScalarSpec(
    "regular expression", "a regular expression", "searched for, not matched whole: `\"^S01E\\\\d+\"`"
  ) { _, _ in .text }
}
