import Foundation
import Synchronization
import Testing

@testable import Workspace

@Suite struct KeptSecretTests {
  @Test("Of many who first want a secret at the same time each gets the one that the file has")
  func race() throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let path = folder.path("state/secret")
      let got = Mutex<[[UInt8]?]>([])
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        let secret = try? Files.keptSecret(at: path, bytes: 32)
        got.withLock { $0.append(secret) }
      }
      let kept = try Files.read(path, limit: 100)
      #expect(kept.count == 32)
      #expect(Set(got.withLock { $0 }) == [kept])
      #expect(folder.mode("state/secret") == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("state")) == ["secret"])
    }
  }

  @Test("A secret that is text may be what somebody wrote, if it is as long; what is too short is replaced")
  func text() throws {
    let folder = try TemporaryFolder()
    let made = try Files.keptSecret(at: folder.path("made"), bytes: 16, as: .text)
    #expect(made.count == 32 && folder.text("made") == String(decoding: made, as: UTF8.self) + "\n")
    let written = String(repeating: "Æ", count: 16)
    try folder.write("own", " \(written) \n")
    #expect(try Files.keptSecret(at: folder.path("own"), bytes: 16, as: .text) == Array(written.utf8))
    try folder.write("short", "secret\n")
    let new = try Files.keptSecret(at: folder.path("short"), bytes: 16, as: .text)
    #expect(new.count == 32 && folder.text("short") == String(decoding: new, as: UTF8.self) + "\n")
  }

  @Test("What is no secret of this length is replaced; where nothing can be kept that is said")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "half")
    let secret = try Files.keptSecret(at: folder.path("file"), bytes: 32)
    #expect(try secret.count == 32 && secret == Files.read(folder.path("file"), limit: 100))
    #expect(throws: FileError.system(ENOTDIR)) { try Files.keptSecret(at: folder.path("file/secret"), bytes: 32) }
  }

  @Test("A file is made whole, and only where nothing is")
  func create() throws {
    let folder = try TemporaryFolder()
    try Files.create(Array("new".utf8), at: folder.path("file"), mode: 0o640)
    #expect(folder.text("file") == "new" && folder.mode("file") == 0o640)
    try folder.link("dangling", to: "nowhere")
    for name in ["file", "dangling"] {
      #expect(throws: FileError.system(EEXIST)) { try Files.create([], at: folder.path(name), mode: 0o600) }
    }
    #expect(try folder.names() == ["dangling", "file"])
  }
}
