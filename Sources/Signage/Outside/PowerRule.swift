import ScenarioLanguage

/// When the site's programs switch its screens: once at each end of the quiet hours, and at the begin of serving.
///
/// A value without I/O; times are Unix times.
package struct PowerRule: Sendable {
  package enum Position: String, Hashable, Sendable { case on, off }

  /// How long a television has before its word on standby is asked for.
  package static let settling = Duration.seconds(30)

  /// How long after a try that failed the next one is made; after the last one it is given up until the next change.
  package static let waits: [Duration] = [.seconds(2), .seconds(10), .seconds(30), .seconds(60), .seconds(120)]
  /// For how long the first item after quiet hours waits until the screens are switched on.
  package static let patience = Duration.seconds(10)

  package private(set) var position: Position?

  package init() {}

  /// - Returns: What the screens are to be switched to now; `nil`: nothing is to be done.
  package mutating func position(of program: Program, at time: Double) -> Position? {
    let decision = program.decision(at: Int(time.rounded(.down)))
    let wanted: Position = if case .quiet = decision.content { .off } else { .on }
    defer { position = wanted }
    return wanted == position ? nil : wanted
  }

  /// What a receiver's word on standby says about a position; `nil` where it agrees, or says nothing.
  package static func complaint(about position: Position, isStandBy: Bool?) -> String? {
    switch (position, isStandBy) {
    case (.on, true?): "it was switched on, and says that it is in standby"
    case (.off, false?): "it was switched off, and says that it is not in standby"
    case (_, nil), (.on, false?), (.off, true?): nil
    }
  }
}
