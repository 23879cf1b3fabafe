import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct DocumentFinderTests {
  private static func found(in folder: TemporaryFolder, _ names: [String]) throws -> [String] {
    var finder = DocumentFinder()
    for name in names { try finder.add(name == "-" ? name : folder.path(name)) }
    return finder.found.map { file in
      let name = file.path.hasPrefix(folder.path + "/") ? String(file.path.dropFirst(folder.path.count + 1)) : file.path
      return (file.isNamed ? "" : "*") + name
    }
  }

  @Test("Files come in the order named, those of a folder sorted by their bytes")
  func order() throws {
    let folder = try TemporaryFolder()
    for name in ["b.yaml", "d/z.yml", "d/Z.yaml", "d/deep/a.yaml", "d/é.yaml", "a.yaml"] { try folder.write(name, "") }
    #expect(
      try Self.found(in: folder, ["b.yaml", "d", "a.yaml"])
        == ["b.yaml", "*d/Z.yaml", "*d/deep/a.yaml", "*d/z.yml", "*d/é.yaml", "a.yaml"])
  }

  @Test("The copies of documents that a run left behind are none")
  func runFolders() throws {
    let folder = try TemporaryFolder()
    let run = "d/out/01ARZ3NDEKTSV4RRFFQ69G5001"
    for name in ["d/a.yaml", "\(run)/sources/a.yaml", "d/events/b.yaml"] { try folder.write(name, "scenario: A\n") }
    for name in ["events.jsonl", "options.json", "sources.json"] { try folder.write("\(run)/\(name)", "{}") }
    try folder.write("d/events/events.jsonl", "")
    #expect(try Self.found(in: folder, ["d"]) == ["*d/a.yaml", "*d/events/b.yaml"])
  }

  @Test("Of a folder only YAML counts that is neither hidden, nor of others, nor behind a link to a folder")
  func chosen() throws {
    let folder = try TemporaryFolder()
    for name in [
      "d/a.yaml", "d/notes.txt", "d/yaml", "d/.hidden.yaml", "d/.git/b.yaml", "d/node_modules/c.yaml",
      "elsewhere/e.yaml", "file.yaml",
    ] {
      try folder.write(name, "")
    }
    try folder.link("d/link", to: "../elsewhere")
    try folder.link("d/folder.yaml", to: "../elsewhere")
    try folder.link("d/linked.yaml", to: "../file.yaml")
    try folder.link("d/dangling.yaml", to: "nowhere")
    #expect(try Self.found(in: folder, ["d"]) == ["*d/a.yaml", "*d/dangling.yaml", "*d/linked.yaml"])
  }

  @Test("What is named itself is taken whatever it is called, also where it is not there")
  func named() throws {
    let folder = try TemporaryFolder()
    try folder.write(".hidden", "")
    #expect(try Self.found(in: folder, [".hidden", "missing.yaml"]) == [".hidden", "missing.yaml"])
  }

  @Test("A file that is found twice counts once, under its first name; standard input, too")
  func once() throws {
    let folder = try TemporaryFolder()
    try folder.write("d/a.yaml", "")
    try folder.write("d/b.yaml", "")
    link(folder.path("d/a.yaml"), folder.path("d/hard.yaml"))
    try folder.link("other", to: "d")
    #expect(try Self.found(in: folder, ["d/b.yaml", "-", "d", "other", "-"]) == ["d/b.yaml", "-", "*d/a.yaml"])
  }

  @Test("Whether a folder was named is known, also of an empty one")
  func folders() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "")
    try folder.folder("empty")
    var finder = DocumentFinder()
    try finder.add(folder.path("a.yaml"))
    #expect(!finder.hasFolder)
    try finder.add(folder.path("empty/"))
    #expect(finder.hasFolder && finder.found.count == 1)
  }

  @Test("A name that is not UTF-8 is told of, and its file passed over")
  func encoding() throws {
    let folder = try TemporaryFolder()
    try folder.folder("d")
    let name = folder.path.utf8CString.dropLast() + "/d/".utf8CString.dropLast() + [CChar(bitPattern: 0xFF)]
    let descriptor = open(Array(name) + ".yaml".utf8CString, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    var finder = DocumentFinder()
    try finder.add(folder.path("d"))
    #expect(finder.found.isEmpty)
    let shown = folder.path("d/\u{FFFD}.yaml")
    #expect(finder.unreadable == [.init(file: shown, message: "cannot read \(shown): its name is not UTF-8")])
  }
}
