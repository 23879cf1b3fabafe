import ConformanceScenarios
import ScenarioLanguage

/// One check of the suite: a scenario that every Cast device should pass.
package struct ConformanceCheck: Hashable, Sendable {
  /// `media.seek`: an area and a name; it never changes its meaning.
  package let id: String
  /// The document, as people can run it by hand.
  package let text: String
  /// What has to be true, in one sentence.
  package let statement: String
  private let tags: [String]

  init(id: String, text: String) {
    (self.id, self.text) = (id, text)
    let lines = text.split(separator: "\n")
    func value(of key: String) -> String {
      lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) } ?? ""
    }
    statement = value(of: "scenario: ")
    tags = value(of: "tags: [").prefix { $0 != "]" }.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  /// The part of the protocol that it is about.
  package var area: String { String(id.prefix { $0 != "." }) }

  /// The name of its document as a file.
  package var fileName: String { "\(id).yaml" }

  /// Whether it sets the volume, which some devices do not let anybody do.
  package var needsVolume: Bool { tags.contains("needs-volume") }

  /// What another sender, connected at the same time, has to be told.
  package var secondSender: SecondSender? { SecondSender(rawValue: id) }

  /// All, in the order in which they are run.
  package static let all: [ConformanceCheck] = (0..<conformanceScenarioCount()).map { index in
    let scenario = conformanceScenario(index)
    return ConformanceCheck(id: String(cString: scenario.name), text: String(cString: scenario.text))
  }

  /// Why words name no checks.
  package struct Unknown: Error, Hashable, Sendable {
    package var word: String
    /// What may have been meant.
    package var nearest: String?
  }

  /// Those that `words` name: by id, or all of an area; in the order in which they are run.
  /// - Throws: For the first word that names none.
  package static func named(_ words: [String]) throws(Unknown) -> [ConformanceCheck] {
    var wanted: Set<String> = []
    for word in words {
      let fitting = all.filter { $0.id == word || $0.area == word }
      guard !fitting.isEmpty else {
        let names = all.map(\.id) + Set(all.map(\.area)).sorted()
        throw Unknown(word: word, nearest: Suggestions.nearest(to: word, among: names))
      }
      wanted.formUnion(fitting.map(\.id))
    }
    return all.filter { wanted.contains($0.id) }
  }
}
