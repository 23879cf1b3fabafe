package import CastProtocol

extension CodePage {
  /// For `explain --json`.
  package func json(exitCode: Int) -> JSONValue {
    var object: JSONObject = [
      "code": .string(code.rawValue), "title": .string(title), "why": .string(why), "cure": .string(cure),
    ]
    object["wrong"] = wrong.map(\.json)
    object["right"] = right.json
    object["exit"] = .int(exitCode)
    return .object(object)
  }
}

extension CodePage.Example {
  var json: JSONValue {
    var object: JSONObject = ["text": .string(text)]
    if !files.isEmpty {
      object["files"] = .object(JSONObject(files.map { JSONObject.Member($0.name, .string($0.text)) }))
    }
    if !environment.isEmpty {
      object["environment"] = .object(JSONObject(environment.map { JSONObject.Member($0.name, .string($0.value)) }))
    }
    return .object(object)
  }
}

extension TopicPage {
  /// For `explain --json`.
  package var json: JSONValue {
    var object: JSONObject = ["word": .string(name), "sections": .array(sections.map(\.json))]
    object["example"] = example.map(JSONValue.string)
    object["related"] = .array(related.map(JSONValue.string))
    return .object(object)
  }
}

extension TopicPage.Section {
  var json: JSONValue {
    .object([
      "heading": .string(heading), "notes": .array(notes.map(JSONValue.string)), "rows": .array(rows.map(\.json)),
    ])
  }
}

extension TopicPage.Row {
  var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "type": .string(type)]
    object["default"] = defaultText.map(JSONValue.string)
    if isRequired { object["required"] = true }
    object["summary"] = .string(summary)
    return .object(object)
  }
}

extension PageJSON {
  /// Every code with its title, and every word.
  package static var index: JSONValue {
    .object([
      "codes": .array(CodePages.all.map { .object(["code": .string($0.code.rawValue), "title": .string($0.title)]) }),
      "words": .array(Topics.names.map(JSONValue.string)),
    ])
  }
}

/// What `explain --json` prints where no word is given.
package enum PageJSON {}
