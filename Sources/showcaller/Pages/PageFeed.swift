import Glibc
import ReceiverPages
import RunReporting
import ScenarioRunner
import Synchronization

/// Takes what receiver pages tell to the run that goes on, and keeps their pictures in its folder.
final class PageFeed: Sendable {
  private let tell = Mutex<(@Sendable (EventKind.PageNote) -> Void)?>(nil)

  func news(_ news: PageNews, of receiver: String) {
    var note = EventKind.PageNote()
    (note.receiver, note.kind, note.text) = (receiver, news.kind.rawValue, news.text)
    note.level = EventKind.PageNote.Level(rawValue: news.level.rawValue) ?? .info
    (note.url, note.line) = (news.address, news.line)
    // Under the lock, so that nothing is told once somebody stopped listening.
    tell.withLock { $0?(note) }
  }

  /// What a run gets.
  /// - Parameter folder: The run's own.
  func watch(_ host: PageHost, folder: String) -> PageWatch {
    PageWatch(
      listen: { [self] listener in tell.withLock { $0 = listener } },
      picture: { receiver, step in
        guard let picture = await host.picture(of: receiver) else { return nil }
        return Self.keep(picture, of: step, in: folder).map { EventKind.Screenshot(receiver: receiver, path: $0) }
      })
  }

  /// - Returns: The file's name in `folder`; `nil` where it could not be written.
  private static func keep(_ picture: [UInt8], of step: String, in folder: String) -> String? {
    mkdir("\(folder)/screenshots", 0o700)
    let name = String(step.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }.prefix(60))
    for number in 1...1000 {
      let path = "screenshots/\(name)\(number == 1 ? "" : "-\(number)").png"
      let file = open("\(folder)/\(path)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { return nil }
      defer { close(file) }
      var done = 0
      while done < picture.count {
        let count = picture.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: done), picture.count - done) }
        if count > 0 {
          done += count
        } else if errno != EINTR {
          unlink("\(folder)/\(path)")
          return nil
        }
      }
      return path
    }
    return nil
  }
}
