/// A result beside an earlier one of the same device.
package struct ConformanceComparison: Hashable, Sendable {
  /// What became of a check since.
  package enum Kind: String, CaseIterable, Sendable {
    /// It passed before, and does not now.
    case regressed
    /// It passes, and did not before.
    case fixed
    /// It has no earlier result.
    case new
    /// The suite of the earlier result had it, and this one has it no more.
    case gone
    /// The verdict is the same, and something else was observed.
    case changed
  }

  /// One thing that is not as before.
  package struct Change: Hashable, Sendable {
    package var check: String
    /// The name of what was observed; `nil`: the verdict.
    package var item: String?
    package var kind: Kind
    /// The value before: a verdict, or what was observed; `nil` where there was nothing.
    package var before: String?
    /// Now.
    package var now: String?
  }

  package var before: CheckedDevice
  package var now: CheckedDevice
  /// In the order of the checks.
  package var changes: [Change]

  package init(_ now: CheckedDevice, with before: CheckedDevice) {
    (self.now, self.before) = (now, before)
    changes = now.checks.flatMap { Self.changes($0, before.result(of: $0.id)) }
    // What was left out this time is not gone.
    let suite = Set(ConformanceCheck.all.map(\.id))
    changes += before.checks.filter { now.result(of: $0.id) == nil && !suite.contains($0.id) }
      .map { Change(check: $0.id, kind: .gone, before: $0.verdict.rawValue, now: nil) }
  }

  private static func changes(_ now: ConformanceResult, _ before: ConformanceResult?) -> [Change] {
    guard let before else { return [Change(check: now.id, kind: .new, before: nil, now: now.verdict.rawValue)] }
    if let kind = kind(now.verdict, before.verdict) {
      return [Change(check: now.id, kind: kind, before: before.verdict.rawValue, now: now.verdict.rawValue)]
    }
    // What broke off says nothing of what it would have shown.
    guard now.verdict.isJudged, before.verdict.isJudged else { return [] }
    let names = now.observed.map(\.name) + before.observed.map(\.name)
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.compactMap { name in
      let (old, new) = (before.value(of: name), now.value(of: name))
      guard old != new else { return nil }
      return Change(check: now.id, item: name, kind: .changed, before: old, now: new)
    }
  }

  /// `nil`: it is as before.
  private static func kind(_ now: ConformanceResult.Verdict, _ before: ConformanceResult.Verdict) -> Kind? {
    // What was not begun says nothing.
    if now == before || now == .notRun || before == .notRun { return nil }
    if now == .passed { return .fixed }
    return before == .passed && now != .skipped ? .regressed : .changed
  }

  /// Whether the device runs other software than before: what it did not tell, then or now, is no other.
  package var hasOtherFirmware: Bool {
    func isOther(_ now: String?, _ before: String?) -> Bool { now != nil && before != nil && now != before }
    return isOther(now.firmware, before.firmware) || isOther(now.castVersion, before.castVersion)
  }

  /// When the earlier result was made, in UTC: the day, or `02:00:05 UTC` where it is of the same day.
  package var since: String {
    let (then, today) = (before.time, now.time)
    guard then.prefix(10) == today.prefix(10), then.count >= 19 else { return String(then.prefix(10)) }
    return "\(then.dropFirst(11).prefix(8)) UTC"
  }

  /// `1.56.500000 (build 298112) → 1.56.500001 (build 301000)`, or one of them where both are the same.
  package var versions: String {
    hasOtherFirmware ? "\(before.versions) → \(now.versions)" : now.versions
  }
}

extension ConformanceResult {
  func value(of name: String) -> String? { observed.first { $0.name == name }?.value }
}
