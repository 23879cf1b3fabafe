extension Plan {
  /// A secret that the document declares (docs/language/variables.md "Secrets"). Its value is never part of a plan.
  package struct Secret: Codable, Hashable, Sendable {
    /// Where the value comes from.
    package enum Source: Codable, Hashable, Sendable {
      case environment(String)
      /// A path, and the document or library that names it.
      case file(String, declaredIn: String)
      /// A program and its arguments; no shell.
      case command([String])
      /// A later `save:` fills it.
      case saved
    }
    package var name: String
    package var source: Source
    package var nameSpan: SourceSpan
    /// Where the source is written.
    package var sourceSpan: SourceSpan
    /// From a library.
    package var isImported = false
    /// Whether it is declared with one source; what is wrong otherwise is known.
    var isSound = true

    package init(name: String, source: Source, nameSpan: SourceSpan, sourceSpan: SourceSpan) {
      self.name = name
      self.source = source
      self.nameSpan = nameSpan
      self.sourceSpan = sourceSpan
    }
  }
}
