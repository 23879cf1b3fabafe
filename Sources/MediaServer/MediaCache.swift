/// Keeps what was asked for last at hand: at most 16 open files and converted subtitles together, however many files
/// are served (docs/security.md M6).
struct MediaCache: Sendable {
  enum Content: Sendable {
    case file(OpenMediaFile)
    case bytes([UInt8])
  }

  /// A device rarely plays more than a film and what follows it.
  static let most = 16
  /// What is kept open keeps its place on the disk.
  static let lifetime = Duration.seconds(3_600)

  private var contents: [String: (content: Content, used: Duration)] = [:]

  mutating func content(_ token: String, at now: Duration) -> Content? {
    guard let content = contents[token]?.content else { return nil }
    contents[token]?.used = now
    return content
  }

  mutating func keep(_ content: Content, for token: String, at now: Duration) {
    contents[token] = (content, now)
    guard contents.count > Self.most, let oldest = contents.min(by: { $0.value.used < $1.value.used })?.key else {
      return
    }
    contents[oldest] = nil
  }

  /// Forgets what was not asked for in a long time, and what is not served any more.
  mutating func sweep(at now: Duration, keeping isServed: (String) -> Bool) {
    contents = contents.filter { $0.value.used + Self.lifetime > now && isServed($0.key) }
  }
}
