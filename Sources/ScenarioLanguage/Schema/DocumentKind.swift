/// What a document is; its first key says it.
package enum DocumentKind: String, Sendable, CaseIterable {
  case scenario, playlist, library
}
