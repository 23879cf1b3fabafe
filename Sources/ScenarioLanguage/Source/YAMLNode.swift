/// One node of a document, as written: text, style and place, never a guessed type.
package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case scalar(Scalar)
    case sequence([YAMLNode])
    /// Keys are scalars by construction (Y307 otherwise), in the order written.
    case mapping([Pair])
  }

  package struct Scalar: Hashable, Sendable {
    package enum Style: Hashable, Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }
    package var text: String
    package var style: Style

    package init(text: String, style: Style) {
      self.text = text
      self.style = style
    }
  }

  package struct Pair: Hashable, Sendable {
    package var key: Key
    package var value: YAMLNode

    package init(key: Key, value: YAMLNode) {
      self.key = key
      self.value = value
    }
  }

  package struct Key: Hashable, Sendable {
    package var text: String
    package var span: SourceSpan

    package init(text: String, span: SourceSpan) {
      self.text = text
      self.span = span
    }
  }

  package var content: Content
  /// The node's own characters; for an alias the place where it is used.
  package var span: SourceSpan
  /// Where substitution took the node from: the `${x}` that stands in the document; `nil` if written here.
  package var substitutedAt: SourceSpan?

  package init(_ content: Content, span: SourceSpan, substitutedAt: SourceSpan? = nil) {
    self.content = content
    self.span = span
    self.substitutedAt = substitutedAt
  }
}
