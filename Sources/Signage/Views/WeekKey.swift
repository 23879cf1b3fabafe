/// One mark for each thing that is on in a week.
struct WeekKey {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  private(set) var decisions: [Decision] = []
  private var marks: [Decision: Character] = [:]

  init(_ stretches: [Program.Stretch]) {
    for stretch in stretches where marks[stretch.decision] == nil {
      decisions.append(stretch.decision)
      marks[stretch.decision] = "?"
    }
    decisions.sort { Self.rank($0) < Self.rank($1) }
    var free = Self.letters.makeIterator()
    for decision in decisions {
      marks[decision] =
        switch decision.content {
        case .quiet: "."
        case .nothing: "!"
        case .fallback where !decision.isQuiet: "~"
        case .rule, .fallback: free.next() ?? "#"
        }
    }
  }

  private static func rank(_ decision: Decision) -> Int {
    let order =
      switch decision.content {
      case .rule(let index): index
      case .fallback: 1 << 40
      case .quiet: 1 << 41
      case .nothing: 1 << 42
      }
    return order * 2 + (decision.isQuiet ? 1 : 0)
  }

  /// `#` for all that are left when the letters are used up.
  func mark(_ decision: Decision) -> Character { marks[decision] ?? "?" }
}
