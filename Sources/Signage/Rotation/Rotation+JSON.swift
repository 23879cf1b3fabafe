package import CastProtocol
package import ScenarioLanguage

extension Rotation {
  private static let version = 1

  /// Where it stands, to be stored; ``init(_:items:order:repeats:)`` reads it.
  package var json: JSONValue {
    var object: JSONObject = [
      "v": .int(Self.version), "items": .string(fingerprint), "seed": .string("\(seed)"), "draws": .int(draws),
      "left": .int(showingsLeft), "turns": .array(turnsLeft.map { .int($0) }),
      "members": .array(roundItems.map { .int($0) }),
      "over": .bool(isOver),
    ]
    object["last"] = last.map { .int($0) }
    return .object(object)
  }

  /// Goes on where a stored one stood; `nil` where it is damaged, or of other items, weights or another order.
  package init?(
    _ json: JSONValue, items: [PlaylistPlan.Item], order: PlaylistPlan.Rule.Order = .listed, repeats: Bool = true
  ) {
    guard json["v"]?.int == Self.version, let seed = json["seed"]?.string.flatMap({ UInt64($0) }) else { return nil }
    self.init(items, order: order, repeats: repeats, seed: seed)
    guard json["items"]?.string == fingerprint, let draws = json["draws"]?.int, draws >= 0,
      let isOver = json["over"]?.bool, let showingsLeft = json["left"]?.int,
      let turnsLeft = json["turns"]?.array?.compactMap(\.int), turnsLeft.count == items.count,
      let roundItems = json["members"]?.array?.compactMap(\.int), roundItems.allSatisfy(items.indices.contains),
      zip(turnsLeft, self.items).allSatisfy({ (0...$1.weight).contains($0) })
    else { return nil }
    let last = json["last"]?.int
    if let last, !items.indices.contains(last) { return nil }
    guard showingsLeft == 0 || last.map({ (0..<self.items[$0].times).contains(showingsLeft) }) ?? false else {
      return nil
    }
    self.draws = draws
    self.showingsLeft = showingsLeft
    self.turnsLeft = turnsLeft
    self.roundItems = roundItems
    self.last = last
    self.isOver = isOver
  }

  /// Goes on where a stored one of a rule stood; `nil` where it is damaged, or the rule another.
  package init?(_ json: JSONValue, of rule: PlaylistPlan.Rule) {
    self.init(json, items: rule.items, order: rule.order, repeats: rule.repeats)
  }

  /// The same for the same items in the same order.
  private var fingerprint: String {
    let start = UInt64(items.count).mixed(with: "\(order.rawValue) \(repeats)")
    let number = items.reduce(start) { $0.mixed(with: "\($1.times) \($1.weight) \($1.name)") }
    return String(number, radix: 16)
  }
}
