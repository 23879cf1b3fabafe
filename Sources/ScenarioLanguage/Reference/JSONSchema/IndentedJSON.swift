package import CastProtocol

extension JSONValue {
  /// The value as JSON text over several lines; short lists and maps stay on one.
  package func indented() -> String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int) {
    let flat = serialized()
    let isNested: Bool =
      switch self {
      case .array(let items): items.contains { if case .object = $0 { true } else { false } }
      case .object(let object): !object.members.isEmpty
      default: false
      }
    if !isNested || flat.utf8.count + indent <= 80 {
      text += flat
      return
    }
    let margin = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    var isFirst = true
    func begin() {
      text += (isFirst ? "\n" : ",\n") + margin
      isFirst = false
    }
    switch self {
    case .array(let items):
      text += "["
      for item in items {
        begin()
        item.write(to: &text, indent: indent + 2)
      }
      text += end + "]"
    case .object(let object):
      text += "{"
      for member in object.members {
        begin()
        text += JSONValue.string(member.name).serialized() + ": "
        member.value.write(to: &text, indent: indent + 2)
      }
      text += end + "}"
    default: break
    }
  }
}
