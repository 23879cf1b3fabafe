/// Reads the files of a ledger piece by piece, the oldest first, and checks that each line follows the one before it: also
/// from file to file.
package struct LedgerReader: Sendable {
  /// What came of a line. A line that is itself in order comes with what is wrong before it.
  package struct Step: Sendable {
    package var line: LedgerLine?
    package var problem: LedgerProblem?
  }

  /// The first line that was read.
  package private(set) var first: LedgerLine?
  /// The last line that was read; a problem does not end the reading, the chain goes on from there.
  package private(set) var last: LedgerChain.Link?
  /// How many lines were in order.
  package private(set) var count = 0

  private var pending: [UInt8] = []
  private var isTooLong = false
  /// The one that is read, in its file.
  private var lineNumber = 1

  package init() {}

  /// Reads on in the same file.
  package mutating func read(_ chunk: [UInt8], _ body: (Step) throws -> Void) rethrows {
    var rest = chunk[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<end])
      rest = rest[(end + 1)...]
      try body(endLine())
    }
    take(rest)
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    let room = LedgerLine.byteLimit - pending.count
    isTooLong = isTooLong || bytes.count > room
    pending += bytes.prefix(room)
  }

  /// The file is over; what comes is of the next one.
  package mutating func endFile(_ body: (Step) throws -> Void) rethrows {
    defer { lineNumber = 1 }
    guard !pending.isEmpty else { return }
    pending = []
    isTooLong = false
    try body(Step(problem: LedgerProblem(line: lineNumber, .torn)))
  }

  private mutating func endLine() -> Step {
    defer {
      pending.removeAll(keepingCapacity: true)
      isTooLong = false
      lineNumber += 1
    }
    do throws(LedgerProblem.Kind) {
      if isTooLong { throw .tooLong }
      let line = try LedgerLine(pending)
      let problem = problem(of: line)
      if problem == nil { count += 1 }
      first = first ?? line
      last = line.link
      return Step(line: line, problem: problem.map { LedgerProblem(line: lineNumber, $0) })
    } catch {
      return Step(problem: LedgerProblem(line: lineNumber, error))
    }
  }

  private func problem(of line: LedgerLine) -> LedgerProblem.Kind? {
    let number = line.link.number
    guard let last = last ?? (number == 1 ? .start : nil) else { return nil }
    if number > last.number + 1 { return .missing(last.number + 1...number - 1) }
    if number <= last.number { return .outOfOrder(found: number, expected: last.number + 1) }
    return line.previous == last.hash ? nil : .unlinked
  }
}
