import CastProtocol
package import ScenarioLanguage

/// Which item of a rule all screens of a playlist with `sync: true` show at a moment, and from when to when: a function of
/// the clock, so that the screens need not talk to each other, and one that comes late knows where the others are.
///
/// The items follow each other from the opening of the rule's window on, and anew from each midnight of the playlist's
/// clock, at which the item that is on ends. A value without I/O; times are Unix times.
package struct SharedCycle: Hashable, Sendable {
  /// An item's time on all screens.
  package struct Slot: Hashable, Sendable {
    /// The index of the item in its rule.
    package var item: Int
    /// Whole seconds.
    package var range: Range<Int>
  }

  /// What a film gets beyond its length, in seconds: devices take their time to load it, and all of it is to be seen.
  static let allowance = 1
  /// What an item gets at most, in seconds: slots are worked out one after the other.
  private static let longest = 86_400
  /// An item that would have less than this before midnight, in seconds, is left to the new day.
  private static let shortest = 3

  private let rule: PlaylistPlan.Rule
  private let zone: TimeZoneRules
  private let seed: UInt64
  private var rotation: Rotation
  private var anchor: Int?
  private var slot: Slot?

  /// - Parameter seed: Drives shuffles; the same for all screens.
  package init(_ rule: PlaylistPlan.Rule, in zone: TimeZoneRules, seed: UInt64) {
    self.rule = rule
    self.zone = zone
    self.seed = seed
    rotation = Rotation(rule, seed: seed)
  }

  /// The slot that is on at a moment; `nil` where no item is valid, or all is over with `repeat: false`.
  /// - Parameter opening: When the window opened that is open then; `nil`: long ago.
  package mutating func slot(at time: Int, windowSince opening: Int?) -> Slot? {
    let anchor = anchor(at: time, opening)
    if anchor != self.anchor || slot.map({ time < $0.range.lowerBound }) ?? false {
      rotation = Rotation(rule, seed: seed.mixed(with: "\(anchor)"))
      self.anchor = anchor
      slot = next(from: anchor)
    }
    while let current = slot, time >= current.range.upperBound { slot = next(from: current.range.upperBound) }
    return slot
  }

  private func anchor(at time: Int, _ opening: Int?) -> Int {
    // What ends after one round must not begin another one at midnight.
    if let opening, !rule.repeats { return opening }
    let midnight = min(midnight(ofDay: CivilDate.dayNumber(at: zone.wallTime(at: time))), time)
    return max(opening ?? midnight, midnight)
  }

  /// When a day begins by the playlist's clock.
  private func midnight(ofDay day: Int) -> Int {
    switch zone.moments(of: day * 86_400) {
    case .once(let moment), .twice(let moment, _): moment
    case .never(let change): change.at
    }
  }

  private mutating func next(from start: Int) -> Slot? {
    guard let index = rotation.next(on: CivilDate(at: zone.wallTime(at: start))) else { return nil }
    let item = rule.items[index]
    let length: Int =
      if let length = item.length {
        Self.seconds(length.components.seconds, isWhole: length.components.attoseconds == 0)
      } else {
        Self.seconds(Int64(min(item.media.duration ?? 1, Double(Self.longest))), isWhole: false) + Self.allowance
      }
    return Slot(item: index, range: start..<end(ofItemFrom: start, length))
  }

  /// All screens begin anew at midnight, also those that come late and know nothing of the day before.
  private func end(ofItemFrom start: Int, _ length: Int) -> Int {
    guard rule.repeats else { return start + length }
    let midnight = midnight(ofDay: CivilDate.dayNumber(at: zone.wallTime(at: start)) + 1)
    return start + length > midnight - Self.shortest ? max(start + 1, midnight) : start + length
  }

  private static func seconds(_ seconds: Int64, isWhole: Bool) -> Int {
    min(longest, max(1, Int(clamping: seconds) + (isWhole ? 0 : 1)))
  }
}
