import ScenarioLanguage
import Testing

@testable import Workspace

/// Addresses of the command line and of lists, and what no device can fetch.
@Suite struct AddressListTests {
  private static func read(_ text: String, _ words: [String] = []) throws -> AddressList {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try AddressList(words, file: folder.write("list.m3u", text)) }
  }

  @Test("A list has an address a line; M3U gives titles and lengths, and comments and spaces do not count")
  func list() throws {
    let list = try Self.read(
      "\u{FEFF}#EXTM3U\r\n#EXTINF:90,Sintel\r\nhttps://x/b.mp4\r\n\r\n# no\r\n  https://x/c.mp4 \t# a comment\r\n"
        + "#EXTINF:-1 tvg-id=\"x\",Live, and more\r\nhttps://x/d.mp4#t=10", ["https://x/a.mp4"])
    #expect(
      list.entries.map(\.text) == ["https://x/a.mp4", "https://x/b.mp4", "https://x/c.mp4", "https://x/d.mp4#t=10"])
    #expect(list.entries.map(\.title) == [nil, "Sintel", nil, "Live, and more"])
    #expect(list.entries.map(\.duration) == [nil, 90, nil, nil])
    let span = try #require(list.entries[2].place)
    #expect(span.line == 6 && span.column == 3 && span.endColumn == 18 && span.file == list.source?.name)
  }

  static let wrong: [(String, String)] = [
    ("# nothing\n\n", "has no addresses"), ("#EXTM3U\n#EXT-X-TARGETDURATION:8\n", "is an HLS stream"),
    ("https://x/y.mp4\nz.mp4\n", ":2: `z.mp4` is not an address"), ("-\n", "standard input cannot be played"),
    ("file:a.mp4\n", "which a queue cannot play"),
    (String(repeating: "https://x/y.mp4\n", count: 2_001), "2001 addresses"),
    (String(repeating: "#\n", count: 1 << 19), "longer than 1 MiB"),
  ]

  @Test("What is no list of addresses is told, at its line where it has one", arguments: wrong)
  func refused(text: String, message: String) throws {
    let error = #expect(throws: WorkspaceError.self) { try Self.read(text) }
    #expect(error?.message.contains(message) == true && error?.help != nil, "\(error?.message ?? "")")
    #expect(error?.code == .commandLineWrong)
  }

  @Test("A file of this computer is told from what is no address at all")
  func files() throws {
    for (word, message) in [("film", "is not an address"), ("/dev/null", "is a file of this computer")] {
      let error = #expect(throws: WorkspaceError.self) { try AddressList([word], file: nil) }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }

  @Test("A length or a title that makes no sense is none, and neither goes to a later address")
  func information() throws {
    let lines = [
      "0,Zero", "-5,Less", "1000000,Long", "nan,None", "inf,Endless", "1e3,  Spaces", "12.5", "7,", "x,Word",
    ]
    let text = lines.enumerated().map { "#EXTINF:\($1)\nhttps://x/\($0).mp4\n" }.joined()
    let list = try Self.read(text + "https://x/last.mp4\n")
    #expect(list.entries.map(\.duration) == [nil, nil, nil, nil, nil, 1000, 12.5, 7, nil, nil])
    #expect(
      list.entries.map(\.title) == ["Zero", "Less", "Long", "None", "Endless", "Spaces", nil, nil, "Word", nil])
  }

  static let addresses: [(text: String, place: String, message: String?)] = [
    ("https://x/y.mp4", "", nil), ("rtsp://x", "", nil), ("content:1", "a.m3u:1: ", nil),
    ("FILE:///a.mp4", "", "`FILE:///a.mp4` is a file of this computer, which a queue cannot play"),
    ("file:a.mp4", "a.m3u:2: ", "a.m3u:2: `file:a.mp4` is a file of this computer, which a queue cannot play"),
    ("-", "a.m3u:3: ", "a.m3u:3: standard input cannot be played: a device fetches what it plays by itself"),
    ("/dev/null", "", "`/dev/null` is a file of this computer, which a queue cannot play"),
    // Paths of a list count from nowhere: whether there is such a file says nothing.
    ("/dev/null", "a.m3u:4: ", "a.m3u:4: `/dev/null` is not an address that a device can fetch"),
    ("", "", "`` is not an address that a device can fetch"),
  ]

  @Test("Whatever has a scheme is an address, but for files of this computer", arguments: addresses)
  func address(text: String, place: String, message: String?) {
    guard let message else {
      #expect(throws: Never.self) { try MediaAddress.check(text, place: place) }
      return
    }
    let error = #expect(throws: WorkspaceError.self) { try MediaAddress.check(text, place: place) }
    #expect(error?.message == message && error?.help != nil)
  }

  @Test("A list holds as many addresses as a queue has items, those of the command line among them")
  func most() throws {
    let list = String(repeating: "https://x/y.mp4\n", count: 1_999)
    #expect(try Self.read(list, ["https://x/a.mp4"]).entries.count == 2_000)
    #expect(throws: WorkspaceError.self) { try Self.read(list, ["https://x/a.mp4", "https://x/b.mp4"]) }
    #expect(try AddressList([], file: nil).entries.isEmpty)
  }
}
