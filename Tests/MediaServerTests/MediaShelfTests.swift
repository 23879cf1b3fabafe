import Foundation
import MediaServer
import Testing
import WebServer

/// A folder that goes with its owner.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "media-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }
}

/// The rules by which files are served, without a socket (docs/security.md M1, M4 and M5).
@Suite struct MediaShelfTests {
  private static let authority = "192.0.2.7:40000"
  private static let device = "192.0.2.20"

  private struct Served {
    let folder: Folder
    let shelf = MediaShelf(now: { .zero })
    let file: String
    let path: String

    init(_ name: String = "film.mp4", _ bytes: [UInt8] = Array(0..<200)) throws {
      folder = try Folder()
      file = folder.path(name)
      try Data(bytes).write(to: URL(filePath: file))
      shelf.admit(MediaShelfTests.device)
      path = try shelf.add(file)
    }

    func ask(
      _ method: ServedRequest.Method? = .get, _ path: String? = nil, host: String? = authority,
      headers: [String: String] = [:], peer: String = device
    ) -> ServedAnswer {
      shelf.answer(
        ServedRequest(method, path ?? self.path, host: host, headers: headers, peer: peer), authority: authority)
    }
  }

  /// All bytes of an answer.
  private static func bytes(of answer: ServedAnswer) throws -> [UInt8] {
    switch answer.body {
    case .bytes(let bytes): return bytes
    case .pieces(let length, let read):
      var all: [UInt8] = []
      while all.count < length { all += try read(all.count, min(64, length - all.count)) }
      return all
    case .stream: return []
    }
  }

  @Test("A file is served whole with what a receiver needs to know of it")
  func whole() throws {
    let served = try Served()
    let answer = served.ask()
    #expect(answer.status == 200)
    #expect(try Self.bytes(of: answer) == Array(0..<200))
    #expect(answer.header("Content-Type") == "video/mp4" && answer.header("Accept-Ranges") == "bytes")
    #expect(answer.header("Access-Control-Allow-Origin") == "*" && answer.header("X-Content-Type-Options") == "nosniff")
    #expect(served.shelf.requests(of: served.path, by: [Self.device]).count == 1)
  }

  static let ranges: [(String, Int, String?, [UInt8])] = [
    ("bytes=0-9", 206, "bytes 0-9/200", Array(0..<10)), ("bytes=190-", 206, "bytes 190-199/200", Array(190..<200)),
    ("bytes=-5", 206, "bytes 195-199/200", Array(195..<200)), ("bytes=-900", 206, "bytes 0-199/200", Array(0..<200)),
    ("bytes=0-99999999999999999999999", 206, "bytes 0-199/200", Array(0..<200)),
    ("bytes=199-199", 206, "bytes 199-199/200", [199]), ("bytes=200-", 416, "bytes */200", []),
    ("bytes=-0", 416, "bytes */200", []), ("bytes=99999999999999999999999-", 416, "bytes */200", []),
    ("bytes=9-3", 200, nil, Array(0..<200)), ("bytes=0-1,5-6", 200, nil, Array(0..<200)),
    ("bytes=a-b", 200, nil, Array(0..<200)), ("items=0-1", 200, nil, Array(0..<200)),
    ("bytes=-", 200, nil, Array(0..<200)),
    ("bytes=+1-2", 200, nil, Array(0..<200)),
  ]

  @Test("A range is answered as RFC 9110 says, whatever its numbers are", arguments: ranges)
  func range(header: String, status: Int, contentRange: String?, bytes: [UInt8]) throws {
    let answer = try Served().ask(headers: ["range": header])
    #expect(answer.status == status && answer.header("Content-Range") == contentRange)
    #expect(try Self.bytes(of: answer) == bytes)
  }

  @Test("Who has a content already need not fetch it again, and a part of another content is not what was asked for")
  func conditions() throws {
    let served = try Served()
    let tag = try #require(served.ask().header("ETag"))
    #expect(served.ask(headers: ["if-none-match": "\"x\", \(tag)"]).status == 304)
    #expect(served.ask(headers: ["if-none-match": "\"x\""]).status == 200)
    #expect(served.ask(headers: ["range": "bytes=0-1", "if-range": tag]).status == 206)
    #expect(served.ask(headers: ["range": "bytes=0-1", "if-range": "\"x\""]).status == 200)
  }

  @Test("Only reading is allowed, and a browser's question before it is answered")
  func methods() throws {
    let served = try Served()
    for method: ServedRequest.Method? in [.post, .put, .delete, nil] {
      let answer = served.ask(method)
      #expect(answer.status == 405 && answer.header("Allow") == "GET, HEAD, OPTIONS")
    }
    let options = served.ask(.options)
    #expect(options.status == 204 && options.header("Access-Control-Allow-Headers")?.contains("Range") == true)
  }

  @Test("Whatever is not the path of a registered file is nothing, with the same words")
  func traversal() throws {
    let served = try Served()
    let token = String(served.path.split(separator: "/")[1])
    var paths = [
      "/", "/m", "/m/", "/m/\(token)", "/m/\(token)/", "/m/\(token)/other.mp4", "/m/\(token)/film.mp4/", "/film.mp4",
      "//m/\(token)/film.mp4", "/m/\(token)/./film.mp4", "/m/\(token)/%66ilm.mp4", "/M/\(token)/film.mp4",
      "/m/\(token.uppercased() + "0")/film.mp4", served.file,
    ]
    for dots in ["..", "%2e%2e", "%2E%2E", "..%2f", "%252e%252e", "..\\", "..;", "%c0%ae%c0%ae"] {
      for depth in 1...30 {
        let up = Array(repeating: dots, count: depth).joined(separator: "/")
        paths += ["/m/\(up)/etc/passwd", "/m/\(token)/\(up)/etc/passwd"]
      }
    }
    #expect(paths.count > 480)
    for path in paths {
      let answer = served.ask(.get, path)
      #expect(answer.status == 404, "\(path)")
      #expect(try Self.bytes(of: answer) == Array("nothing here\n".utf8))
    }
  }

  @Test("Only the address that was told to the device is ours, and only the device may fetch")
  func strangers() throws {
    let served = try Served()
    for host in [
      nil, "", "192.0.2.7", "192.0.2.7:40001", "evil.example", "evil.example:40000", "localhost:40000",
      "192.0.2.7:40000.", "[::1]:40000",
    ] as [String?] {
      #expect(served.ask(host: host).status == 421, "\(host ?? "none")")
    }
    #expect(served.ask(peer: "192.0.2.21").status == 403)
    #expect(served.shelf.requests(of: served.path, by: [Self.device]).count == 0, "who may not fetch has not fetched")
  }

  @Test("A file that is replaced is served as it was, and one that is written to is not served at all")
  func swapped() throws {
    let served = try Served()
    try FileManager.default.removeItem(atPath: served.file)
    try Data(repeating: 9, count: 200).write(to: URL(filePath: served.file))
    #expect(try Self.bytes(of: served.ask()) == Array(0..<200), "it was open")
    let again = try served.shelf.add(served.file)
    #expect(again != served.path, "another content has another address")
    #expect(try Self.bytes(of: served.ask(.get, again)) == [UInt8](repeating: 9, count: 200))
    let written = try FileHandle(forWritingTo: URL(filePath: served.file))
    try written.truncate(atOffset: 10)
    try written.close()
    #expect(served.ask(.get, again).status == 410)
  }

  @Test("The same file keeps its address, two files have addresses that nobody guesses")
  func tokens() throws {
    let served = try Served()
    #expect(try served.shelf.add(served.file) == served.path)
    let other = try served.folder.write("other.mp4", "x")
    let token = try served.shelf.add(other).split(separator: "/")[1]
    #expect(token.count == 32 && token != served.path.split(separator: "/")[1])
  }

  @Test("What is no file is not served", arguments: ["", "missing.mp4"])
  func noFile(name: String) throws {
    let folder = try Folder()
    #expect(throws: MediaFile.Failure.self) {
      try MediaShelf(now: { .zero }).add(name.isEmpty ? folder.url.path : folder.path(name))
    }
  }

  @Test("Subtitles are served as WebVTT in UTF-8, whatever the file is, and a part of them is a part of that")
  func subtitles() throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nGr"
    let served = try Served("film.srt", Array(text.utf8) + [0xFC, 0xDF, 0x0A])
    let answer = served.ask()
    #expect(answer.header("Content-Type") == "text/vtt; charset=utf-8")
    let whole = try Self.bytes(of: answer)
    #expect(String(decoding: whole, as: UTF8.self).hasSuffix("00:00:01.000 --> 00:00:02.000\nGrüß\n\n"))
    let part = served.ask(headers: ["range": "bytes=0-5"])
    #expect(
      try Self.bytes(of: part) == Array("WEBVTT".utf8) && part.header("Content-Range") == "bytes 0-5/\(whole.count)")
  }

  @Test("A name is one in a path, whatever its letters are")
  func names() throws {
    let served = try Served("Été à 5%?.mp4")
    #expect(served.path.hasSuffix("/%C3%89t%C3%A9%20%C3%A0%205%25%3F.mp4"))
    #expect(served.ask().status == 200)
  }
}
