import CastProtocol

/// The commands and what each takes, as the argument parser describes them: completions can offer nothing else.
package struct CommandTree: Sendable {
  package struct Argument: Sendable {
    package enum Kind: String, Sendable { case positional, option, flag }
    package enum Values: Sendable {
      case none
      case list([String])
      case files(extensions: [String])
      case folders
    }

    package var kind: Kind
    /// `--report`, `-q`; empty for what has its place only.
    package var names: [String]
    /// The name that says what it is: `--device`, not `-d`; empty for what has no name.
    package var longName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }
    package var valueName: String
    package var abstract: String
    package var isRepeating: Bool
    package var isShown: Bool
    package var values: Values
  }

  package var name: String
  package var abstract: String
  /// What there is to say besides; empty where that is nothing.
  package var discussion: String
  package var arguments: [Argument]
  package var subcommands: [CommandTree]

  /// All commands of a program; `nil` where the text is not what the argument parser writes.
  /// - Parameter text: Its description of the program, in JSON.
  package init?(describedBy text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)), let command = json["command"] else { return nil }
    self.init(command)
  }

  private init(_ json: JSONValue) {
    name = json["commandName"]?.string ?? ""
    abstract = json["abstract"]?.string ?? ""
    discussion = json["discussion"]?.string ?? ""
    arguments = (json["arguments"]?.array ?? []).compactMap { Argument($0) }
    subcommands = (json["subcommands"]?.array ?? []).filter { $0["shouldDisplay"]?.bool ?? true }.map {
      CommandTree($0)
    }
  }

  package func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.name == name } }

  package func argument(named name: String) -> Argument? { arguments.first { $0.names.contains(name) } }

  var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
}

extension CommandTree.Argument {
  fileprivate init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
    self.kind = kind
    names = (json["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
    }
    valueName = json["valueName"]?.string ?? ""
    abstract = json["abstract"]?.string ?? ""
    isRepeating = json["isRepeating"]?.bool ?? false
    isShown = json["shouldDisplay"]?.bool ?? true
    let completion = json["completionKind"]
    if let list = completion?["list"]?["values"]?.array ?? json["allValues"]?.array {
      values = .list(list.compactMap(\.string))
    } else if let extensions = completion?["file"]?["extensions"]?.array {
      values = .files(extensions: extensions.compactMap(\.string))
    } else {
      values = completion?["directory"] != nil ? .folders : .none
    }
  }
}
