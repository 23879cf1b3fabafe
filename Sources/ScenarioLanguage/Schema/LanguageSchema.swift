/// What a document is; its first key says it.
package enum DocumentKind: String, Sendable, CaseIterable {
  case scenario, playlist, library
}

/// The whole language as data: what is built and what is only known by name.
package enum LanguageSchema {
  /// The newest revision this tool knows (`language:`).
  package static let revision = 1

  /// The keys of a document of one kind, the kind key included.
  package static func document(_ kind: DocumentKind) -> MapSpec {
    switch kind {
    case .scenario: scenario
    case .playlist: playlist
    case .library: library
    }
  }

  /// The kinds that have a top-level key.
  package static func kinds(having key: String) -> [DocumentKind] {
    DocumentKind.allCases.filter { document($0).contains(key) && DocumentKind(rawValue: key) == nil }
  }

  static let retryErrors = ["transient"] + ErrorClass.retryable.map(\.rawValue)
}
