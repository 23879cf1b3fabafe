import CastProtocol
package import ScenarioLanguage

/// Copies of calendars on the web: `$XDG_CACHE_HOME/showcaller/calendars`. What fetches them stores them; every command that
/// compiles a playlist reads them.
package struct CalendarCopies: Sendable {
  /// As much as a document reads of a calendar file.
  package static let byteLimit = 1 << 20

  /// `nil` where nothing can be kept.
  private let folder: String?

  /// Whose copies they are, where the address as it is written does not tell.
  private let document: String

  /// - Parameter document: The playlist's file: what its secrets stand for in an address is nobody else's.
  package init(_ surroundings: Surroundings, of document: String) {
    folder = surroundings.cacheFolder.map { "\($0)/calendars" }
    self.document = (try? Files.realPath(of: document)) ?? document
  }

  /// Where the copy of an address is, or would be.
  package func path(of url: String) -> String? {
    let key = SecretPlaceholder.occurs(in: url) ? "\(url) \(document)" : url
    return folder.map { "\($0)/\(Files.uniqueName(key)).ics" }
  }

  /// The copy; `nil` where none was made.
  package func read(_ url: String) -> SourceFile? {
    guard let path = path(of: url), let bytes = try? Files.read(path, limit: Self.byteLimit) else { return nil }
    return SourceFile(name: path, bytes: bytes)
  }

  /// When the copy was made, or found to be as new, in Unix time.
  package func time(_ url: String) -> Double? { path(of: url).flatMap(FilePresence.written) }

  /// Whether bytes are a calendar from its first line to its last; a page that says "not found" is none.
  package static func isCalendar(_ bytes: [UInt8]) -> Bool {
    let blanks: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x0D, 0x0A]
    let start = bytes.firstIndex { !blanks.contains($0) } ?? bytes.endIndex
    let text = bytes[start...]
    let lines = bytes.suffix(100).split { $0 == 0x0A || $0 == 0x0D }
    let end = lines.last { line in !line.allSatisfy { $0 == 0x20 } }
    func says(_ line: ArraySlice<UInt8>, _ words: String) -> Bool {
      String(decoding: line.prefix(words.utf8.count), as: UTF8.self).uppercased() == words
    }
    return says(text, "BEGIN:VCALENDAR") && end.map { says($0, "END:VCALENDAR") } == true
  }

  /// Stores a calendar whole or not at all. One that is as it was is left alone: a file that was written is an edit.
  /// - Throws: Where there is no place for it, or it cannot be written.
  package func store(_ bytes: [UInt8], for url: String) throws(FileError) {
    guard let folder, let path = path(of: url), read(url)?.bytes != bytes else { return }
    try Files.makeFolders(folder)
    try Files.replace(bytes, at: path, mode: 0o600, isDurable: false)
  }
}
