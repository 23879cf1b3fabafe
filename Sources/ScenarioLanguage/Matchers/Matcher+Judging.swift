package import CastProtocol

extension Matcher {
  /// The value of a name that an earlier step saved; `nil` when it was absent then.
  package typealias SavedValues = (String) -> JSONValue?

  /// Returns why `actual` does not match, or `nil` when it does. JSON `null` counts as absent.
  ///
  /// `advances` and `changed` cannot be judged by one value: they always mismatch here, a condition judges them.
  package func mismatch(with actual: JSONValue?, resolve: SavedValues = { _ in nil }) -> Mismatch? {
    let actual = Self.present(actual)
    let holds: Bool
    switch self {
    case .equals(let operand): holds = Self.isEqual(operand.value(resolve), actual)
    case .not(let inner): holds = inner.mismatch(with: actual, resolve: resolve) != nil
    case .oneOf(let choices): holds = choices.contains { Self.isEqual($0, actual) }
    case .range, .about:
      guard let distance = distance(of: actual?.number, resolve: resolve) else { return nil }
      return Mismatch(expected: self, actual: actual, distance: distance.isFinite ? distance : nil)
    case .matches(let pattern): holds = actual?.string.map { pattern.isFound(in: $0) } ?? false
    case .contains(let part): holds = actual?.string?.containsText(part) ?? false
    case .startsWith(let part): holds = actual?.string?.hasPrefix(part) ?? false
    case .endsWith(let part): holds = actual?.string?.hasSuffix(part) ?? false
    case .has(let wanted):
      guard let elements = actual?.array else { return Mismatch(expected: self, actual: actual) }
      holds = wanted.allSatisfy { want in elements.contains { Self.element($0, fits: want) } }
    case .only(let wanted):
      guard let elements = actual?.array else { return Mismatch(expected: self, actual: actual) }
      holds =
        wanted.allSatisfy { want in elements.contains { Self.element($0, fits: want) } }
        && elements.allSatisfy { element in wanted.contains { Self.element(element, fits: $0) } }
    case .count(let inner):
      guard let count = actual?.array?.count ?? actual?.object?.members.count else {
        return Mismatch(expected: self, actual: actual)
      }
      guard let mismatch = inner.mismatch(with: .int(count), resolve: resolve) else { return nil }
      return Mismatch(expected: self, actual: actual, distance: mismatch.distance)
    case .exists(let wanted): holds = (actual != nil) == wanted
    case .advances, .changed: holds = false
    }
    return holds ? nil : Mismatch(expected: self, actual: actual)
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
    default: []
    }
  }

  /// How far `number` is from the range; `nil` inside it, infinite where there is nothing to compare.
  private func distance(of number: Double?, resolve: SavedValues) -> Double? {
    guard let number else { return .infinity }
    switch self {
    case .range(let min, let max, let above, let below):
      var worst: Double?
      func check(_ operand: Operand?, _ isBroken: (Double, Double) -> Bool) {
        guard let operand else { return }
        guard let bound = operand.number(resolve) else { return worst = .infinity }
        if isBroken(number, bound) { worst = Swift.max(worst ?? 0, Swift.abs(number - bound)) }
      }
      check(min) { $0 < $1 && !Self.isClose($0, $1) }
      check(max) { $0 > $1 && !Self.isClose($0, $1) }
      check(above) { $0 <= $1 || Self.isClose($0, $1) }
      check(below) { $0 >= $1 || Self.isClose($0, $1) }
      return worst
    case .about(let operand, let tolerance):
      guard let reference = operand.number(resolve) else { return .infinity }
      let off = Swift.abs(number - reference)
      return off <= tolerance || Self.isClose(off, tolerance) ? nil : off - tolerance
    default: return .infinity
    }
  }

  /// Equality of two values; numbers may differ by what rounding on the way can do.
  private static func isEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left = present(left), let right = present(right) else { return present(left) == present(right) }
    if let a = left.number, let b = right.number { return isClose(a, b) }
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

  /// Levels and rates pass through 32-bit floats on some devices: seven digits.
  private static func isClose(_ left: Double, _ right: Double) -> Bool {
    Swift.abs(left - right) <= 1e-6 * Swift.max(1, Swift.abs(left), Swift.abs(right))
  }
}

extension Matcher.Operand {
  /// The value to compare with, `plus` added to a number.
  package func value(_ resolve: Matcher.SavedValues) -> JSONValue? {
    let value: JSONValue? =
      switch base {
      case .literal(let value): value
      case .saved(let name): resolve(name)
      }
    if plus != 0, let number = value?.number { return .double(number + plus) }
    return value
  }

  /// The value as a number; `nil` when it is none.
  package func number(_ resolve: Matcher.SavedValues) -> Double? { value(resolve)?.number }
}

extension Condition {
  /// Returns the fields that keep the condition from holding, in the document's order; empty when it holds.
  ///
  /// - Parameters:
  ///   - value: The merged status by path; `nil` when absent.
  ///   - resolve: Values saved by earlier steps.
  ///   - before: The status when the last action started, by path.
  ///   - isOfMessage: Its paths are members of a message, whatever their names.
  ///   - advances: Judges `advances`, which no single status can.
  package func mismatches(
    value: (FieldPath) -> JSONValue?, resolve: Matcher.SavedValues = { _ in nil },
    before: (FieldPath) -> JSONValue? = { _ in nil }, isOfMessage: Bool = false,
    advances: (FieldPath, _ atLeast: Double, _ over: Double) -> Bool = { _, _, _ in false }
  ) -> [FieldMismatch] {
    func actual(_ path: FieldPath) -> JSONValue? {
      if !isOfMessage, let name = path.variable { return resolve(name) }
      return value(path)
    }
    switch self {
    case .field(let path, let matcher, let span):
      let actual = actual(path)
      let mismatch: Mismatch?
      if let advanced = matcher.holdsAsAdvance(of: path, judge: advances) {
        mismatch = advanced ? nil : Mismatch(expected: matcher, actual: actual)
      } else if let changed = matcher.holdsAsChange(from: before(path), to: actual) {
        mismatch = changed ? nil : Mismatch(expected: matcher, actual: actual)
      } else {
        mismatch = matcher.mismatch(with: actual, resolve: resolve)
      }
      return mismatch.map { [FieldMismatch(path: path, mismatch: $0, span: span)] } ?? []
    case .all(let conditions):
      return conditions.flatMap {
        $0.mismatches(value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
      }
    case .any(let conditions):
      var found: [FieldMismatch] = []
      for condition in conditions {
        let mismatches = condition.mismatches(
          value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
        if mismatches.isEmpty { return [] }
        found += mismatches
      }
      return found
    case .not(let inner):
      if !inner.mismatches(value: value, resolve: resolve, before: before, isOfMessage: isOfMessage, advances: advances)
        .isEmpty
      {
        return []
      }
      return inner.leaves.map { path, matcher, span in
        FieldMismatch(path: path, mismatch: Mismatch(expected: .not(matcher), actual: actual(path)), span: span)
      }
    }
  }
}

extension Matcher {
  /// Whether an `advances` matcher (or its negation) holds; `nil` for every other matcher.
  fileprivate func holdsAsAdvance(of path: FieldPath, judge: (FieldPath, Double, Double) -> Bool) -> Bool? {
    switch self {
    case .advances(let atLeast, let over): judge(path, atLeast, over)
    case .not(let inner): inner.holdsAsAdvance(of: path, judge: judge).map { !$0 }
    default: nil
    }
  }

  /// Whether a `changed` matcher (or its negation) holds; `nil` for every other matcher.
  fileprivate func holdsAsChange(from old: JSONValue?, to new: JSONValue?) -> Bool? {
    switch self {
    case .changed(let wanted): Self.isEqual(old, new) != wanted
    case .not(let inner): inner.holdsAsChange(from: old, to: new).map { !$0 }
    default: nil
    }
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
