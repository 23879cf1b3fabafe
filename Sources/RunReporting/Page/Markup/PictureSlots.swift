import CastProtocol

/// The places of pictures in the part of a page that is about one run. Pictures are put in last, when it is known how
/// much room the rest leaves.
struct PictureSlots {
  /// What a run's page may be with its pictures, in bytes.
  static let pageBytes = 2_000_000
  /// How many pictures of a run are read, how long one may be, and how many bytes all may have.
  private static let countLimit = 100
  private static let fileBytes = pageBytes / 4 * 3
  private static let readBytes = 16_000_000
  /// Stands around what is to be replaced. No text of a page has it: ``HTML`` shows controls as `\u{1}`.
  private static let mark: UInt8 = 1
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Why a picture is only named.
  private enum Absence: String {
    case noRoom = "there is no room for it on this page"
    case unreadable = "it was not there, or is no picture, or larger than a page may be"
  }

  private struct Slot {
    var path: String
    /// Markup.
    var title: String
    /// Whether the failure counts, of which it is.
    var counts: Bool

    private var link: HTML { "<a href=\"\(path)\"><code>\(path)</code></a>" }

    func named(_ absence: Absence) -> HTML {
      "<p class=\"left\">\(raw: title): \(link) in the run's folder; \(absence.rawValue).</p>"
    }

    func shown(_ bytes: [UInt8]) -> HTML {
      """
      <figure><img src="data:image/png;base64,\(raw: Base64.encoded(bytes))" alt="\(raw: title)">\
      <p class="soft">\(raw: title): \(link) in the run's folder</p></figure>
      """
    }
  }

  /// The place of a picture.
  /// - Parameters:
  ///   - path: In the run's folder; only of characters that ``StepMarkup/isInRunFolder(_:)`` allows.
  ///   - title: What it shows.
  ///   - counts: Whether the failure counts, of which it is.
  static func slot(_ path: String, title: String, counts: Bool) -> HTML {
    let mark = String(UnicodeScalar(mark))
    return "\(raw: mark)\(raw: counts ? "1" : "0")\(raw: path) \(title)\(raw: mark)"
  }

  private static func slot(_ text: String) -> Slot {
    let words = text.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
    return Slot(path: words.first ?? "", title: words.count > 1 ? words[1] : "", counts: text.first == "1")
  }

  /// Puts in the pictures for which there is room: those of failures that count first, of these the smallest first.
  /// - Parameters:
  ///   - frame: How many bytes the page has besides.
  ///   - read: Reads a file of the run's folder; `nil` where there is none, or a longer one.
  static func filled(
    _ html: HTML, frame: Int, read: (_ path: String, _ byteLimit: Int) -> [UInt8]?
  ) -> HTML {
    let pieces = html.text.utf8.split(separator: mark, omittingEmptySubsequences: false).map { String(Substring($0)) }
    guard pieces.count > 1 else { return html }
    let slots = stride(from: 1, to: pieces.count, by: 2).map { slot(pieces[$0]) }
    var markup = slots.map { $0.named(.unreadable) }
    let room = pageBytes - frame - html.bytes - markup.reduce(0) { $0 + $1.bytes }
    for (index, picture) in chosen(slots, room: room, read: read) {
      markup[index] = picture.map(slots[index].shown) ?? slots[index].named(.noRoom)
    }
    var filled: HTML = ""
    for (index, piece) in pieces.enumerated() {
      filled += index.isMultiple(of: 2) ? "\(raw: piece)" : markup[index / 2]
    }
    return filled
  }

  /// Which pictures are there, by their places, with their bytes where they are shown.
  private static func chosen(
    _ slots: [Slot], room: Int, read: (_ path: String, _ byteLimit: Int) -> [UInt8]?
  ) -> [(index: Int, bytes: [UInt8]?)] {
    var (room, readable) = (room, readBytes)
    var found: [(index: Int, bytes: [UInt8])] = []
    var chosen: [(index: Int, bytes: [UInt8]?)] = []
    let byUse = slots.indices.filter { slots[$0].counts } + slots.indices.filter { !slots[$0].counts }
    for index in byUse {
      guard found.count < countLimit, readable > 0 else {
        chosen.append((index, nil))
        continue
      }
      guard let bytes = read(slots[index].path, fileBytes), bytes.starts(with: signature) else { continue }
      readable -= bytes.count
      found.append((index, bytes))
    }
    found.sort { left, right in
      let (first, second) = (slots[left.index].counts, slots[right.index].counts)
      return first == second ? (left.bytes.count, left.index) < (right.bytes.count, right.index) : first
    }
    for (index, bytes) in found {
      let cost = slots[index].shown(bytes).bytes
      chosen.append((index, cost <= room ? bytes : nil))
      if cost <= room { room -= cost }
    }
    return chosen
  }
}
