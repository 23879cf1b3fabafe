import LanguagePages

/// An example for each word that `explain` lists: a whole document, top-level keys, or steps. Those of the verbs are in
/// their files, all others among the pages of `Sources/LanguagePages`.
package enum TopicExamples {
  /// The example of a word, as people see it.
  package static func text(of topic: String) -> String? { all.first { $0.topic == topic }?.text }

  package static let all: [(topic: String, text: String)] =
    PageSection.all(in: .topics).map { ($0.heading, $0.blocks.first?.text ?? "") }
    + LanguageSchema.verbs.map { ($0.name, $0.example) }
}
