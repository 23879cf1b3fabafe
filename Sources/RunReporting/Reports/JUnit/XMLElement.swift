/// One element of a document being written: text or children, not both.
struct XMLElement: Sendable {
  var name: String
  var attributes: [(name: String, value: String)]
  var children: [XMLElement] = []
  var content: String?

  init(_ name: String, _ attributes: [(name: String, value: String)] = [], content: String? = nil) {
    self.name = name
    self.attributes = attributes
    self.content = content
  }

  /// The element with its children, each on a line of its own.
  func text(indent: String) -> String {
    let start = indent + "<" + name + attributes.map { " \($0.name)=\"\(XMLText.attribute($0.value))\"" }.joined()
    if let content { return "\(start)>\(XMLText.content(content))</\(name)>" }
    if children.isEmpty { return start + "/>" }
    let inner = children.map { $0.text(indent: indent + "  ") }.joined(separator: "\n")
    return "\(start)>\n\(inner)\n\(indent)</\(name)>"
  }
}
