import Testing

@testable import Workspace

@Suite struct RunIDTests {
  /// Answers the same bits for ever.
  private struct Constant: RandomNumberGenerator {
    var bits: UInt64
    mutating func next() -> UInt64 { bits }
  }

  @Test(
    "The first ten characters are the time",
    arguments: [
      (0, "0000000000"), (1, "0000000001"), (31, "000000000Z"), (32, "0000000010"),
      // The example of the ULID specification.
      (1_469_918_176_385, "01ARYZ6S41"), ((1 << 48) - 1, "7ZZZZZZZZZ"),
    ] as [(UInt64, String)])
  func time(milliseconds: UInt64, start: String) {
    var generator = Constant(bits: 0)
    let id = RunID.make(unixMilliseconds: milliseconds, using: &generator)
    #expect(id == start + String(repeating: "0", count: 16))
  }

  @Test("Names of runs sort by time and differ within a millisecond")
  func order() {
    var system = SystemRandomNumberGenerator()
    let times: [UInt64] = [1, 31, 32, 1023, 1_469_918_176_385, 1_800_000_000_000]
    let names = times.map { RunID.make(unixMilliseconds: $0, using: &system) }
    #expect(names == names.sorted())
    let many = (0..<1000).map { _ in RunID.make(unixMilliseconds: 7, using: &system) }
    #expect(Set(many).count == 1000)
    #expect(many.allSatisfy(RunID.isOne))
  }

  @Test(
    "Only 26 characters of the alphabet are a run's name",
    arguments: [
      ("01ARZ3NDEKTSV4RRFFQ69G5FAV", true), ("01ARZ3NDEKTSV4RRFFQ69G5FA", false),
      ("01ARZ3NDEKTSV4RRFFQ69G5FAVX", false), ("01arz3ndektsv4rrffq69g5fav", false),
      ("01ARZ3NDEKTSV4RRFFQ69G5FAU", false), ("01ARZ3NDEKTSV4RRFFQ69G5FAI", false),
      ("../../../../../../../../..", false),
      ("", false),
    ])
  func names(name: String, isOne: Bool) { #expect(RunID.isOne(name) == isOne) }
}
