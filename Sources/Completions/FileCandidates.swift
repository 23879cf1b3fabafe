import Glibc
import ScenarioLanguage

/// The files and folders that begin with what is typed, for a shell that is told every candidate.
enum FileCandidates {
  /// More are no help, and a folder can hold anything.
  private static let limit = 5_000

  /// - Parameters:
  ///   - extensions: Endings to offer; all where it is empty, folders alone where it is `nil`.
  ///   - home: What `~` stands for.
  static func of(_ typed: String, extensions: [String]?, home: String?) -> [String] {
    let slash = typed.lastIndex(of: "/")
    let folder = slash.map { String(typed[...$0]) } ?? ""
    let start = slash.map { typed[typed.index(after: $0)...] } ?? typed[...]
    var place = folder.isEmpty ? "." : folder
    if place.hasPrefix("~/"), let home { place = home + place.dropFirst() }
    guard let directory = opendir(place) else { return [] }
    defer { closedir(directory) }
    var result: [String] = []
    while let entry = readdir(directory), result.count < limit {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
      guard name != ".", name != "..", Array(name.utf8) == bytes,
        !name.unicodeScalars.contains(where: \.isDisplayControl), name.hasPrefix(start),
        start.hasPrefix(".") || !name.hasPrefix(".")
      else {
        continue
      }
      var status = stat()
      guard stat(place.hasSuffix("/") ? place + name : "\(place)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        result.append(folder + name + "/")
      } else if let extensions, extensions.isEmpty || extensions.contains(where: { name.hasSuffix("." + $0) }) {
        result.append(folder + name)
      }
    }
    return result.sorted()
  }
}
