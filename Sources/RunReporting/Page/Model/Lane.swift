/// What one lane of a timeline shows: each value from one moment to another.
///
/// It keeps ``limit`` segments at most: then neighbours that are short are put together, and counted.
struct Lane: Sendable {
  struct Segment: Hashable, Sendable {
    /// Document seconds since the run began.
    var start: Double
    var end: Double
    var text: String
    /// How many values it stands for.
    var count = 1
  }

  static let limit = 2_000

  private(set) var segments: [Segment] = []
  /// The value that holds now.
  private(set) var open: (since: Double, text: String)?
  /// How many values there were in all.
  private(set) var count = 0

  /// Another value, or none, from a moment on. One that stays the same is not a change.
  mutating func change(to text: String?, at time: Double) {
    guard text != open?.text else { return }
    close(at: time)
    open = text.map { (time, $0) }
  }

  /// The value ends.
  mutating func close(at time: Double) {
    guard let open else { return }
    self.open = nil
    add(Segment(start: open.since, end: max(open.since, time), text: open.text))
  }

  mutating func add(_ segment: Segment) {
    segments.append(segment)
    count += 1
    if segments.count >= Self.limit { segments = Self.thinned(segments, to: Self.limit / 2) }
  }

  /// At most `limit` segments: neighbours that are shorter together than some length are one of several values.
  static func thinned(_ segments: [Segment], to limit: Int) -> [Segment] {
    guard segments.count > limit, let first = segments.first else { return segments }
    let span = (segments.map(\.end).max() ?? first.end) - first.start
    var grain = max(span / Double(max(1, limit)) / 2, 0.001)
    var thinned = segments
    while thinned.count > limit, grain.isFinite {
      thinned = merged(thinned, shorterThan: grain)
      grain *= 2
    }
    return Array(thinned.suffix(max(1, limit)))
  }

  private static func merged(_ segments: [Segment], shorterThan grain: Double) -> [Segment] {
    var result: [Segment] = []
    for segment in segments {
      guard let last = result.last, max(last.end, segment.end) - last.start <= grain else {
        result.append(segment)
        continue
      }
      result[result.count - 1].end = max(last.end, segment.end)
      result[result.count - 1].count += segment.count
      if last.text != segment.text { result[result.count - 1].text = "several" }
    }
    return result
  }
}

/// Moments of a timeline, such as messages. It keeps ``limit`` at most: then moments that are close are put together.
struct Moments: Sendable {
  /// How the page draws it.
  enum Look: String, Sendable { case sent, received, bad, note }

  struct Moment: Hashable, Sendable {
    var time: Double
    var text: String
    var look: Look
    var count = 1
  }

  static let limit = 2_000

  private(set) var moments: [Moment] = []
  private(set) var count = 0

  mutating func add(_ moment: Moment) {
    moments.append(moment)
    count += 1
    if moments.count >= Self.limit { moments = Self.thinned(moments, to: Self.limit / 2) }
  }

  /// At most `limit` moments: those of one look that are close are one.
  static func thinned(_ moments: [Moment], to limit: Int) -> [Moment] {
    guard moments.count > limit, let first = moments.first, let last = moments.last else { return moments }
    var grain = max((last.time - first.time) / Double(max(1, limit)) / 2, 0.001)
    var thinned = moments
    while thinned.count > limit, grain.isFinite {
      thinned = merged(thinned, closerThan: grain)
      grain *= 2
    }
    return Array(thinned.suffix(max(1, limit)))
  }

  private static func merged(_ moments: [Moment], closerThan grain: Double) -> [Moment] {
    var result: [Moment] = []
    // The newest of each look, to be joined by those that follow soon.
    var newest: [Look: Int] = [:]
    for moment in moments {
      if let index = newest[moment.look], moment.time - result[index].time <= grain {
        result[index].count += moment.count
      } else {
        newest[moment.look] = result.count
        result.append(moment)
      }
    }
    return result
  }
}
