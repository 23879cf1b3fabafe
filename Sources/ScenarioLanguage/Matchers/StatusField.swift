/// One field of a device's merged status that expectations may name (docs/language/conditions.md "Status fields").
///
/// Values are handed to matchers as JSON: durations in seconds, percentages in percent points (`40`), enum values as
/// spelled in the language (`playing`), colours as `#RRGGBBAA` in capitals, lists as arrays, absent as `nil`.
package struct StatusField: Hashable, Sendable {
  /// The parts of its path; a last part `*` stands for any further parts.
  package var path: FieldPath
  package var type: ValueType
  package var summary: String

  package init(_ path: String, _ type: ValueType, _ summary: String) {
    self.path = FieldPath(path.split(separator: ".").map(String.init))
    self.type = type
    self.summary = summary
  }

  /// How a field's value is written in documents and judged.
  package indirect enum ValueType: Hashable, Sendable {
    case text
    case bool
    case int
    case number
    /// Seconds.
    case duration
    /// Seconds, or the text `live`.
    case durationOrLive
    /// Percent points.
    case percent
    case color
    case choice(Choice)
    case list(of: ValueType)
    /// A structure whose members are fields of their own; `noneAllowed`: it may be compared with `none`.
    case structure(noneAllowed: Bool)
    /// Objects in lists, known by their `id`.
    case record
    /// Whatever an app sends.
    case free

    /// The default tolerance of `about` (docs/language/conditions.md "Matchers"), `nil` where there are no distances.
    package var defaultTolerance: Double? {
      switch self {
      case .duration, .durationOrLive: 0.5
      case .percent: 1
      case .int, .number, .free: 0.01
      default: nil
      }
    }

    /// Whether values of this type have an order.
    package var isOrdered: Bool { defaultTolerance != nil }
  }

  /// A closed list of words, and what one of them is called in messages.
  package struct Choice: Hashable, Sendable {
    package var name: String
    package var values: [String]
    /// Words beyond `values` are accepted because devices may report more than we know.
    package var isOpen: Bool

    package init(_ name: String, _ values: [String], isOpen: Bool = false) {
      self.name = name
      self.values = values
      self.isOpen = isOpen
    }
  }

  /// Whether the field takes any path below it (`custom.*`).
  package var isWildcard: Bool { path.parts.last == "*" }

  /// Finds the field at a path, also below a wildcard.
  package static func find(_ path: FieldPath) -> StatusField? {
    let text = path.text
    if let index = exact[text] { return all[exactPlaces[index]] }
    return wildcards.first { field in
      path.parts.count >= field.path.parts.count
        && path.parts.starts(with: field.path.parts.dropLast())
    }
  }

  /// The type of the field at a path; `free` for a path nobody knows.
  package static func type(of path: FieldPath) -> ValueType { find(path)?.type ?? .free }

  /// The names that may follow `prefix`, in the table's order.
  package static func names(below prefix: FieldPath) -> [String] {
    var names: [String] = []
    for field in all where field.path.parts.count > prefix.parts.count && field.path.parts.starts(with: prefix.parts) {
      let name = field.path.parts[prefix.parts.count]
      if name != "*", !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether `prefix` is a structure with members, in the table or below a wildcard.
  package static func hasMembers(_ prefix: FieldPath) -> Bool {
    all.contains { field in
      if field.path.parts.count > prefix.parts.count, field.path.parts.starts(with: prefix.parts) { return true }
      return field.isWildcard && prefix.parts.starts(with: field.path.parts.dropLast())
    }
  }

  /// Whether a name may follow `prefix`, as ``names(below:)`` lists them.
  static func isName(_ name: String, below prefix: FieldPath) -> Bool {
    !name.utf8.contains(0x2E) && paths.contains(prefix.parts.isEmpty ? name : prefix.text + "." + name)
  }

  /// The paths of all fields and of what they lie in, wildcards left out.
  private static let paths = Set(
    all.flatMap { field in
      let parts = field.isWildcard ? field.path.parts.dropLast() : field.path.parts[...]
      return parts.indices.map { parts[...$0].joined(separator: ".") }
    })

  private static let wildcards = all.filter(\.isWildcard)
  private static let exactPlaces = all.indices.filter { !all[$0].isWildcard }
  private static let exact = NameTable(exactPlaces.map { all[$0].path.text })
}
