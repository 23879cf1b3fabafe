import CastProtocol
import ScenarioLanguage

/// Under which names a run's folder keeps the files that the run was read from: its `sources.json`.
struct SourceIndex: Hashable, Sendable {
  /// One file.
  struct Entry: Hashable, Sendable {
    /// Its name in `sources/`.
    var name: String
    /// The path as the document, the command line or a report names it.
    var path: String
  }

  /// The name of the index itself.
  static let name = "sources.json"
  /// No index of ours is larger, in bytes.
  static let byteLimit = 1 << 20
  /// Names of files may have 255 bytes; a number comes in front.
  private static let nameLimit = 200

  /// The document first.
  private(set) var entries: [Entry] = []

  /// Gives each file a name of its own, whatever folders they came from.
  init(_ sources: [SourceFile]) {
    var taken: Set<String> = []
    for (number, source) in sources.enumerated() {
      let last = source.name.split(separator: "/").last.map(String.init) ?? "document"
      let short = Self.shortened(last)
      var name = number == 0 ? short : "\(number)-\(short)"
      while !taken.insert(name).inserted { name = "\(number)-\(name)" }
      entries.append(Entry(name: name, path: source.name))
    }
  }

  /// The end of a name that is too long to get a number in front.
  private static func shortened(_ name: String) -> String {
    var short = name[...]
    while short.utf8.count > nameLimit { short.removeFirst() }
    return String(short)
  }

  /// As the file has it.
  var json: JSONValue {
    ["v": 1, "files": .array(entries.map { ["name": .string($0.name), "path": .string($0.path)] })]
  }

  /// Reads what ``json`` wrote; `nil` for anything else, also where a name leads out of the folder.
  init?(_ json: JSONValue) {
    guard json["v"] == 1, let files = json["files"]?.array else { return nil }
    for file in files {
      guard let name = file["name"]?.string, let path = file["path"]?.string, !name.isEmpty, name != ".", name != "..",
        !name.contains("/")
      else { return nil }
      entries.append(Entry(name: name, path: path))
    }
  }

  /// The name under which a file is kept; `nil` where it is not.
  func name(of path: String) -> String? { entries.first { $0.path == path }?.name }
}
