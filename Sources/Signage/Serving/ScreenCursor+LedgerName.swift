extension ScreenCursor.Part {
  private static let rules = "program"
  private static let interrupts = "interrupts"
  private static let fallbackName = "fallback"
  private static let orderName = "asked for"

  /// What the ledger calls it; the name of a rule's daypart stands behind it.
  package var ledgerName: String {
    switch self {
    case .rule(let index): "\(Self.rules)[\(index)]"
    case .interrupt(let index): "\(Self.interrupts)[\(index)]"
    case .fallback: Self.fallbackName
    case .order: Self.orderName
    }
  }

  /// What a ledger has; `nil`: no part is called so.
  package init?(ledgerName: String) {
    switch ledgerName {
    case Self.fallbackName: self = .fallback
    case Self.orderName: self = .order
    default:
      let name = ledgerName.prefix { $0 != " " }
      guard let open = name.firstIndex(of: "["), name.last == "]",
        let index = Int(name[name.index(after: open)...].dropLast()), index >= 0
      else { return nil }
      switch (String(name[..<open]), name.count == ledgerName.count) {
      case (Self.rules, _): self = .rule(index)
      case (Self.interrupts, true): self = .interrupt(index)
      default: return nil
      }
    }
  }

  /// Whether it comes between what a line of the program shows, and belongs to that.
  package var comesBetween: Bool {
    switch self {
    case .rule, .fallback: false
    case .interrupt, .order: true
    }
  }
}
