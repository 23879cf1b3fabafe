import CastProtocol

/// The places of pictures in the part of a page that is about one run. Pictures are put in last, when it is known how
/// much room the rest leaves.
final class PictureSlots {
  /// What a run's page may be with its pictures, in bytes.
  static let pageBytes = 2_000_000
  /// How many pictures of a run are read, how long one may be, and how many bytes all may have.
  private static let countLimit = 100
  private static let fileBytes = pageBytes / 4 * 3
  private static let readBytes = 16_000_000
  /// Stands around the number of a picture. No text of a page has it: ``HTML`` shows controls as `\u{1}`.
  private static let mark: UInt8 = 1
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Why a picture is only named.
  private enum Absence: String {
    case noRoom = "there is no room for it on this page"
    case unreadable = "it was not there, or is no picture, or larger than a page may be"
  }

  private struct Slot {
    var path: String
    var title: String
    /// Whether the picture is of a failure that counts.
    var counts: Bool
    /// Whether the page is where the path leads from.
    var isLinked: Bool

    private var name: HTML {
      let name: HTML = "<code>\(path)</code>"
      return isLinked ? "<a href=\"\(path)\">\(name)</a>" : name
    }

    func named(_ absence: Absence) -> HTML {
      "<p class=\"left\">\(title): \(name) in the run's folder; \(absence.rawValue).</p>"
    }

    func shown(_ bytes: [UInt8]) -> HTML {
      """
      <figure><img src="data:image/png;base64,\(raw: Base64.encoded(bytes))" alt="\(title)">\
      <p class="soft">\(title); the file is \(name) in the run's folder</p></figure>
      """
    }
  }

  private let sources: ReportSources
  private var slots: [Slot] = []
  /// How many pictures were put in.
  private(set) var shownCount = 0

  /// - Parameter sources: What reads files of the run's folder.
  init(_ sources: ReportSources) { self.sources = sources }

  /// The place of a picture.
  /// - Parameters:
  ///   - path: In the run's folder; only of characters that ``StepMarkup/isInRunFolder(_:)`` allows.
  ///   - title: What it shows.
  ///   - counts: Whether the picture is of a failure that counts.
  func slot(_ path: String, title: String, counts: Bool) -> HTML {
    slots.append(Slot(path: path, title: title, counts: counts, isLinked: sources.isBesideFiles))
    let mark = String(UnicodeScalar(Self.mark))
    return "\(raw: mark)\(slots.count - 1)\(raw: mark)"
  }

  /// Puts in the pictures for which there is room: those of failures that count first, of these the smallest first.
  /// - Parameter frame: How many bytes the page has besides.
  func filled(_ html: HTML, frame: Int) -> HTML {
    let pieces = html.text.utf8.split(separator: Self.mark, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // Steps for which there was no room took their places with them.
    let places = stride(from: 1, to: pieces.count, by: 2).compactMap { Int(pieces[$0]) }.filter(slots.indices.contains)
    guard !places.isEmpty else { return html }
    var markup = Dictionary(places.map { ($0, slots[$0].named(.unreadable)) }) { first, _ in first }
    let room = Self.pageBytes - frame - html.bytes - markup.values.reduce(0) { $0 + $1.bytes }
    for (place, picture) in chosen(places, room: room) {
      markup[place] = picture.map(slots[place].shown) ?? slots[place].named(.noRoom)
      if picture != nil { shownCount += 1 }
    }
    var filled: HTML = ""
    for (index, piece) in pieces.enumerated() {
      filled += index.isMultiple(of: 2) ? "\(raw: piece)" : "\(Int(piece).flatMap { markup[$0] })"
    }
    return filled
  }

  /// Which pictures are there, by their places, with their bytes where they are shown.
  private func chosen(_ places: [Int], room: Int) -> [(place: Int, bytes: [UInt8]?)] {
    var (room, readable) = (room, Self.readBytes)
    var found: [(place: Int, bytes: [UInt8])] = []
    var chosen: [(place: Int, bytes: [UInt8]?)] = []
    let byUse = places.filter { slots[$0].counts } + places.filter { !slots[$0].counts }
    for place in byUse {
      guard found.count < Self.countLimit, readable > 0 else {
        chosen.append((place, nil))
        continue
      }
      guard let bytes = sources.picture(slots[place].path, Self.fileBytes), bytes.starts(with: Self.signature)
      else { continue }
      readable -= bytes.count
      found.append((place, bytes))
    }
    found.sort { left, right in
      let (first, second) = (slots[left.place].counts, slots[right.place].counts)
      return first == second ? (left.bytes.count, left.place) < (right.bytes.count, right.place) : first
    }
    for (place, bytes) in found {
      let cost = slots[place].shown(bytes).bytes
      chosen.append((place, cost <= room ? bytes : nil))
      if cost <= room { room -= cost }
    }
    return chosen
  }
}
