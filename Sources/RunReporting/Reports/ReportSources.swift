/// What reports of a run are made from besides its events: what its folder keeps.
package struct ReportSources: Sendable, ExpressibleByDictionaryLiteral {
  /// The texts of its documents, by file name.
  package var texts: [String: String]
  /// Reads a picture by its path in the run's folder; `nil` where there is none, or it is longer than so many bytes.
  package var picture: @Sendable (_ path: String, _ byteLimit: Int) -> [UInt8]?
  /// Whether the report is kept at the top of what the folder keeps, so that its links find the pictures.
  package var isBesideFiles = false
  /// Which of the runs of its report it is, from 1.
  package var number = 1
  /// What is known of the run besides, where its events have no end.
  package var fate: RunFate

  package init(
    _ texts: [String: String] = [:], fate: RunFate = .unknown,
    picture: @escaping @Sendable (_ path: String, _ byteLimit: Int) -> [UInt8]? = { _, _ in nil }
  ) {
    (self.texts, self.fate, self.picture) = (texts, fate, picture)
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements) { first, _ in first })
  }
}
