import CastProtocol
import Testing

@Suite struct EffectPumpTests {
  /// What is done, and what it answers.
  private enum Step {
    case add([Int])
    case begin(Bool)
    case next([Int]?)
  }

  @Test("One performer at a time takes everything in order, what came while it performed included")
  func order() {
    let steps: [Step] = [
      .begin(false), .add([1, 2]), .begin(true), .add([3]), .begin(false), .next([1, 2, 3]), .add([4]), .begin(false),
      .next([4]), .next(nil), .begin(false), .add([5]), .begin(true), .next([5]), .next(nil),
    ]
    var pump = EffectPump<Int>()
    for (number, step) in steps.enumerated() {
      switch step {
      case .add(let effects): pump.waiting += effects
      case .begin(let expected):
        let begins = pump.begin()
        #expect(begins == expected, "step \(number)")
      case .next(let expected):
        let next = pump.next()
        #expect(next == expected, "step \(number)")
      }
    }
  }
}
