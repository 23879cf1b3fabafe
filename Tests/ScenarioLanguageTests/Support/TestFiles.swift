import Glibc
import Testing

@testable import ScenarioLanguage

/// Files of this repository and of folders that the environment names.
enum TestFiles {
  /// The folder of this test target.
  static let target: String = {
    let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return folders.joined(separator: "/")
  }()

  static let root = target + "/../.."

  static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return result }
      result += buffer[..<count]
    }
  }

  /// The names in a folder, sorted; folders among them when `wantsFolders`.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  struct Document: Sendable, CustomTestStringConvertible {
    /// From the root of the repository.
    var path: String
    var bytes: [UInt8]
    var testDescription: String { path }
    var source: SourceFile { SourceFile(name: path, bytes: bytes) }
  }

  /// Every document of these folders, named from the root of the repository.
  static func documents(_ folders: [String]) -> [Document] {
    folders.flatMap { folder in
      names(in: "\(root)/\(folder)").filter { $0.hasSuffix(".yaml") }.compactMap { name in
        bytes("\(root)/\(folder)/\(name)").map { Document(path: "\(folder)/\(name)", bytes: $0) }
      }
    }
  }

  private static let fixtures = "Tests/ScenarioLanguageTests/Fixtures"

  /// Documents that compile.
  static let valid = documents(["examples", "playlists", "\(fixtures)/golden/documents", "\(fixtures)/valid"])
  /// What the valid documents include, calendars among them, by the paths they say.
  private static let libraries = Dictionary(
    documents(["\(fixtures)/valid/lib"]).map { (String($0.path.dropFirst("\(fixtures)/valid/".count)), $0.bytes) }
      + ["assets/holidays.ics"].compactMap { name in bytes("\(root)/playlists/\(name)").map { (name, $0) } },
    uniquingKeysWith: { first, _ in first })

  /// All that the valid documents ask for: their libraries, and a value for each secret.
  static let inputs: PlanCompiler.Inputs = {
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { $0.hasSuffix("_TOKEN") ? "hunter2" : nil }
    inputs.includedFile = { path, _ in
      libraries[path].map { .success(SourceFile(name: path, bytes: $0)) } ?? .failure(.notFound)
    }
    return inputs
  }()

  /// Documents with one mistake each.
  static let invalid =
    documents(["\(fixtures)/golden/diagnostics", "\(fixtures)/own"])
    + CodePages.all.compactMap { page in
      page.wrong.map { Document(path: "\(page.code).yaml", bytes: Array(($0.text + "\n").utf8)) }
    }
}
