import Foundation
import Glibc
import RunReporting
import ScenarioLanguage
import Synchronization
import Testing

@testable import Workspace

/// Ledgers whose lines are numbers, so that nothing but the files is looked at.
@Suite struct LedgerFileTests {
  private static let format = LedgerFile.Format(lineLimit: 1_000) { names in
    let ours = names.filter { $0.hasPrefix("plays") && $0.hasSuffix(".jsonl") }
    return [ours.filter { $0.contains("-") }.sorted(by: >), ours.filter { !$0.contains("-") }]
  } number: { line in
    Int(String(decoding: line, as: UTF8.self))
  }

  private static func open(
    _ folder: TemporaryFolder, byteLimit: Int = LedgerFile.usualByteLimit,
    tell: @escaping @Sendable (WorkspaceError?) -> Void = { _ in }
  ) throws(WorkspaceError) -> LedgerFile {
    try LedgerFile(folder.path("ledger/plays.jsonl"), format: format, byteLimit: byteLimit, tell: tell)
  }

  private static func end(_ folder: TemporaryFolder) throws -> String? {
    try open(folder).end.map { "\($0.file) \(String(decoding: $0.line, as: UTF8.self))" }
  }

  @Test("Lines come into their files in the order of the calls, in a folder and files that only the owner reads")
  func order() throws {
    let folder = try TemporaryFolder()
    let file = try Self.open(folder)
    #expect(file.end == nil && file.files == [])
    for number in 1...500 { #expect(file.append("\(number)\n", to: "plays-\(number / 200).jsonl")) }
    #expect(file.close() == nil && file.failure == nil)
    let texts = (0...2).map { folder.text("ledger/plays-\($0).jsonl") ?? "" }
    #expect(texts.joined() == (1...500).map { "\($0)\n" }.joined() && texts.allSatisfy { $0.count > 200 })
    #expect(folder.mode("ledger/plays-0.jsonl") == 0o600 && folder.mode("ledger") == 0o700)
    #expect(!file.append("501\n", to: "plays-2.jsonl"))
  }

  @Test("It goes on behind its last line, of the file with the highest number")
  func end() throws {
    let folder = try TemporaryFolder()
    try folder.write("ledger/plays-1.jsonl", "1\n2\n")
    try folder.write("ledger/plays-2.jsonl", "3\n4\n")
    try folder.write("ledger/other.jsonl", "99\n")
    #expect(try Self.end(folder) == "plays-2.jsonl 4")
    try folder.write("ledger/plays.jsonl", "5\n")
    #expect(try Self.end(folder) == "plays.jsonl 5")
  }

  @Test(
    "A line that is not whole is cut off, as a process leaves it that is killed",
    arguments: [
      ("7\n8\n9", "7\n8\n", "plays-2.jsonl 8"), ("7\n8\n9\n", "7\n8\n9\n", "plays-2.jsonl 9"),
      ("7", "", "plays-1.jsonl 1"), ("", "", "plays-1.jsonl 1"), ("7\n\0\0\0", "7\n", "plays-2.jsonl 7"),
      ("7\n" + String(repeating: "x", count: 200_000), "7\n", "plays-2.jsonl 7"),
    ])
  func torn(text: String, kept: String, end: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("ledger/plays-1.jsonl", "1\n")
    try folder.write("ledger/plays-2.jsonl", text)
    let file = try Self.open(folder)
    #expect(folder.text("ledger/plays-2.jsonl") == kept)
    #expect(file.end.map { "\($0.file) \(String(decoding: $0.line, as: UTF8.self))" } == end)
    #expect(file.append("20\n", to: "plays-2.jsonl") && file.close() == nil)
    #expect(folder.text("ledger/plays-2.jsonl") == kept + "20\n")
  }

  @Test("A last line that is damaged or too long is not followed: the ledger is not opened, and left as it is")
  func damaged() throws {
    for line in ["x\n", String(repeating: "1", count: 1_001) + "\n", String(repeating: "1", count: 100_000) + "\n"] {
      let folder = try TemporaryFolder()
      try folder.write("ledger/plays.jsonl", "1\n" + line)
      let error = #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
      #expect(error?.code == .damaged && error?.message.hasSuffix("its last line is damaged") == true)
      #expect(error?.help?.contains("ledger verify") == true && folder.text("ledger/plays.jsonl") == "1\n" + line)
    }
    let folder = try TemporaryFolder()
    try folder.write("ledger/plays.jsonl", String(repeating: "1", count: 1_000) + "\n")
    #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
    try folder.write("ledger/plays.jsonl", String(repeating: "0", count: 999) + "1\n")
    #expect(try Self.open(folder).end?.line.count == 1_000)
  }

  @Test("A damaged ledger is put aside whole, under the names of its files, and a new one begins; nothing is deleted")
  func putAside() throws {
    let folder = try TemporaryFolder()
    let texts = ["plays-1.jsonl": "1\n", "plays-1.jsonl.sig": "s", "plays-2.jsonl": "2\nx\n", "plays.jsonl": "0\n"]
    for (name, text) in texts { try folder.write("ledger/\(name)", text) }
    try folder.write("ledger/bar.jsonl", "1\n")
    let path = folder.path("ledger/plays.jsonl")
    let first = try LedgerFile.putAside(path, Self.format, mark: "now")
    #expect(first == folder.path("ledger/plays.jsonl.damaged-now"))
    for (name, text) in texts { #expect(folder.text("ledger/plays.jsonl.damaged-now/\(name)") == text) }
    #expect(folder.text("ledger/bar.jsonl") == "1\n")
    #expect(try Self.open(folder).end == nil)
    try folder.write("ledger/plays.jsonl", "y\n")
    #expect(try LedgerFile.putAside(path, Self.format, mark: "now") == first + "-2")
    #expect(folder.text("ledger/plays.jsonl.damaged-now-2/plays.jsonl") == "y\n")
  }

  @Test("One process at a time has a ledger; the next one may when it is gone")
  func locked() throws {
    let folder = try TemporaryFolder()
    var first: LedgerFile? = try Self.open(folder)
    #expect(first?.end == nil)
    let error = #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
    #expect(error?.code == .busy && error?.exit == .busy && error?.help != nil)
    // Ledgers of other playlists in the same folder have locks of their own.
    _ = try LedgerFile(folder.path("ledger/bar.jsonl"), format: Self.format)
    first = nil
    #expect(try Self.open(folder).end == nil)
  }

  @Test("A ledger that was closed may be gone on with at once, though somebody still holds it")
  func handedOn() throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    #expect(first.close() == nil)
    #expect(try Self.open(folder).end == nil)
    withExtendedLifetime(first) {}
  }

  @Test(
    "A ledger is free at once when it is given back, also while a program is being started that has a copy of its lock")
  func copiedDescriptor() throws {
    let folder = try TemporaryFolder()
    var first: LedgerFile? = try Self.open(folder)
    #expect(first?.end == nil)
    let copy = try folder.copyOfDescriptor("ledger/.plays.jsonl.lock")
    first = nil
    #expect(try Self.open(folder).end == nil)
    _ = copy.descriptor
  }

  @Test("Where no folder can be made or opened, the error says what else to do")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("ledger", "a file")
    let error = #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
    #expect(error?.code == .notWritten && error?.message.contains("Not a directory") == true)
    #expect(error?.help == "name another place with `ledger: { file: PATH }`")
    for path in ["", "/", "a/..", folder.path("x/"), "a\0b"] {
      let error = #expect(throws: WorkspaceError.self) { _ = try LedgerFile(path, format: Self.format) }
      #expect(error?.code == .documentInvalid, "\(path)")
    }
  }

  @Test("A folder that must not be written is an error", .disabled(if: geteuid() == 0, "root may write everywhere"))
  func readOnly() throws {
    let folder = try TemporaryFolder()
    try folder.folder("ledger")
    chmod(folder.path("ledger"), 0o500)
    defer { chmod(folder.path("ledger"), 0o700) }
    let error = #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
    #expect(error?.code == .notWritten && error?.message.contains("Permission denied") == true)
  }

  @Test("A file where the folder should be is an error, for root, too")
  func fileInTheWay() throws {
    let folder = try TemporaryFolder()
    try folder.write("ledger", "in the way")
    let error = #expect(throws: WorkspaceError.self) { _ = try Self.open(folder) }
    #expect(error?.code == .notWritten && error?.help?.contains("ledger: { file: PATH }") == true)
    #expect(folder.text("ledger") == "in the way")
  }

  @Test("A line that cannot be written is tried again; it and those behind it come then, in their order")
  func retries() throws {
    let folder = try TemporaryFolder()
    let told = Mutex<[WorkspaceError?]>([])
    let file = try Self.open(folder) { error in told.withLock { $0.append(error) } }
    #expect(file.append("1\n", to: "plays-1.jsonl"))
    try folder.folder("ledger/plays-2.jsonl")
    for number in 2...5 { #expect(file.append("\(number)\n", to: "plays-2.jsonl")) }
    file.retry()
    #expect(file.failure?.message.contains("Is a directory") == true)
    #expect(rmdir(folder.path("ledger/plays-2.jsonl")) == 0)
    file.retry()
    #expect(file.failure == nil && folder.text("ledger/plays-2.jsonl") == "2\n3\n4\n5\n")
    #expect(folder.text("ledger/plays-1.jsonl") == "1\n")
    #expect(told.withLock { $0.map { $0 == nil } } == [false, true] && file.close() == nil)
  }

  @Test("What is not on the disk at the end is counted, and nothing is taken where too much waits")
  func full() throws {
    let folder = try TemporaryFolder()
    let file = try Self.open(folder, byteLimit: 10)
    try folder.folder("ledger/plays-1.jsonl")
    #expect(file.append("1234\n", to: "plays-1.jsonl") && file.append("5678\n", to: "plays-1.jsonl"))
    #expect(!file.append("9\n", to: "plays-1.jsonl"))
    let error = file.close()
    #expect(error?.message.hasSuffix("Is a directory; the last 2 records are missing") == true, "\(error as Any)")
    #expect(error?.exit == .reportNotWritten)
  }

  @Test("A file that somebody removed is made again, and a link in its place is not followed")
  func removed() throws {
    let folder = try TemporaryFolder()
    let file = try Self.open(folder)
    #expect(file.append("1\n", to: "plays.jsonl"))
    file.retry()
    #expect(unlink(folder.path("ledger/plays.jsonl")) == 0)
    #expect(file.append("2\n", to: "plays.jsonl") && file.close() == nil)
    #expect(folder.text("ledger/plays.jsonl") == "2\n")
    let other = try TemporaryFolder()
    try other.link("ledger/plays.jsonl", to: folder.path("ledger/plays.jsonl"))
    #expect(throws: WorkspaceError.self) { _ = try Self.open(other) }
  }

  @Test("A ledger is beside its playlist where that names a file, else in the state folder by the playlist's id")
  func places() throws {
    let folder = try TemporaryFolder()
    func path(_ ledger: String, _ file: String) throws(WorkspaceError) -> String {
      let text = "playlist: Café\nid: cafe\ndevice: TV\nprogram: [{ play: [https://e.com/a.jpg] }]\n" + ledger
      guard case .playlist(let plan)? = PlanCompiler.compile(SourceFile(name: file, bytes: Array(text.utf8))).document
      else { throw WorkspaceError(.told, text) }
      return try LedgerFile.path(of: plan, in: .living(in: folder))
    }
    #expect(try path("", "shop/p.yaml") == folder.path(".local/state/showcaller/ledgers/cafe.jsonl"))
    #expect(try path("ledger: { file: plays.jsonl }", "shop/p.yaml") == "shop/plays.jsonl")
    #expect(try path("ledger: { file: plays.jsonl }", "p.yaml") == "plays.jsonl")
    #expect(try path("ledger: { file: /srv/plays.jsonl }", "shop/p.yaml") == "/srv/plays.jsonl")
  }
}
