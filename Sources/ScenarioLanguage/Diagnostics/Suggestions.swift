/// Finds what somebody meant to write (language.md 4).
package enum Suggestions {
  /// The nearest of `candidates` if one is near enough; the first of several equally near ones.
  ///
  /// Near is: Damerau distance 1 for words of up to 5 letters, 2 up to 8, else a third of the length; or one begins
  /// with the other, which has 3 letters or more.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().unicodeScalars)
    // Longer than any key: not a slip of the finger, and not worth comparing.
    guard !typed.isEmpty, typed.count <= 80 else { return nil }
    let allowed = typed.count <= 5 ? 1 : typed.count <= 8 ? 2 : typed.count / 3
    var best: (distance: Int, word: String)?
    var longest: (length: Int, word: String)?
    for candidate in candidates {
      let letters = Array(candidate.lowercased().unicodeScalars)
      if letters.count > 160 { continue }
      if abs(letters.count - typed.count) <= allowed {
        let distance = distance(typed, letters)
        if distance <= allowed, distance < (best?.distance ?? .max), candidate != word { best = (distance, candidate) }
      }
      let shared = min(letters.count, typed.count)
      if shared >= 3, letters.prefix(shared).elementsEqual(typed.prefix(shared)), candidate != word,
        shared > (longest?.length ?? 0)
      {
        longest = (shared, candidate)
      }
    }
    return best?.word ?? longest?.word
  }

  /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      row.reserveCapacity(b.count + 1)
      for j in 1...b.count {
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, before[j - 2] + 1) }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[b.count]
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
  ]

  /// The choice meant: a usual other word for one, else the nearest.
  package static func choice(_ word: String, among values: [String]) -> String? {
    if let known = synonyms[word.lowercased()]?.first(where: { values.contains($0) }) { return known }
    return nearest(to: word, among: values)
  }
}
