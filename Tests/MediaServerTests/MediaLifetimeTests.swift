import Foundation
import Synchronization
import Testing
import WebServer

@testable import MediaServer

/// A clock that a test sets.
final class SetClock: Sendable {
  private let time = Mutex(Duration.zero)
  var now: Duration { time.withLock { $0 } }
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// How long files are served, and what that costs (docs/security.md M6).
@Suite struct MediaLifetimeTests {
  private static let authority = "192.0.2.7:40000"
  private static let device = "192.0.2.20"

  private static func ask(_ shelf: MediaShelf, _ path: String, host: String = authority, peer: String = device)
    -> ServedAnswer
  {
    shelf.answer(ServedRequest(.get, path, host: host, peer: peer), authority: authority)
  }

  /// The descriptors of this process that are files of a folder.
  private static func open(in folder: Folder) -> Int {
    let real = folder.url.resolvingSymlinksInPath().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count {
      ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? "").hasPrefix(real)
    }
  }

  @Test("A folder that gets a new file each minute costs no more after a week than after a day")
  func folder() throws {
    let (folder, clock) = (try Folder(), SetClock())
    let shelf = MediaShelf(now: { clock.now })
    shelf.admit(Self.device)
    // As long as one is added each hour; the rule does not know hours from minutes.
    for number in 0..<(7 * 24) {
      let path = try shelf.add(try folder.write("\(number).jpg", "\(number)"))
      #expect(Self.ask(shelf, path).status == 200)
      clock.advance(.seconds(3_600))
      #expect(shelf.count <= 25 && Self.open(in: folder) <= MediaCache.most)
    }
  }

  @Test("However many files there are, few are open, and each is served all the same")
  func many() throws {
    let (folder, clock) = (try Folder(), SetClock())
    let shelf = MediaShelf(now: { clock.now })
    shelf.admit(Self.device)
    let paths = try (0..<200).map { number in
      clock.advance(.milliseconds(1))
      return try shelf.add(try folder.write("\(number).jpg", "\(number)"))
    }
    #expect(Self.open(in: folder) <= MediaCache.most)
    for path in paths { #expect(Self.ask(shelf, path).status == 200) }
    #expect(Self.open(in: folder) <= MediaCache.most)
    clock.advance(MediaCache.lifetime)
    shelf.sweep()
    #expect(Self.open(in: folder) == 0, "what nobody asks for is closed")
    #expect(paths.allSatisfy { Self.ask(shelf, $0).status == 200 })
  }

  @Test("What is asked for stays, for a day after the last time, and so does who asks")
  func lifetime() throws {
    let (folder, clock) = (try Folder(), SetClock())
    let shelf = MediaShelf(now: { clock.now })
    shelf.admit(Self.device)
    let played = try shelf.add(try folder.write("film.mp4", "x"))
    let other = try shelf.add(try folder.write("other.mp4", "x"))
    for _ in 0..<10 {
      clock.advance(MediaShelf.lifetime - .seconds(1))
      #expect(Self.ask(shelf, played).status == 200)
    }
    #expect(Self.ask(shelf, other).status == 404)
    clock.advance(MediaShelf.lifetime)
    #expect(Self.ask(shelf, played).status == 404 && !shelf.isAdmitted(Self.device) && shelf.count == 0)
  }

  @Test("More files than are served at once put out those that were used the longest time ago")
  func most() throws {
    let clock = SetClock()
    let shelf = MediaShelf(now: { clock.now })
    shelf.admit(Self.device)
    let first = shelf.add([1], named: "first")
    let second = shelf.add([1], named: "second")
    clock.advance(.seconds(1))
    #expect(Self.ask(shelf, first).status == 200)
    for number in 0..<(MediaShelf.mostFiles - 1) { _ = shelf.add([1], named: "\(number)") }
    #expect(shelf.count == MediaShelf.mostFiles)
    #expect(Self.ask(shelf, first).status == 200 && Self.ask(shelf, second).status == 404)
  }

  @Test(
    "What took a file's place is not served: a file, a link, or a folder that became one", arguments: [false, true])
  func swapped(isOpen: Bool) throws {
    let (folder, clock) = (try Folder(), SetClock())
    let shelf = MediaShelf(now: { clock.now })
    shelf.admit(Self.device)
    let real = folder.url.resolvingSymlinksInPath().path
    let files = FileManager.default
    try files.createDirectory(atPath: "\(real)/slides", withIntermediateDirectories: false)
    try files.createDirectory(atPath: "\(real)/secret", withIntermediateDirectories: false)
    _ = try folder.write("secret/a.jpg", "secret")
    _ = try folder.write("secret.jpg", "secret")
    let paths = try ["slides/a.jpg", "b.jpg", "c.jpg"].map { name in
      _ = try folder.write(name, "before")
      return try shelf.add("\(real)/\(name)", isReal: true)
    }
    try files.moveItem(atPath: "\(real)/slides", toPath: "\(real)/old")
    try files.createSymbolicLink(atPath: "\(real)/slides", withDestinationPath: "\(real)/secret")
    try files.removeItem(atPath: "\(real)/b.jpg")
    try files.createSymbolicLink(atPath: "\(real)/b.jpg", withDestinationPath: "\(real)/secret.jpg")
    try files.moveItem(atPath: "\(real)/c.jpg", toPath: "\(real)/d.jpg")
    try files.copyItem(atPath: "\(real)/secret.jpg", toPath: "\(real)/c.jpg")
    if !isOpen {
      clock.advance(MediaCache.lifetime)
      shelf.sweep()
    }
    for path in paths {
      let answer = Self.ask(shelf, path)
      #expect(answer.status == (isOpen ? 200 : 410), "\(path)")
      if case .pieces(let length, let read) = answer.body {
        #expect(try read(0, length) == Array("before".utf8))
      }
    }
    // What was judged by where it led must lead there when it is opened.
    #expect(throws: MediaFile.Failure.self) { try shelf.add("\(real)/slides/a.jpg", isReal: true) }
    #expect(throws: MediaFile.Failure.self) { try shelf.add("\(real)/b.jpg", isReal: true) }
    // What a person names may be a link.
    #expect(throws: Never.self) { try shelf.add("\(real)/b.jpg") }
  }

  @Test("Requests count for the device that made them, and who was turned away with a secret address is known")
  func requests() throws {
    let (folder, other) = (try Folder(), "192.0.2.21")
    let shelf = MediaShelf(now: { .zero })
    for peer in [Self.device, other] { shelf.admit(peer) }
    let path = try shelf.add(try folder.write("film.mp4", "x"))
    _ = Self.ask(shelf, path, peer: other)
    #expect(shelf.requests(of: path, by: [Self.device]).count == 0)
    _ = Self.ask(shelf, path)
    #expect(shelf.requests(of: path, by: [Self.device]).count == 1)
    #expect(shelf.requests(of: path, by: [Self.device, other]).count == 2)
    _ = Self.ask(shelf, "/m/\(String(repeating: "0", count: 32))/film.mp4", peer: "10.0.0.7")
    #expect(shelf.requests(of: path, by: []).refusals.count == 0, "who does not know the address says nothing")
    _ = Self.ask(shelf, path, peer: "10.0.0.7")
    var refusals = shelf.requests(of: path, by: []).refusals
    #expect(refusals.count == 1 && refusals.peer == "10.0.0.7" && refusals.wrongHost == nil)
    #expect(Self.ask(shelf, path, host: "proxy.example").status == 421)
    refusals = shelf.requests(of: path, by: []).refusals
    #expect(refusals.count == 2 && refusals.peer == Self.device && refusals.wrongHost == "proxy.example")
  }

  @Test("An address of one link is the device's, whatever each side calls the interface")
  func scoped() throws {
    let folder = try Folder()
    let shelf = MediaShelf(now: { .zero })
    shelf.admit("fe80::1%eth0")
    let path = try shelf.add(try folder.write("film.mp4", "x"))
    #expect(
      Self.ask(shelf, path, peer: "fe80::1%2").status == 200 && Self.ask(shelf, path, peer: "fe80::2").status == 403)
  }
}
