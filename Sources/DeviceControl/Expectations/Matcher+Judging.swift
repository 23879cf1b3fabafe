package import CastProtocol
package import ScenarioLanguage

extension Matcher {
  /// Returns why `actual` does not match, or `nil` when it does. JSON `null` counts as absent.
  ///
  /// `advances` and `changed` cannot be judged by one value: they always mismatch here, a condition judges them.
  package func mismatch(with actual: JSONValue?, resolve: SavedValues = { _ in nil }) -> Mismatch? {
    let actual = Self.present(actual)
    let holds: Bool
    var distance: Double?
    switch self {
    case .equals(let operand): holds = Self.isEqual(operand.value(resolve), actual)
    case .not(let inner): holds = inner.mismatch(with: actual, resolve: resolve) != nil
    case .oneOf(let choices): holds = choices.contains { Self.isEqual($0, actual) }
    case .range(let min, let max, let above, let below):
      distance = Self.distance(of: actual, min: min, max: max, above: above, below: below, resolve)
      holds = distance == nil
    case .about(let operand, let tolerance):
      distance = Self.distance(of: actual, from: operand, tolerance: tolerance, resolve)
      holds = distance == nil
    case .matches(let pattern): holds = actual?.string.map { pattern.isFound(in: $0) } ?? false
    case .contains(let part): holds = actual?.string?.containsText(part) ?? false
    case .startsWith(let part): holds = actual?.string?.hasPrefix(part) ?? false
    case .endsWith(let part): holds = actual?.string?.hasSuffix(part) ?? false
    case .has(let wanted):
      holds = actual?.array.map { Self.holds($0, all: wanted) } ?? false
    case .only(let wanted):
      holds =
        actual?.array.map { elements in
          Self.holds(elements, all: wanted)
            && elements.allSatisfy { element in wanted.contains { Self.element(element, fits: $0) } }
        } ?? false
    case .count(let inner):
      let count = actual?.array?.count ?? actual?.object?.members.count
      let mismatch = count.flatMap { inner.mismatch(with: .int($0), resolve: resolve) }
      holds = count != nil && mismatch == nil
      distance = mismatch?.distance
    case .exists(let wanted): holds = (actual != nil) == wanted
    case .advances, .changed: holds = false
    }
    if holds { return nil }
    return Mismatch(expected: self, actual: actual, distance: distance.flatMap { $0.isFinite ? $0 : nil })
  }

  /// The numbers at which the answer for a moving value may change, in ascending order.
  package func edges(resolve: SavedValues = { _ in nil }) -> [Double] {
    switch self {
    case .equals(let operand): operand.number(resolve).map { [$0] } ?? []
    case .not(let inner): inner.edges(resolve: resolve)
    case .oneOf(let choices): choices.compactMap(\.number).sorted()
    case .range(let min, let max, let above, let below):
      [min, max, above, below].compactMap { $0?.number(resolve) }.sorted()
    case .about(let operand, let tolerance):
      operand.number(resolve).map { [$0 - tolerance, $0, $0 + tolerance] } ?? []
    case .matches, .contains, .startsWith, .endsWith, .has, .only, .count, .exists, .changed, .advances: []
    }
  }

  /// How far a value is from the range; `nil` inside it, infinite where there is nothing to compare.
  private static func distance(
    of value: JSONValue?, min: Operand?, max: Operand?, above: Operand?, below: Operand?, _ resolve: SavedValues
  ) -> Double? {
    guard let number = value?.number else { return .infinity }
    var worst: Double?
    func check(_ operand: Operand?, _ isBroken: (Double, Double) -> Bool) {
      guard let operand else { return }
      guard let bound = operand.number(resolve) else { return worst = .infinity }
      if isBroken(number, bound) { worst = Swift.max(worst ?? 0, Swift.abs(number - bound)) }
    }
    check(min) { $0 < $1 && !$0.isClose(to: $1) }
    check(max) { $0 > $1 && !$0.isClose(to: $1) }
    check(above) { $0 <= $1 || $0.isClose(to: $1) }
    check(below) { $0 >= $1 || $0.isClose(to: $1) }
    return worst
  }

  /// How far a value is from what is tolerated around the reference.
  private static func distance(
    of value: JSONValue?, from operand: Operand, tolerance: Double, _ resolve: SavedValues
  ) -> Double? {
    guard let number = value?.number, let reference = operand.number(resolve) else { return .infinity }
    let off = Swift.abs(number - reference)
    return off <= tolerance || off.isClose(to: tolerance) ? nil : off - tolerance
  }

  private static func holds(_ elements: [JSONValue], all wanted: [JSONValue]) -> Bool {
    wanted.allSatisfy { want in elements.contains { element($0, fits: want) } }
  }

  /// Equality of two values; numbers may differ by what rounding on the way can do.
  static func isEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left = present(left), let right = present(right) else { return present(left) == present(right) }
    if let a = left.number, let b = right.number { return a.isClose(to: b) }
    if let a = left.array, let b = right.array { return a.count == b.count && zip(a, b).allSatisfy { isEqual($0, $1) } }
    return left == right
  }

  /// The value unless it is `null`. (`JSONValue` takes a `nil` literal for `null`, so this is spelled out.)
  private static func present(_ value: JSONValue?) -> JSONValue? {
    guard let value, !value.isNull else { return Optional<JSONValue>.none }
    return value
  }

  /// A list's element fits a value equal to it, an object whose members it has, or its own id.
  private static func element(_ element: JSONValue, fits want: JSONValue) -> Bool {
    if isEqual(want, element) { return true }
    guard let members = element.object else { return false }
    if let wanted = want.object { return wanted.members.allSatisfy { isEqual($0.value, members[$0.name]) } }
    return isEqual(want, members["id"])
  }
}

extension String {
  /// Whether `part` occurs anywhere; compares bytes, each of this text once (Knuth, Morris and Pratt).
  fileprivate func containsText(_ part: String) -> Bool {
    let wanted = Array(part.utf8)
    if wanted.isEmpty { return true }
    // For each beginning of `part`: how much of its end is a beginning of `part`, too.
    var borders = [0]
    var length = 0
    for byte in wanted.dropFirst() {
      while length > 0, byte != wanted[length] { length = borders[length - 1] }
      if byte == wanted[length] { length += 1 }
      borders.append(length)
    }
    var found = 0
    for byte in utf8 {
      while found > 0, byte != wanted[found] { found = borders[found - 1] }
      if byte == wanted[found] { found += 1 }
      if found == wanted.count { return true }
    }
    return false
  }
}
