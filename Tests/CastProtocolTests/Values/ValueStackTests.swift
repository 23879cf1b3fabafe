@testable import CastProtocol
import Testing

@Suite struct ValueStackTests {
  private final class Counted {
    static nonisolated(unsafe) var alive = 0
    init() { Self.alive += 1 }
    deinit { Self.alive -= 1 }
  }

  @Test("Runs are taken from the top, in the order in which they came, in arrays of just their size")
  func runs() {
    var stack = ValueStack<String>()
    for number in 0..<100 { stack.push("\(number)") }
    let upper = stack.take(above: 40)
    stack.push("again")
    let middle = stack.take(above: 39)
    let none = stack.take(above: 39)
    #expect(upper == (40..<100).map { "\($0)" } && upper.capacity < 64)
    #expect(middle == ["39", "again"] && none.isEmpty)
    let rest = stack.take(above: 0)
    #expect(rest == (0..<39).map { "\($0)" } && stack.count == 0)
  }

  @Test("What is never taken goes with the stack")
  func end() {
    do {
      var stack = ValueStack<Counted>()
      for _ in 0..<50 { stack.push(Counted()) }
      let taken = stack.take(above: 45)
      #expect(taken.count == 5 && Counted.alive == 50)
    }
    #expect(Counted.alive == 0)
  }
}
