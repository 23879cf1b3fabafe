package import CastProtocol

extension DocumentInputs {
  /// Members in a fixed order; what does not apply is left out.
  package func json(of file: String) -> JSONValue {
    [
      "file": .string(file), "variables": .array(variables.map(\.json)), "secrets": .array(secrets.map(\.json)),
    ]
  }

  /// Two tables, names in front.
  package func listing(of file: String) -> String {
    var lines: [String] = []
    if variables.isEmpty, secrets.isEmpty { return TerminalText.escaped("\(file) wants nothing from outside") }
    if !variables.isEmpty {
      lines.append("variables, set with --set name=value or --vars FILE:")
      lines += Self.table(variables.map { [$0.name, $0.type, $0.facts, $0.notes(besides: file)] })
    }
    if !secrets.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append("secrets, set with --secret name=@file:")
      lines += Self.table(secrets.map { [$0.secret.name, $0.sourceText, $0.state, $0.notes(besides: file)] })
    }
    return lines.map { TerminalText.escaped($0) }.joined(separator: "\n")
  }

  private static func table(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in min(40, rows.map { $0[column].count }.max() ?? 0) }
    return rows.map { row in
      var line = "  "
      for (cell, width) in zip(row, widths) where width > 0 {
        line += cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension DocumentInputs.VariableInput {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "type": .string(type), "required": .bool(isRequired)]
    object["default"] = defaultText.map { .string($0) }
    object["env"] = environment.map { .string($0) }
    if !choices.isEmpty { object["choices"] = .array(choices.map { .string($0) }) }
    object["min"] = minimum.map { .string($0) }
    object["max"] = maximum.map { .string($0) }
    object["description"] = description.map { .string($0) }
    object["file"] = .string(span.file)
    object["line"] = .int(span.line)
    return .object(object)
  }

  /// `default 1.5, 0.5 to 2, env SPEED`.
  fileprivate var facts: String {
    var facts = [defaultText.map { "default \($0)" } ?? "required"]
    if !choices.isEmpty { facts.append("one of " + choices.joined(separator: ", ")) }
    switch (minimum, maximum) {
    case (let low?, let high?): facts.append("\(low) to \(high)")
    case (let low?, nil): facts.append("\(low) or more")
    case (nil, let high?): facts.append("\(high) or less")
    case (nil, nil): break
    }
    if let environment { facts.append("env \(environment)") }
    return facts.joined(separator: ", ")
  }

  fileprivate func notes(besides file: String) -> String { span.notes(description, besides: file) }
}

extension DocumentInputs.SecretInput {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(secret.name)]
    switch secret.source {
    case .environment(let name): object["env"] = .string(name)
    case .file(let path, _): object["file"] = .string(path)
    case .command(let command): object["command"] = .array(command.map { .string($0) })
    case .saved: object["saved"] = true
    }
    object["there"] = isThere.map { .bool($0) } ?? .null
    object["declaredIn"] = .string(secret.nameSpan.file)
    object["line"] = .int(secret.nameSpan.line)
    return .object(object)
  }

  fileprivate var sourceText: String {
    switch secret.source {
    case .environment(let name): "env \(name)"
    case .file(let path, _): "file \(path)"
    case .command(let command): "command \(command.joined(separator: " "))"
    case .saved: "saved by a step"
    }
  }

  fileprivate var state: String {
    switch (isThere, secret.source) {
    case (true, _): "there"
    case (false, _): "missing"
    case (nil, .command): "run by `run --allow-exec`"
    case (nil, _): ""
    }
  }

  fileprivate func notes(besides file: String) -> String { secret.nameSpan.notes(nil, besides: file) }
}

extension SourceSpan {
  /// A description, and the file where it is not the document itself.
  fileprivate func notes(_ description: String?, besides document: String) -> String {
    [description, file == document ? nil : "(\(file):\(line))"].compactMap { $0 }.joined(separator: " ")
  }
}
