import Foundation
import Testing

@testable import Workspace

@Suite struct ZipArchiveTests {
  static let files: [(name: String, content: [UInt8])] = [
    ("manifest.json", Array("{}".utf8)), ("empty", []), ("sources/ü ä.yaml", Array("scenario: Ü\n".utf8)),
    ("screenshots/s1.png", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 >> 3) }),
  ]

  static func archive(_ files: [(name: String, content: [UInt8])] = files) throws -> [UInt8] {
    var writer = ZipWriter()
    for file in files where !writer.add(file.name, file.content) { throw ZipArchive.Problem(text: "no room") }
    return writer.finish()
  }

  /// Reads an archive of these bytes.
  static func opened(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> ZipArchive {
    let path = folder.path("a.zip")
    try Data(bytes).write(to: URL(filePath: path))
    return try ZipArchive(path)
  }

  @Test("The checksum is the one of the format")
  func checksum() {
    var crc = CRC32()
    #expect(crc.value == 0)
    crc.add(Array("1234".utf8))
    crc.add(Array("56789".utf8))
    // The check value of CRC-32/ISO-HDLC.
    #expect(crc.value == 0xCBF4_3926)
  }

  @Test("What was put in comes out, in its order, and the same files give the same bytes")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.archive()
    #expect(try Self.archive() == bytes)
    let archive = try Self.opened(bytes, in: folder)
    #expect(ZipArchive.isOne(folder.path("a.zip")))
    #expect(archive.names == Self.files.map(\.name))
    for file in Self.files {
      #expect(archive.size(of: file.name) == file.content.count)
      #expect(try archive.contents(of: file.name, limit: 1 << 20) == file.content)
    }
    #expect(try Self.opened(Self.archive([]), in: folder).names.isEmpty)
    #expect(ZipArchive.isOne(folder.path("a.zip")), "also an empty one")
    #expect(throws: ZipArchive.Problem(text: "it has no other")) { try archive.contents(of: "other", limit: 1) }
    #expect(throws: ZipArchive.Problem(text: "screenshots/s1.png is larger than 1 KiB")) {
      try archive.contents(of: "screenshots/s1.png", limit: 1024)
    }
  }

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
    where: FileManager.default.isExecutableFile)

  private static func run(_ script: String, in folder: TemporaryFolder) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(filePath: folder.path(""))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  @Test("Another program reads what we write", .enabled(if: python != nil))
  func otherReader() throws {
    let folder = try TemporaryFolder()
    _ = try Self.opened(Self.archive(), in: folder)
    let told = try Self.run(
      """
      import zipfile, hashlib
      archive = zipfile.ZipFile("a.zip")
      print(archive.testzip(), [(i.filename, i.file_size, i.compress_type) for i in archive.infolist()])
      print(archive.read("sources/ü ä.yaml").decode())
      """, in: folder)
    #expect(
      told
        == "None [('manifest.json', 2, 0), ('empty', 0, 0), ('sources/ü ä.yaml', 13, 0), ('screenshots/s1.png', 200000, 0)]\n"
        + "scenario: Ü\n\n")
  }

  @Test("We read what another program stored, with folders, a comment and bytes in front", .enabled(if: python != nil))
  func otherWriter() throws {
    let folder = try TemporaryFolder()
    _ = try Self.run(
      """
      import zipfile
      with zipfile.ZipFile("a.zip", "w") as archive:
        archive.mkdir("sources") if hasattr(archive, "mkdir") else archive.writestr("sources/", "")
        archive.writestr("sources/a.yaml", "scenario: A")
        archive.comment = b"made by hand"
      with zipfile.ZipFile("packed.zip", "w", zipfile.ZIP_DEFLATED) as archive: archive.writestr("a.yaml", "x" * 1000)
      """, in: folder)
    let archive = try ZipArchive(folder.path("a.zip"))
    #expect(archive.names == ["sources/a.yaml"])
    #expect(try archive.contents(of: "sources/a.yaml", limit: 100) == Array("scenario: A".utf8))
    #expect(throws: ZipArchive.Problem(text: "a.yaml is compressed")) { try ZipArchive(folder.path("packed.zip")) }
  }

  static let wrong: [(name: String, text: String)] = [
    ("../x", "the name `../x` leads out of it"), ("/x", "the name `/x` leads out of it"),
    ("a/./x", "the name `a/./x` leads out of it"), ("a//x", "the name `a//x` leads out of it"),
    ("a\\x", "the name `a\\x` leads out of it"), ("a\u{0}b", "the name `a\u{0}b` leads out of it"),
  ]

  @Test("A name that leads out of the archive is refused", arguments: wrong)
  func names(example: (name: String, text: String)) throws {
    let folder = try TemporaryFolder()
    #expect(throws: ZipArchive.Problem(text: example.text)) {
      try Self.opened(Self.archive([(example.name, [1])]), in: folder)
    }
  }

  @Test("Two files of one name are refused")
  func twice() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ZipArchive.Problem(text: "it has two files a")) {
      try Self.opened(Self.archive([("a", [1]), ("a", [2])]), in: folder)
    }
  }

  @Test("However bytes are changed or cut off, what is read is what was written, or a problem is told")
  func damage() throws {
    let folder = try TemporaryFolder()
    let files: [(name: String, content: [UInt8])] = [("a.txt", Array("hello".utf8)), ("b/c", [0, 255])]
    let bytes = try Self.archive(files)
    var refused = 0
    for place in bytes.indices {
      for change in [UInt8(0x01), 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] ^= change
        do {
          let archive = try Self.opened(damaged, in: folder)
          for file in files where archive.names.contains(file.name) {
            #expect(try archive.contents(of: file.name, limit: 1 << 20) == file.content)
          }
        } catch is ZipArchive.Problem {
          refused += 1
        }
      }
      #expect(throws: ZipArchive.Problem.self) { try Self.opened(Array(bytes[..<place]), in: folder) }
    }
    #expect(refused > bytes.count, "\(refused)")
  }

  @Test("Content that is not what its checksum says is refused")
  func content() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.archive([("a.txt", Array("hello".utf8))])
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "h")))
    bytes[place] = UInt8(ascii: "j")
    let archive = try Self.opened(bytes, in: folder)
    #expect(throws: ZipArchive.Problem(text: "a.txt is damaged: its checksum is wrong")) {
      try archive.contents(of: "a.txt", limit: 100)
    }
  }

  @Test("There is no room for more files than are read again, nor for a name that is longer")
  func limits() {
    var writer = ZipWriter()
    let takesLong = writer.add(String(repeating: "x", count: ZipArchive.nameLimit + 1), [])
    #expect(!takesLong)
    let taken = (0..<ZipArchive.entryLimit).filter { writer.add("\($0)", []) }.count
    let takesMore = writer.add("more", [])
    #expect(taken == ZipArchive.entryLimit && !takesMore)
  }

  @Test("A file that is none is told apart")
  func none() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", "scenario: A\n")
    #expect(!ZipArchive.isOne(path) && !ZipArchive.isOne(folder.path("nowhere")) && !ZipArchive.isOne(folder.path("")))
    #expect(throws: ZipArchive.Problem(text: "it is no ZIP archive")) { try ZipArchive(path) }
    let long = try folder.write("b.yaml", String(repeating: "scenario: A\n", count: 10))
    #expect(throws: ZipArchive.Problem(text: "it is no ZIP archive, or its end is missing")) { try ZipArchive(long) }
    #expect(throws: ZipArchive.Problem.self) { try ZipArchive(folder.path("")) }
  }
}
