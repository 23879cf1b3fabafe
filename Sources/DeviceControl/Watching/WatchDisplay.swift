package import CastClient

/// Where a watch is seen.
package enum WatchDisplay: Sendable {
  case screen(any WatchTerminal)
  case lines(any WatchReader)
}

/// A terminal that a watch draws on, and whose keys it may take.
package protocol WatchTerminal: Sendable {
  /// Whether it has keys to give; without them it shows only.
  var takesKeys: Bool { get }
  var usesColor: Bool { get }
  /// As it is now.
  var size: WatchScreen.Size { get }
  /// Begins to draw, or begins again after somebody else had the terminal.
  func enter()
  /// Gives the terminal back as it was; does nothing where it was not taken.
  func leave()
  /// Returns when whoever started us lets us go on; at once where nobody could.
  func stop()
  /// Puts these lines on it, and nothing else.
  /// - Returns: Whether it is still there.
  func draw(_ lines: [String], rows: Int) -> Bool
  /// What its keys send, as it comes; ends where there will be no more.
  func keys() -> AsyncStream<[UInt8]>
}

/// The output of a watch that is printed line by line.
package protocol WatchReader: Sendable {
  /// What was seen, whole, before it is told as a change.
  func observe(_ observation: Observation)
  /// - Returns: Whether anybody still reads.
  func tell(_ event: WatchEvent) -> Bool
}

extension WatchReader {
  package func observe(_ observation: Observation) {}
}
