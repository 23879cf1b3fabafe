import CastProtocol
package import ScenarioLanguage

/// The order in which the items of a rule, an interrupt or a fallback are shown. A value: the same seed, items and days
/// give the same order.
///
/// Listed: as written. Shuffle: in rounds, in each of which an item has as many turns as its weight; none has two turns
/// in a row as long as the shares allow it. Weighted: the same rounds, each item's turns spread evenly. A turn is
/// `times` showings in a row.
package struct Rotation: Hashable, Sendable {
  let items: [Item]
  let order: PlaylistPlan.Rule.Order
  let repeats: Bool
  let seed: UInt64
  /// Numbers drawn so far.
  var draws = 0
  /// The item shown last.
  var last: Int?
  /// Showings of its turn that are left.
  var showingsLeft = 0
  /// Turns of this round that are left, for each item.
  var turnsLeft: [Int]
  /// The items of this round.
  var roundItems: [Int] = []
  /// With `repeat: false`: all have had their turns.
  package internal(set) var isOver = false

  struct Item: Hashable, Sendable {
    var name: String
    var times: Int
    var weight: Int
    var valid: DateRange?
  }

  /// An order from its beginning.
  package init(
    _ items: [PlaylistPlan.Item], order: PlaylistPlan.Rule.Order = .listed, repeats: Bool = true, seed: UInt64
  ) {
    // Weights of 100 and 200 are 1 and 2: a round is short.
    let divisor = items.reduce(0) { Self.commonDivisor($0, max(1, $1.weight)) }
    self.items = items.map { item in
      Item(
        name: item.name, times: max(1, item.times),
        weight: order == .listed ? 1 : max(1, item.weight) / max(1, divisor), valid: item.valid)
    }
    self.order = order
    self.repeats = repeats
    self.seed = seed
    turnsLeft = self.items.map(\.weight)
  }

  /// The order of a rule from its beginning.
  package init(_ rule: PlaylistPlan.Rule, seed: UInt64) {
    self.init(rule.items, order: rule.order, repeats: rule.repeats, seed: seed)
  }

  /// The index of the item to be shown next on a day; `nil` where none is valid on it, or all is over.
  package mutating func next(on date: CivilDate) -> Int? {
    if isOver { return nil }
    let valid = items.indices.filter { items[$0].valid?.contains(date) ?? true }
    guard !valid.isEmpty else { return nil }
    if showingsLeft > 0, let last, valid.contains(last) {
      showingsLeft -= 1
      return last
    }
    guard let next = nextTurn(among: valid) else {
      isOver = true
      return nil
    }
    last = next
    showingsLeft = items[next].times - 1
    return next
  }

  /// Begins again, as when the window of a rule opens; what was shown last is not forgotten.
  package mutating func restart() {
    isOver = false
    showingsLeft = 0
    roundItems = []
    turnsLeft = items.map(\.weight)
    // A list begins at its top.
    if order == .listed { last = nil }
  }

  private mutating func nextTurn(among valid: [Int]) -> Int? {
    if order == .listed {
      let following = valid.first { $0 > last ?? -1 }
      return following ?? (repeats ? valid.first : nil)
    }
    // A round of other items would have some catch up on what they missed.
    if repeats, valid != roundItems { turnsLeft = items.map(\.weight) }
    roundItems = valid
    if valid.allSatisfy({ turnsLeft[$0] == 0 }) {
      guard repeats else { return nil }
      turnsLeft = items.map(\.weight)
    }
    let next = order == .weighted ? evenlySpread(valid) : drawn(from: valid)
    if let next { turnsLeft[next] -= 1 }
    return next
  }

  /// The item that is furthest behind its share; of equals the first.
  private func evenlySpread(_ valid: [Int]) -> Int? {
    valid.filter { turnsLeft[$0] > 0 }.max { left, right in
      let (mine, theirs) = (
        (2 * turnsLeft[left] - 1) * items[right].weight, (2 * turnsLeft[right] - 1) * items[left].weight
      )
      return (mine, right) < (theirs, left)
    }
  }

  private mutating func drawn(from valid: [Int]) -> Int? {
    let all = valid.filter { turnsLeft[$0] > 0 }
    let others = all.filter { $0 != last }
    let choice = others.isEmpty ? all : others
    let total = all.reduce(0) { $0 + turnsLeft[$1] }
    // With more than half of what is left, its turns would follow each other at the end.
    if let most = choice.first(where: { 2 * turnsLeft[$0] > total }) { return most }
    var number = draw(below: choice.reduce(0) { $0 + turnsLeft[$1] })
    for index in choice {
      number -= turnsLeft[index]
      if number < 0 { return index }
    }
    return choice.last
  }

  private mutating func draw(below bound: Int) -> Int {
    var generator = SeededGenerator(seed: seed.mixed(with: "\(draws)"))
    draws &+= 1
    return generator.next(below: max(1, bound))
  }

  private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}
