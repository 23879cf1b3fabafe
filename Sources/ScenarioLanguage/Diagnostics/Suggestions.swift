/// Finds what somebody meant to write (docs/language/codes.md "How a problem is told").
package enum Suggestions {
  /// Among more names than a person can know the search would only cost time.
  private static let comparedLimit = 1_000

  /// The nearest of `candidates` if one is near enough; the first of several equally near ones.
  ///
  /// Near is: Damerau distance 1 for words of up to 5 letters, 2 up to 8, else a third of the length; or one begins
  /// with the other, which has 3 letters or more.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    var comparison = Comparison(word)
    // Longer than any name: not a slip of the finger, and not worth comparing.
    guard (1...80).contains(comparison.typed.count) else { return nil }
    let length = comparison.typed.count
    let allowed = length <= 5 ? 1 : length <= 8 ? 2 : length / 3
    var best: (distance: Int, word: String)?
    var longest: (length: Int, word: String)?
    for candidate in candidates.prefix(Self.comparedLimit) {
      let bytes = candidate.utf8.count
      if bytes > 400 { continue }
      comparison.read(candidate)
      let other = comparison.letters.count
      if abs(other - length) <= allowed {
        let distance = comparison.distance(limit: min(allowed, (best?.distance ?? .max) - 1))
        if let distance, candidate != word { best = (distance, candidate) }
      }
      let shared = min(other, length)
      if shared >= 3, shared > (longest?.length ?? 0), comparison.beginsAlike(shared), candidate != word {
        longest = (shared, candidate)
      }
    }
    return best?.word ?? longest?.word
  }

  /// Damerau distance, as optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
  static func distance(_ a: String, _ b: String) -> Int {
    var comparison = Comparison(a)
    comparison.read(b)
    return comparison.distance(limit: .max - 1) ?? .max
  }

  /// One word compared with many, in memory that is used again.
  private struct Comparison {
    let typed: [UInt32]
    private(set) var letters: [UInt32] = []
    private var before: [Int] = []
    private var last: [Int] = []
    private var row: [Int] = []

    init(_ word: String) { typed = word.lowercased().unicodeScalars.map(\.value) }

    mutating func read(_ candidate: String) {
      letters.removeAll(keepingCapacity: true)
      // Folded as the typed word is; ASCII, the usual case, without making a text of it.
      guard candidate.utf8.allSatisfy({ $0 < 0x80 }) else {
        for scalar in candidate.lowercased().unicodeScalars { letters.append(scalar.value) }
        return
      }
      for byte in candidate.utf8 {
        letters.append(UInt32((0x41...0x5A).contains(byte) ? byte + 0x20 : byte))
      }
    }

    func beginsAlike(_ count: Int) -> Bool { typed.prefix(count).elementsEqual(letters.prefix(count)) }

    /// `nil` when it is more than `limit`.
    mutating func distance(limit: Int) -> Int? {
      let count = letters.count
      guard limit >= 0, abs(typed.count - count) <= limit else { return nil }
      last.removeAll(keepingCapacity: true)
      last.append(contentsOf: 0...count)
      before = last
      row = last
      for i in typed.indices {
        row[0] = i + 1
        var smallest = i + 1
        for j in 0..<count {
          var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (typed[i] == letters[j] ? 0 : 1))
          if i > 0, j > 0, typed[i] == letters[j - 1], typed[i - 1] == letters[j] {
            cost = min(cost, before[j - 1] + 1)
          }
          row[j + 1] = cost
          smallest = min(smallest, cost)
        }
        // A swap reaches back two rows, so only two bad ones in a row are final; one more turn costs little.
        if smallest > limit + 1 { return nil }
        swap(&before, &last)
        swap(&last, &row)
      }
      return last[count] <= limit ? last[count] : nil
    }
  }

  /// The unit meant by a usual other spelling.
  static func unit(_ word: String) -> String? {
    switch word.lowercased() {
    case "sec", "secs", "second", "seconds": "s"
    case "min", "mins", "minute", "minutes": "m"
    case "hr", "hrs", "hour", "hours": "h"
    case "day", "days": "d"
    case "msec", "msecs", "millis", "millisecond", "milliseconds": "ms"
    case "s", "m", "h", "d", "ms": word.lowercased()
    default: nil
    }
  }

  /// The truth value meant by what YAML 1.1 and people write.
  static func bool(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "yes", "y", "on", "1", "true": true
    case "no", "n", "off", "0", "false": false
    default: nil
    }
  }

  private static let synonyms: [String: [String]] = [
    "off": ["none"], "no": ["none", "never"], "false": ["none", "never"], "null": ["none"], "~": ["none"],
    "disabled": ["none"], "random": ["shuffle"], "loop": ["all"], "repeat": ["all"], "single": ["one"],
    "abort": ["stop"], "fail": ["stop"], "warn": ["ignore"], "skip": ["ignore", "continue"], "stopped": ["idle"],
    "ended": ["finished"], "done": ["finished"], "monospace": ["monospaced_sans_serif"],
    "sans-serif": ["sans_serif"], "italics": ["italic"], "shadow": ["drop_shadow"], "subtitle": ["subtitles"],
    "caption": ["captions"], "vod": ["buffered"], "canceled": ["cancelled"], "sequential": ["listed"],
    "film": ["movie"], "series": ["tv"], "show": ["tv"], "song": ["music"], "image": ["photo"], "picture": ["photo"],
  ]

  private static let question = (opening: "did you mean `", closing: "`?")

  /// What a label says of what was meant; `other` where nobody knows.
  static func label(_ meant: String?, else other: String = "") -> String {
    meant.map { question.opening + $0 + question.closing } ?? other
  }

  /// What was meant by a label that ``label(_:else:)`` made.
  static func meant(by label: String) -> String? {
    guard label.hasPrefix(question.opening), label.hasSuffix(question.closing) else { return nil }
    let meant = label.dropFirst(question.opening.count).dropLast(question.closing.count)
    return meant.isEmpty || meant.contains("`") ? nil : String(meant)
  }

  /// The choice meant: a usual other word for one, else the nearest.
  package static func choice(_ word: String, among values: [String]) -> String? {
    if let known = synonyms[word.lowercased()]?.first(where: { values.contains($0) }) { return known }
    return nearest(to: word, among: values)
  }
}
