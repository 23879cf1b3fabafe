import CastProtocol
import Glibc

extension FleetDocumentStore {
  /// What is on, and which edition was before it; written whole or not at all.
  struct Pointer: Hashable {
    var id: String
    var highest: Int
    var fate: Fate
    /// Names of folders.
    var on: String?
    var before: String?
  }

  /// What an edition consists of, beside its folder.
  struct Note {
    var id: String
    var edition: Int
    var digest: String
    var names: [String]
    /// Of all names and bytes.
    var sum: String
  }

  /// All that is kept, for a process that begins. What is damaged is put aside, and told in a line each.
  package func read() -> (documents: [Kept], problems: [String]) {
    var (documents, problems): ([Kept], [String]) = ([], [])
    for name in Files.names(in: folder).sorted() {
      let home = "\(folder)/\(name)"
      guard Files.kind(of: home) == .folder else { continue }
      guard Files.kind(of: "\(home)/\(Self.pointerName)") != nil else {
        // Nothing was taken here: a process was killed over the first edition.
        OpenFolder(folder)?.removeTree(name)
        continue
      }
      let bytes = try? Files.read("\(home)/\(Self.pointerName)", limit: Self.noteLimit, followsLink: false)
      if let pointer = bytes.flatMap({ Pointer($0) }), Files.uniqueName(pointer.id) == name {
        documents.append(kept(pointer, telling: &problems))
      } else if let pointer = newest(in: name) {
        problems.append("what was kept of the document `\(pointer.id)` is damaged: its newest edition is served")
        try? write(pointer)
        documents.append(kept(pointer, telling: &problems))
      } else {
        problems.append("\(home) is damaged, and is put aside: \(putAside(home))")
      }
    }
    return (documents, problems)
  }

  private func kept(_ pointer: Pointer, telling problems: inout [String]) -> Kept {
    var (pointer, kept) = (pointer, Kept(id: pointer.id, highest: pointer.highest, fate: pointer.fate))
    if let name = pointer.on {
      kept.on = edition(name, of: pointer.id)
      if kept.on == nil {
        kept.on = pointer.before.flatMap { edition($0, of: pointer.id) }
        let aside = putAside("\(home(of: pointer.id))/\(name)")
        let instead = kept.on.map { "edition \($0.number) is served" } ?? "nothing of it is served"
        problems.append("the document `\(pointer.id)` of the fleet is damaged (\(aside)): \(instead)")
        (pointer.on, pointer.before) = (kept.on == nil ? nil : pointer.before, nil)
        // The same edition may be given once more, and nothing that is older.
        pointer.highest = max(pointer.highest - 1, kept.on?.number ?? 0)
        kept.highest = pointer.highest
        try? write(pointer)
      }
    }
    sweep(pointer)
    return kept
  }

  /// The newest edition of a folder whose pointer is damaged.
  private func newest(in name: String) -> Pointer? {
    let home = "\(folder)/\(name)"
    var found: [(edition: Edition, note: Note)] = []
    for file in Files.names(in: home) where file.hasSuffix(".json") && file != Self.pointerName {
      guard let bytes = try? Files.read("\(home)/\(file)", limit: Self.noteLimit, followsLink: false),
        let note = Note(bytes), Files.uniqueName(note.id) == name,
        let edition = edition(String(file.dropLast(".json".count)), of: note.id)
      else { continue }
      found.append((edition, note))
    }
    guard let best = found.max(by: { $0.edition.number < $1.edition.number }) else { return nil }
    let folder = best.edition.folder.split(separator: "/").last.map(String.init)
    return Pointer(id: best.note.id, highest: best.edition.number, fate: .on, on: folder, before: nil)
  }

  /// An edition with all its files, as they were written; `nil`: there is none, or it is damaged.
  func edition(_ name: String, of id: String) -> Edition? {
    let home = home(of: id)
    guard !name.contains("/"), !name.hasPrefix("."),
      let bytes = try? Files.read("\(home)/\(name).json", limit: Self.noteLimit, followsLink: false),
      let note = Note(bytes), note.id == id, let first = note.names.first,
      Files.kind(of: "\(home)/\(name)/\(ProjectFiles.mark)") == .regular
    else { return nil }
    var sum = Checksum()
    for file in note.names {
      guard let text = try? Files.read("\(home)/\(name)/\(file)", limit: Self.noteLimit, followsLink: false) else {
        return nil
      }
      sum.add(file, text)
    }
    guard sum.text == note.sum else { return nil }
    return Edition(
      number: note.edition, digest: note.digest, folder: "\(home)/\(name)", path: "\(home)/\(name)/\(first)")
  }

  /// - Returns: Where it is now.
  private func putAside(_ path: String) -> String {
    let aside = "\(Files.folder(of: folder))/damaged"
    try? Files.makeFolders(aside)
    let name = path.split(separator: "/").suffix(2).joined(separator: "-")
    for number in 1...100 {
      let target = "\(aside)/\(name)-\(number)"
      if Files.kind(of: target) == nil, rename(path, target) == 0 { return "now in \(target)" }
    }
    return path
  }
}

extension FleetDocumentStore.Pointer {
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["v"]?.int == 1, let id = json["id"]?.string,
      let highest = json["highest"]?.int, highest >= 0,
      let fate = json["state"]?.string.flatMap({ FleetDocumentStore.Fate(rawValue: $0) })
    else { return nil }
    self.init(id: id, highest: highest, fate: fate, on: json["on"]?.string, before: json["before"]?.string)
  }

  var bytes: [UInt8] {
    var object: JSONObject = ["v": 1, "id": .string(id), "highest": .int(highest), "state": .string(fate.rawValue)]
    object["on"] = on.map { .string($0) }
    object["before"] = before.map { .string($0) }
    return Array(JSONValue.object(object).serialized().utf8)
  }
}

extension FleetDocumentStore.Note {
  init(_ document: FleetDocumentStore.Document) {
    var sum = FleetDocumentStore.Checksum()
    for file in document.files { sum.add(file.name, Array(file.text.utf8)) }
    self.init(
      id: document.id, edition: document.edition, digest: document.digest, names: document.files.map(\.name),
      sum: sum.text)
  }

  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["v"]?.int == 1, let id = json["id"]?.string,
      let edition = json["edition"]?.int, let digest = json["digest"]?.string, let sum = json["sum"]?.string
    else { return nil }
    let names = (json["files"]?.array ?? []).compactMap(\.string)
    self.init(id: id, edition: edition, digest: digest, names: names, sum: sum)
  }

  var bytes: [UInt8] {
    let object: JSONObject = [
      "v": 1, "id": .string(id), "edition": .int(edition), "digest": .string(digest), "sum": .string(sum),
      "files": .array(names.map { .string($0) }),
    ]
    return Array(JSONValue.object(object).serialized().utf8)
  }
}

extension FleetDocumentStore {
  /// Finds what a disk has damaged (FNV-1a); who may give documents is not decided by it.
  struct Checksum {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ name: String, _ bytes: [UInt8]) {
      for byte in name.utf8 { add(byte) }
      add(0)
      for byte in bytes { add(byte) }
      add(0)
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var text: String { String(state, radix: 16) }
  }
}
