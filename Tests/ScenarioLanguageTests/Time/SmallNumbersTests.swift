import Testing

@testable import ScenarioLanguage

@Suite struct SmallNumbersTests {
  @Test(
    "numbers from 0 to 63 are held once each and come back ascending",
    arguments: [
      ([], []), ([0], [0]), ([63, 0, 5, 5], [0, 5, 63]), (Array((0...63).reversed()), Array(0...63)),
    ] as [([Int], [Int])])
  func order(numbers: [Int], expected: [Int]) {
    let set = SmallNumbers(numbers)
    #expect(Array(set) == expected)
    #expect(set.count == expected.count)
    #expect((-1...64).filter { set.contains($0) } == expected)
  }

  @Test("a union holds what either holds")
  func union() {
    var set = SmallNumbers([1, 40])
    set.formUnion(SmallNumbers([2, 40, 63]))
    #expect(Array(set) == [1, 2, 40, 63])
    #expect(set == SmallNumbers([63, 40, 2, 1]))
  }
}
