import CastProtocol
import Foundation

/// Judges documents by the editor schema: the part of draft-07 that the schema uses. `EndToEndTests` ask a validator
/// that is not ours about the same schema; this one is here to be asked thousands of times.
struct SchemaJudge {
  private let root: JSONValue
  private let definitions: JSONObject
  private static let annotations: Set<String> = ["$schema", "$id", "title", "description", "examples", "definitions"]

  init(_ schema: JSONValue) {
    root = schema
    definitions = schema["definitions"]?.object ?? [:]
  }

  /// Where and why a document is refused; `nil` where it is not.
  func complaint(about value: JSONValue) -> String? { complaint(value, root, "") }

  private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool { complaint(value, schema, "") == nil }

  private func complaint(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> String? {
    guard let rules = schema.object else { return schema.bool == false ? "\(path): nothing may stand here" : nil }
    if let reference = rules["$ref"]?.string {
      let name = String(reference.dropFirst("#/definitions/".count))
      guard let definition = definitions[name] else { return "\(path): no definition \(name)" }
      return complaint(value, definition, path)
    }
    for rule in rules.members {
      if let found = complaint(value, rule.name, rule.value, rules, path) { return found }
    }
    return nil
  }

  private func complaint(
    _ value: JSONValue, _ rule: String, _ operand: JSONValue, _ rules: JSONObject, _ path: String
  ) -> String? {
    func refused(_ isRight: Bool) -> String? {
      isRight ? nil : "\(path): \(rule) \(operand.serialized().prefix(120)) refuses \(value.serialized().prefix(120))"
    }
    switch rule {
    case "type":
      let names = operand.array?.compactMap(\.string) ?? [operand.string ?? ""]
      return refused(names.contains { Self.isOf($0, value) })
    case "enum": return refused(operand.array?.contains(value) ?? false)
    case "const": return refused(operand == value)
    case "pattern":
      guard let text = value.string, let pattern = operand.string else { return nil }
      return refused(Self.isFound(pattern, in: text))
    case "minimum": return refused(value.number.map { $0 >= operand.number ?? 0 } ?? true)
    case "exclusiveMinimum": return refused(value.number.map { $0 > operand.number ?? 0 } ?? true)
    case "minItems": return refused(value.array.map { Double($0.count) >= operand.number ?? 0 } ?? true)
    case "maxItems": return refused(value.array.map { Double($0.count) <= operand.number ?? 0 } ?? true)
    case "minLength":
      return refused(value.string.map { Double($0.unicodeScalars.count) >= operand.number ?? 0 } ?? true)
    case "maximum": return refused(value.number.map { $0 <= operand.number ?? 0 } ?? true)
    case "minProperties": return refused(value.object.map { Double($0.members.count) >= operand.number ?? 0 } ?? true)
    case "maxProperties": return refused(value.object.map { Double($0.members.count) <= operand.number ?? 0 } ?? true)
    case "required":
      guard let object = value.object else { return nil }
      return refused(operand.array?.allSatisfy { object[$0.string ?? ""] != nil } ?? true)
    case "uniqueItems":
      guard let items = value.array else { return nil }
      return refused(Set(items).count == items.count)
    case "items":
      for (index, item) in (value.array ?? []).enumerated() {
        if let found = complaint(item, operand, "\(path)/\(index)") { return found }
      }
      return nil
    case "propertyNames":
      for member in value.object?.members ?? [] {
        if let found = complaint(.string(member.name), operand, "\(path)/\(member.name)") { return found }
      }
      return nil
    case "properties", "patternProperties", "additionalProperties":
      // Judged together, once.
      return rule == "properties" || rules["properties"] == nil ? members(value, rules, path) : nil
    case "dependencies":
      guard let object = value.object else { return nil }
      for dependency in operand.object?.members ?? [] where object[dependency.name] != nil {
        if let found = complaint(value, dependency.value, path) { return found }
      }
      return nil
    case "allOf":
      for schema in operand.array ?? [] {
        if let found = complaint(value, schema, path) { return found }
      }
      return nil
    case "anyOf":
      let found = (operand.array ?? []).map { complaint(value, $0, path) }
      return found.contains { $0 == nil } ? nil : found.compactMap { $0 }.max { $0.count < $1.count }
    case "not": return refused(!accepts(value, operand))
    case "if":
      let next = accepts(value, operand) ? rules["then"] : rules["else"]
      return next.flatMap { complaint(value, $0, path) }
    case "then", "else": return nil
    default: return Self.annotations.contains(rule) ? nil : "\(path): the judge does not know \(rule)"
    }
  }

  private func members(_ value: JSONValue, _ rules: JSONObject, _ path: String) -> String? {
    for member in value.object?.members ?? [] {
      let place = "\(path)/\(member.name)"
      var schemas = [rules["properties"]?[member.name]].compactMap { $0 }
      for pattern in rules["patternProperties"]?.object?.members ?? [] where Self.isFound(pattern.name, in: member.name)
      {
        schemas.append(pattern.value)
      }
      if schemas.isEmpty, let others = rules["additionalProperties"] { schemas = [others] }
      for schema in schemas {
        if let found = complaint(member.value, schema, place) { return found }
      }
    }
    return nil
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "object": value.object != nil
    case "array": value.array != nil
    case "string": value.string != nil
    case "boolean": value.bool != nil
    case "null": value.isNull
    case "number": value.number != nil
    case "integer": value.number.map { $0.rounded() == $0 } ?? false
    default: false
    }
  }

  private static func isFound(_ pattern: String, in text: String) -> Bool {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
