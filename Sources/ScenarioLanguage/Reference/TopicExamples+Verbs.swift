extension TopicExamples {
  /// Steps with each verb.
  static let verbs: [(topic: String, text: String)] = LanguageSchema.verbs.map { ($0.name, $0.example) }
}
