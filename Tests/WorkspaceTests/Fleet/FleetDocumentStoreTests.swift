import Foundation
import TestSupport
import Testing

@testable import Workspace

@Suite struct FleetDocumentStoreTests {
  private static func document(
    _ edition: Int, id: String = "cafe", files: [(name: String, text: String)]? = nil
  ) -> FleetDocumentStore.Document {
    .init(
      id: id, edition: edition, digest: "digest-\(edition)",
      files: files ?? [("cafe.yaml", "playlist: \(edition)\n"), ("lib/menu.yaml", "library: \(edition)\n")])
  }

  private static func store(_ folder: TemporaryFolder) throws -> FleetDocumentStore {
    try FleetDocumentStore(site: "a", in: folder.path("state"))
  }

  /// Puts an edition on.
  private static func put(_ edition: Int, _ store: FleetDocumentStore, id: String = "cafe") throws {
    try store.keep(try store.stage(document(edition, id: id)))
  }

  private static func text(_ kept: FleetDocumentStore.Kept?) throws -> String {
    let path = try #require(kept?.on?.path)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("What was put on is there for the next process, with what it includes")
  func keeping() throws {
    let folder = try TemporaryFolder()
    try Self.put(3, try Self.store(folder))
    let (kept, problems) = try Self.store(folder).read()
    #expect(problems.isEmpty && kept.count == 1)
    #expect(kept[0].highest == 3 && kept[0].fate == .on && kept[0].on?.digest == "digest-3")
    #expect(try Self.text(kept.first) == "playlist: 3\n")
    let home = try #require(kept[0].on?.folder)
    #expect(try String(contentsOfFile: "\(home)/lib/menu.yaml", encoding: .utf8) == "library: 3\n")
  }

  @Test("The edition before the one that is on stays on the disk, older ones go")
  func pruning() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    for edition in 1...4 { try Self.put(edition, store) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/fleet/a/documents/cafe"))
    #expect(
      names.sorted() == ["3-digest-3", "3-digest-3.json", "4-digest-4", "4-digest-4.json", "current.json"], "\(names)")
  }

  /// What a process may have done with edition 2 when it is killed, and the edition that is served then.
  enum Step: String, CaseIterable { case nothing, someFiles, allFiles, pointer }

  @Test("Whoever is killed over an edition finds the one before it, or the new one", arguments: Step.allCases)
  func kill(step: Step) throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    try Self.put(1, store)
    let home = "state/fleet/a/documents/cafe"
    switch step {
    case .nothing: break
    case .someFiles: _ = try folder.write("\(home)/2-digest-2/cafe.yaml", "playl")
    case .allFiles: _ = try store.stage(Self.document(2))
    case .pointer: try Self.put(2, store)
    }
    let (kept, problems) = store.read()
    let expected = step == .pointer ? 2 : 1
    #expect(problems.isEmpty && kept.first?.on?.number == expected && kept.first?.highest == expected)
    #expect(try Self.text(kept.first) == "playlist: \(expected)\n")
    let isLeft = FileManager.default.fileExists(atPath: folder.path("\(home)/2-digest-2"))
    #expect(isLeft == (step == .pointer), "nothing is left of what was not finished")
    try Self.put(2, store)
    #expect(try Self.text(store.read().documents.first) == "playlist: 2\n", "it can be given again")
  }

  @Test("A document that was never on is none for the next process")
  func first() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    _ = try store.stage(Self.document(1))
    let (kept, problems) = store.read()
    #expect(kept.isEmpty && problems.isEmpty)
    let documents = folder.path("state/fleet/a/documents")
    #expect(try FileManager.default.contentsOfDirectory(atPath: documents).isEmpty)
  }

  @Test("The number of an edition outlasts its removal, and a refusal")
  func numbers() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    try Self.put(4, store)
    try store.refuse("cafe", edition: 5)
    var kept = try #require(store.read().documents.first)
    #expect(kept.highest == 5 && kept.fate == .refused && kept.on?.number == 4)
    try store.remove("cafe", edition: 6)
    kept = try #require(store.read().documents.first)
    #expect(kept.highest == 6 && kept.fate == .removed && kept.on == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/fleet/a/documents/cafe"))
    #expect(names == ["current.json"])
  }

  @Test(
    "An edition that is taken back leaves the one before it on, for the next process, too, and no older message counts")
  func goingBack() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    try Self.put(3, store)
    #expect(store.before("cafe") == nil)
    try Self.put(5, store)
    #expect(store.before("cafe")?.number == 3)
    try store.goBack("cafe", edition: 6)
    let kept = try #require(store.read().documents.first)
    #expect(kept.highest == 6 && kept.fate == .on && kept.on?.number == 3 && store.before("cafe") == nil)
    #expect(try Self.text(kept) == "playlist: 3\n")
    #expect(throws: WorkspaceError.self) { try store.goBack("cafe", edition: 7) }
    try store.refuse("cafe", edition: 8)
    try store.confirm("cafe", edition: 9)
    let later = try #require(store.read().documents.first)
    #expect(later.highest == 9 && later.fate == .on && later.on?.number == 3)
  }

  enum Damage: CaseIterable { case file, missing, note, pointer, all }

  @Test("What is damaged is told and put aside, and the rest is served", arguments: Damage.allCases)
  func damage(of what: Damage) throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    for edition in 1...2 { try Self.put(edition, store) }
    try Self.put(7, store, id: "bar")
    let home = "state/fleet/a/documents/cafe"
    switch what {
    case .file: _ = try folder.write("\(home)/2-digest-2/cafe.yaml", "playlist: x\n")
    case .missing: try FileManager.default.removeItem(atPath: folder.path("\(home)/2-digest-2/lib/menu.yaml"))
    case .note: _ = try folder.write("\(home)/2-digest-2.json", "{")
    case .pointer: _ = try folder.write("\(home)/current.json", "\u{0}\u{0}")
    case .all:
      for name in ["1-digest-1.json", "2-digest-2.json", "current.json"] { _ = try folder.write("\(home)/\(name)", "") }
    }
    let (kept, problems) = store.read()
    #expect(problems.count == 1, "\(problems)")
    #expect(kept.first { $0.id == "bar" }?.on?.number == 7, "nobody else's trouble")
    let cafe = kept.first { $0.id == "cafe" }
    switch what {
    case .file, .missing, .note:
      #expect(cafe?.on?.number == 1 && cafe?.highest == 1, "and edition 2 may be given again")
    case .pointer: #expect(cafe?.on?.number == 2)
    case .all: #expect(cafe == nil)
    }
    #expect(store.read().problems.isEmpty, "it is told once")
  }

  @Test("An edition that cannot be written leaves nothing, and what is on stays on")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    try Self.put(1, store)
    let long = String(repeating: "x", count: 300)
    let error = #expect(throws: WorkspaceError.self) {
      _ = try store.stage(Self.document(2, files: [("cafe.yaml", "playlist: 2\n"), (long, "")]))
    }
    #expect(error?.message == "the site cannot keep the document: File name too long")
    #expect(store.read().documents.first?.on?.number == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/fleet/a/documents/cafe/2-digest-2")))
  }

  @Test("A document is a project of its own: it includes nothing of what its folder lies in")
  func project() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path(".git"), withIntermediateDirectories: true)
    _ = try folder.write("state/fleet/a/documents/cafe/private.yaml", "library: Private\n")
    let staged = try Self.store(folder).stage(Self.document(1))
    let files = try ProjectFiles(of: staged.edition.path, allowing: [])
    #expect((try? files.read("lib/menu.yaml", includedBy: staged.edition.path).get()) != nil)
    #expect((try? files.read("../private.yaml", includedBy: staged.edition.path).get()) == nil)
    let hidden = #expect(throws: WorkspaceError.self) {
      _ = try Self.store(folder).stage(Self.document(2, files: [("cafe.yaml", ""), (".showcaller-project", "")]))
    }
    #expect(hidden?.message.contains("begins with a dot") == true)
  }

  @Test("Ids are names of folders, whatever is in them", arguments: ["../../up", "a/b", "Bar Länge", "."])
  func ids(id: String) throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    try Self.put(1, store, id: id)
    #expect(store.read().documents.first?.id == id)
    let documents = folder.path("state/fleet/a/documents")
    #expect(try FileManager.default.contentsOfDirectory(atPath: documents).count == 1)
  }

  @Test("Two processes of one computer are not one site")
  func lock() throws {
    let folder = try TemporaryFolder()
    let first = try Self.store(folder)
    let error = #expect(throws: WorkspaceError.self) { _ = try Self.store(folder) }
    #expect(error?.code == .busy && error?.help?.contains("--site a-2") == true)
    withExtendedLifetime(first) {}
  }
}
