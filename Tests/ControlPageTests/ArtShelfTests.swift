import CastProtocol
import ControlPage
import ScenarioLanguage
import Signage
import Synchronization
import Testing

/// Pictures of what is on (docs/security.md W7).
@Suite struct ArtShelfTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let clock = TimeSource(ContinuousClock())

  /// A shelf, and what was fetched for it.
  private final class Lab: Sendable {
    let fetched = Mutex<[String]>([])
    let shelf: ArtShelf

    init(_ bytes: @escaping @Sendable (String) -> [UInt8]?) {
      nonisolated(unsafe) var lab: Lab?
      shelf = ArtShelf(salt: "a", clock: ArtShelfTests.clock) { url, _ in
        lab?.fetched.withLock { $0.append(url) }
        try? await Task.sleep(for: .milliseconds(20))
        return bytes(url)
      }
      lab = self
    }

    func picture(_ url: String) async -> ArtShelf.Picture? {
      let path = shelf.path(of: ArtAddress(urls: [url], document: "cafe.yaml")) ?? ""
      return await shelf.picture(String(path.dropFirst("/art/".count)))
    }
  }

  @Test("A picture is fetched once, also where many ask at the same time, and has the type of its first bytes")
  func once() async {
    let lab = Lab { _ in Self.png }
    await withTaskGroup(of: ArtShelf.Picture?.self) { group in
      for _ in 0..<20 { group.addTask { await lab.picture("https://e.com/a.jpg") } }
      for await picture in group { #expect(picture == .init(type: "image/png", bytes: Self.png)) }
    }
    #expect(await lab.picture("https://e.com/a.jpg") != nil)
    #expect(lab.fetched.withLock { $0 } == ["https://e.com/a.jpg"])
  }

  @Test("What nobody named cannot be had, and nothing is fetched for it")
  func noProxy() async {
    let lab = Lab { _ in Self.png }
    for name in ["", "https://e.com/a.jpg", "0123456789abcdef0123456789abcdef", "../token"] {
      #expect(await lab.shelf.picture(name) == nil)
    }
    #expect(lab.fetched.withLock { $0 }.isEmpty)
  }

  @Test("A name cannot be guessed by who knows the address: it has a salt")
  func salt() {
    let address = ArtAddress(urls: ["https://e.com/a.jpg"], document: "cafe.yaml")
    let other = ArtShelf(salt: "b", clock: Self.clock) { _, _ in nil }
    #expect(Lab { _ in nil }.shelf.path(of: address) != other.path(of: address))
    #expect(other.path(of: address) == other.path(of: address) && other.path(of: address)?.utf8.count == 37)
  }

  enum NoPicture: String, CaseIterable {
    case nothing, svg, page, zeros, large

    var bytes: [UInt8] {
      switch self {
      case .nothing: []
      case .svg: Array("<svg onload=alert(1)>".utf8)
      case .page: Array("<!doctype html>".utf8)
      case .zeros: [UInt8](repeating: 0, count: 100)
      case .large: png + [UInt8](repeating: 0, count: ArtShelf.pictureBytes)
      }
    }
  }

  @Test("What is no picture, or too large, is none, and is not asked for again at once", arguments: NoPicture.allCases)
  func noPicture(what: NoPicture) async {
    let lab = Lab { _ in what.bytes }
    let isNone = await lab.picture("https://e.com/a") == nil
    let isStillNone = await lab.picture("https://e.com/a") == nil
    #expect(isNone && isStillNone && lab.fetched.withLock { $0.count } == 1)
  }

  @Test("All pictures together have an end: what was not looked at for longest is fetched again")
  func bounded() async {
    let large = Self.png + [UInt8](repeating: 0, count: ArtShelf.pictureBytes - 8)
    let lab = Lab { _ in large }
    var sizes: [Int?] = []
    for number in 0..<9 { sizes.append(await lab.picture("https://e.com/\(number)")?.bytes.count) }
    sizes.append(await lab.picture("https://e.com/8")?.bytes.count)
    #expect(sizes.allSatisfy { $0 == large.count } && lab.fetched.withLock { $0.count } == 9)
    let first = await lab.picture("https://e.com/0")?.bytes.count
    #expect(first == large.count && lab.fetched.withLock { $0.count } == 10)
  }

  @Test("Many different ones are fetched a few at a time, and all come")
  func many() async {
    let lab = Lab { _ in Self.png }
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<30 { group.addTask { await lab.picture("https://e.com/\(number)") != nil } }
      for await isThere in group { #expect(isThere) }
    }
  }

  static let choices: [(media: String, urls: [String]?)] = [
    ("url: https://e.com/a.jpg", ["https://e.com/a.jpg"]), ("url: file:a.png", ["file:a.png"]),
    ("url: https://e.com/f.mp4", nil),
    ("url: https://e.com/f.mp4, metadata: { images: [https://e.com/p.jpg] }", ["https://e.com/p.jpg"]),
    (
      "url: https://e.com/a.jpg, metadata: { images: [https://e.com/4k.jpg, https://e.com/s.jpg] }",
      ["https://e.com/s.jpg", "https://e.com/4k.jpg", "https://e.com/a.jpg"]
    ),
  ]

  @Test("Pictures are those of the metadata, the smallest first, and a still itself", arguments: choices)
  func choice(media: String, urls: [String]?) throws {
    let yaml = "playlist: P\ndevice: TV\nmedia: { a: { \(media) } }\nprogram: [{ play: [a] }]\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "p.yaml", bytes: Array(yaml.utf8)))
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics)")
      return
    }
    var cursor = ScreenCursor(Program(plan, in: .utc), at: 0, seed: 0)
    guard case .show(let showing) = cursor.next(at: 0) else {
      Issue.record("nothing is on")
      return
    }
    #expect(ArtAddress(of: showing, in: "p.yaml")?.urls == urls)
  }

  /// A PNG as far as its size goes.
  private static func png(_ width: Int) -> [UInt8] {
    png + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, UInt8(width >> 8), UInt8(width & 255), 0, 0, 1, 0]
  }

  static let widths: [(urls: [String], chosen: Int?, fetched: Int)] = [
    (["90", "640", "3840"], 640, 2), (["90", "200"], 200, 2), (["200", "90"], 200, 2), (["x", "640"], 640, 2),
    (["480", "640"], 480, 1), (["x"], nil, 1),
  ]

  @Test("The smallest picture that is large enough is taken, else the largest", arguments: widths)
  func width(urls: [String], chosen: Int?, fetched: Int) async {
    let lab = Lab { url in Int(url).map(Self.png) }
    let path = lab.shelf.path(of: ArtAddress(urls: urls, document: "")) ?? ""
    let picture = await lab.shelf.picture(String(path.dropFirst("/art/".count)))
    #expect(picture?.bytes == chosen.map(Self.png) && lab.fetched.withLock { $0.count } == fetched)
  }
}
