import CastProtocol
import Foundation
import TestSupport
import Testing

/// A folder that a web server has: a receiver page of ours, a minute of sound, captions; and what runs beside it.
struct PageLab {
  static let appID = "A1B2C3D4"

  let folder: TemporaryFolder
  let server: FolderServer
  /// Of the page.
  var page: String { address("receiver.html") }

  /// Whether a browser is there, which `make judges` sees to.
  static let hasBrowser = JudgeTests.folder != nil

  init() async throws {
    folder = try TemporaryFolder()
    let page = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/receiver_page.html")
    try FileManager.default.copyItem(at: page, to: folder.url.appending(path: "receiver.html"))
    try Self.sound(seconds: 60).write(to: folder.url.appending(path: "film.wav"))
    _ = try folder.write("en.vtt", "WEBVTT\n\n00:00.000 --> 01:00.000\nHello from the captions\n")
    _ = try folder.write("broken.wav", "this is no sound")
    server = try await FolderServer(folder)
  }

  func address(_ file: String) -> String { "http://127.0.0.1:\(server.port)/\(file)" }

  /// Silence as a WAV file: a format that every browser plays, and that needs no tool to make.
  private static func sound(seconds: Int) -> Data {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
    let size = seconds * 8000
    var bytes = Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(1, 2) + little(8000, 4) + little(8000, 4) + little(1, 2) + little(8, 2)
    bytes += Array("data".utf8) + little(size, 4) + [UInt8](repeating: 128, count: size)
    return Data(bytes)
  }

  /// Starts `receive` with the page and waits until it is there.
  func receive(_ arguments: String..., environment: [String: String] = [:]) async throws -> (Running, [String]) {
    let names = arguments.filter { $0 == "--name" }.count
    let running = try Showcaller.start(
      ["receive", "--port", "0", "--app", "\(Self.appID)=\(page)"] + arguments, environment: environment,
      in: folder.url,
      limit: 120)
    let lines = try await running.lines(max(1, names))
    return (running, lines.compactMap { $0.split(separator: " ").last.map(String.init) })
  }

  /// The processes of the browser that `parent` started whose command has `word`.
  static func browserProcesses(of parent: Int32, with word: String) -> [Int32] {
    var parents: [Int32: Int32] = [:]
    var commands: [Int32: String] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = Int32(name), let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { continue }
      parents[id] = stat[end...].split(separator: " ").dropFirst(2).first.flatMap { Int32($0) }
      commands[id] = (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)) ?? ""
    }
    return commands.keys.filter { id in
      guard commands[id]?.contains(word) == true else { return false }
      var above = parents[id]
      while let next = above, next > 1, next != parent { above = parents[next] }
      return above == parent
    }
  }

  func stop() async { await server.stop() }
}
