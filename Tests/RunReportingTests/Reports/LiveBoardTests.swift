import Synchronization
import TestSupport
import Testing

@testable import RunReporting

/// A terminal that several runs share.
@Suite struct LiveBoardTests {
  private static func board(width: Int = 80, height: Int = 24, on terminal: WrittenText) -> LiveBoard {
    LiveBoard(width: { width }, height: { height }, hasColor: false) { text, _ in
      terminal.write(text)
      return true
    }
  }

  @Test("The block has the lines of every run, in the order of the runs, below what any of them has finished")
  func order() {
    let terminal = WrittenText()
    let board = Self.board(on: terminal)
    _ = board.show([], block: [" ▶ b"], of: 1, isVerdict: false)
    board.refresh()
    _ = board.show(["✓ a1"], block: [" ▶ a"], of: 0, isVerdict: false)
    #expect(terminal.text == " ▶ b\n" + "\u{1B}[1A\r\u{1B}[J" + "✓ a1\n ▶ a\n ▶ b\n")
    terminal.clear()
    board.tell("note: x")
    _ = board.show(["PASSED a"], block: [], of: 0, isVerdict: true)
    #expect(
      terminal.text == "\u{1B}[2A\r\u{1B}[Jnote: x\n ▶ a\n ▶ b\n" + "\u{1B}[2A\r\u{1B}[JPASSED a\n ▶ b\n")
  }

  @Test(
    "The block is never as high as the terminal, whose top it could not be drawn over from",
    arguments: [1, 2, 3, 5, 40])
  func height(_ rows: Int) {
    let terminal = WrittenText()
    let board = Self.board(height: rows, on: terminal)
    for place in 0..<20 {
      _ = board.show([], block: [" ▶ \(place)"], of: place, isVerdict: false)
    }
    board.refresh()
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.count == min(20, max(1, rows - 1)), "\(lines)")
    #expect(rows > 20 || lines.last == " … and \(20 - max(0, rows - 2)) more", "\(lines)")
  }

  @Test("In a pipe there are lines alone")
  func pipe() {
    let written = WrittenText()
    let board = LiveBoard(width: nil, height: nil, hasColor: false) { text, _ in
      written.write(text)
      return true
    }
    #expect(board.show(["a"], block: [" ▶ a"], of: 0, isVerdict: false))
    #expect(board.show([], block: [" ▶ b"], of: 1, isVerdict: false))
    board.refresh()
    #expect(written.text == "a\n")
  }

  @Test("However many runs tell what they have in hand, it is drawn when a line is told or somebody refreshes")
  func paced() {
    let terminal = WrittenText()
    let board = Self.board(on: terminal)
    for second in 0..<100 { _ = board.show([], block: [" ▶ \(second)s"], of: 0, isVerdict: false) }
    #expect(terminal.text == "")
    board.refresh()
    #expect(terminal.text == " ▶ 99s\n")
  }

  @Test("What a slow reader did not take is not on the terminal: the next lines are drawn over what is")
  func refused() {
    let terminal = WrittenText()
    let isBehind = Atomic(false)
    let board = LiveBoard(width: { 80 }, height: { 24 }, hasColor: false) { text, _ in
      if isBehind.load(ordering: .relaxed) { return false }
      terminal.write(text)
      return true
    }
    _ = board.show([], block: [" ▶ a", " ▶ a2"], of: 0, isVerdict: false)
    board.refresh()
    isBehind.store(true, ordering: .relaxed)
    #expect(!board.show(["✓ a"], block: [" ▶ a3"], of: 0, isVerdict: false))
    isBehind.store(false, ordering: .relaxed)
    terminal.clear()
    _ = board.show([], block: [" ▶ a4"], of: 0, isVerdict: false)
    board.refresh()
    #expect(terminal.text == "\u{1B}[2A\r\u{1B}[J ▶ a4\n")
  }
}
