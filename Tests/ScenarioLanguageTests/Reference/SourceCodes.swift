import Testing

#if canImport(Glibc)
  import Glibc
#endif
@testable import ScenarioLanguage

/// The codes of messages, as they stand in the sources.
enum SourceCodes {
  /// The folder of the whole project.
  static let project: String = {
    var path = #filePath[...]
    for _ in 0..<4 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return String(path)
  }()

  /// Every code in quotes in any file below `Sources`, but for the pages themselves.
  static func given() throws -> Set<String> {
    var codes: Set<String> = []
    var folders = ["\(project)/Sources"]
    while let folder = folders.popLast() {
      for entry in Golden.entries(of: folder) where !entry.hasPrefix(".") && entry != "Reference" {
        let path = "\(folder)/\(entry)"
        guard entry.hasSuffix(".swift") else {
          if !entry.contains(".") { folders.append(path) }
          continue
        }
        collect(try Golden.bytes(ofFile: path), into: &codes)
      }
    }
    return codes
  }

  private static func collect(_ bytes: [UInt8], into codes: inout Set<String>) {
    let quote = UInt8(ascii: "\"")
    for start in bytes.indices where bytes[start] == quote && start + 5 < bytes.count && bytes[start + 5] == quote {
      let text = bytes[(start + 1)...(start + 4)]
      guard let letter = text.first, Array("KTYNCPRA".utf8).contains(letter),
        text.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { continue }
      codes.insert(String(decoding: text, as: UTF8.self))
    }
  }
}
