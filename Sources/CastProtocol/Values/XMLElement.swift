/// An element of an XML document: what alerts, manifests and feeds are read from.
///
/// Namespaces are not told apart: a prefix is left out of names.
package struct XMLElement: Hashable, Sendable {
  /// Without its prefix.
  package var name: String
  /// Values by name, without prefixes; declarations of namespaces are left out.
  package var attributes: [String: String]
  package var children: [XMLElement]
  /// Its own text and that of its sections, with spaces at both ends left out.
  package var text: String

  package init(_ name: String, attributes: [String: String] = [:], children: [XMLElement] = [], text: String = "") {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The first child of a name.
  package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The text of the first child of a name.
  package func text(_ name: String) -> String? { child(name)?.text }

  /// All children of a name, in their order.
  package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// All elements of a name at any depth, in the order of the document; not those inside of one that is found.
  package func everywhere(_ name: String) -> [XMLElement] {
    self.name == name ? [self] : children.flatMap { $0.everywhere(name) }
  }
}

/// Why a text is no XML that can be read.
package struct XMLError: Error, Hashable, Sendable {
  /// What is wrong, in words.
  package var message: String
  /// The line, from 1.
  package var line: Int

  package init(_ message: String, line: Int) {
    self.message = message
    self.line = line
  }
}
