import Foundation
import Testing

@testable import ReceiverPages

@Suite struct ProfileFolderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "profiles-\(UUID().uuidString)")

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  @Test("What a process left that is gone is removed; what is in use, new or none of ours stays")
  func abandoned() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let used = try #require(ProfileFolder(in: folder.path))
    for name in ["showcaller-browser-gone/Default", "showcaller-browser-new", "other-browser-x"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    // A file with a lock that nobody holds any more.
    try Data().write(to: folder.appending(path: "showcaller-browser-gone/showcaller.lock"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "showcaller-browser-link"),
      withDestinationURL: folder.appending(path: "other-browser-x"))
    ProfileFolder.removeAbandoned(in: folder.path)
    let mine = URL(filePath: used.path).lastPathComponent
    #expect(
      try names() == ["other-browser-x", mine, "showcaller-browser-link", "showcaller-browser-new"].sorted())
    used.remove()
    #expect(try names() == ["other-browser-x", "showcaller-browser-link", "showcaller-browser-new"])
  }

  @Test("Where no folder can be made there is none")
  func impossible() { #expect(ProfileFolder(in: "/nonexistent") == nil) }
}
