import Testing

#if canImport(Glibc)
  import Glibc
#endif
@testable import ScenarioLanguage

/// Golden pairs of our own, found by listing their folder: `NNN-CODE[-word].yaml` and the message it deserves in `.txt`.
///
/// A message without a document is that of the wrong example of its code's page.
/// A pair may have a folder `NNN-CODE[-word].files/` with the files its document names, and a file
/// `NNN-CODE[-word].inputs` with a setting a line: `env NAME=value`, `set name=value`, `vars file`.
enum OwnGolden {
  /// What of a pair's settings and files the compiler is handed.
  struct Settings {
    var environment: [String: String] = [:]
    var settings: [(name: String, value: String)] = []
    /// Files of `--vars`, by their names in the pair's folder.
    var variableFiles: [String] = []
  }

  /// Codes that only a whole program can give; their pairs are driven where the simulation is.
  static let simulated: Set<String> = ["P602", "P609", "P616"]

  static let folder: String = Golden.folder.replacingSuffix("golden", with: "own")

  /// The pairs, in alphabetical order, each without its ending.
  static let names: [String] = TestFiles.names(in: folder).filter { $0.hasSuffix(".txt") }.map {
    String($0.dropLast(4))
  }
  .sorted()

  /// Those that compiling alone must be able to show.
  static let compiled: [String] = names.filter { !simulated.contains(code(of: $0)) }

  /// `C510` of `510-C510-tracks`.
  static func code(of name: String) -> String {
    name.split(separator: "-").dropFirst().first.map(String.init) ?? ""
  }

  static func document(_ name: String) throws -> SourceFile {
    guard documents.contains(name) else {
      return SourceFile(try #require(CodePages.page(code(of: name))?.wrong).text + "\n")
    }
    return SourceFile(name: "lobby.yaml", bytes: try Golden.bytes("../own/\(name).yaml"))
  }

  /// The pairs that have a document of their own.
  private static let documents = Set(
    TestFiles.names(in: folder).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) })

  /// The message without its last newline.
  static func message(_ name: String) throws -> String {
    var text = String(decoding: try Golden.bytes("../own/\(name).txt"), as: UTF8.self)
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  static func settings(_ name: String) throws -> Settings {
    var result = Settings()
    guard TestFiles.names(in: folder).contains("\(name).inputs") else { return result }
    let text = String(decoding: try Golden.bytes("../own/\(name).inputs"), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      try #require(words.count == 2, "\(name).inputs: \(line)")
      let pair = words[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch words[0] {
      case "env": result.environment[pair[0]] = pair.last
      case "set": result.settings.append((pair[0], pair.last ?? ""))
      case "vars": result.variableFiles.append(words[1])
      default: Issue.record("\(name).inputs: \(line)")
      }
    }
    return result
  }

  /// The files of a pair's folder by their paths; the document stands beside them.
  static func files(_ name: String) throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for entry in TestFiles.names(in: "\(folder)/\(name).files") where !entry.hasPrefix(".") {
      result[entry] = try Golden.bytes("../own/\(name).files/\(entry)")
    }
    return result
  }

  static func inputs(_ name: String) throws -> PlanCompiler.Inputs {
    let settings = try settings(name)
    let files = try files(name)
    var inputs = inputs(files: files, environment: settings.environment)
    inputs.settings = settings.settings
    inputs.variableFiles = settings.variableFiles.map { SourceFile(name: $0, bytes: files[$0] ?? []) }
    return inputs
  }

  /// The inputs of a document beside which these files stand, on the day of the golden documents.
  static func inputs(files: [String: [UInt8]], environment: [String: String]) -> PlanCompiler.Inputs {
    var inputs = Golden.inputs
    inputs.environment = { environment[$0] }
    let names = Set(files.keys)
    inputs.fileExists = { names.contains($0) }
    inputs.includedFile = { path, _ in
      files[path].map { .success(SourceFile(name: path, bytes: $0)) } ?? .failure(.notFound)
    }
    inputs.secretFileProblem = { path, _ in files[path].map { $0.isEmpty ? .empty : nil } ?? .notFound }
    return inputs
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}
