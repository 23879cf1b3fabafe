/// What `showcaller explain WORD` says about a word of the language, made from the tables.
package struct TopicPage: Sendable {
  /// One key, field, matcher or verb.
  package struct Row: Sendable {
    package let name: String
    package let type: String
    package let isRequired: Bool
    package let defaultText: String?
    package let summary: String

    init(_ name: String, _ type: String, required: Bool = false, default defaultText: String? = nil, _ summary: String)
    {
      self.name = name
      self.type = type
      self.isRequired = required
      self.defaultText = defaultText
      self.summary = summary
    }

    init(_ key: KeySpec) {
      var summary = key.summary
      if let replacement = key.replacement { summary += " Deprecated: write `\(replacement)`." }
      if let kinds = key.kinds { summary += " Kind: \(kinds.joined(separator: ", "))." }
      self.init(key.name, TypeText.words(key.type), required: key.isRequired, default: key.defaultText, summary)
    }

    init(_ matcher: MatcherName) {
      self.init(matcher.rawValue, matcher.spec.operand.spelled, matcher.spec.summary)
    }
  }

  /// Rows of one sort under a heading.
  package struct Section: Sendable {
    package let heading: String
    /// Sentences in front of the rows.
    package var notes: [String] = []
    package var rows: [Row] = []
  }

  package let name: String
  package var sections: [Section]
  /// Lines of a document that show the word in use.
  package var example: String?
  /// Other words that `explain` knows.
  package var related: [String] = []
}
