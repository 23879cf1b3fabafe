import Testing

@testable import WebClient

/// Messages of name servers, byte by byte.
@Suite struct NameQuestionTests {
  private static let id: UInt16 = 0x1234

  private static func question(_ kind: NameQuestion.Kind = .a) throws -> NameQuestion {
    try #require(NameQuestion("Media.Example.com.", kind, id: id))
  }

  private static func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }

  /// A record whose owner is written as these bytes.
  private static func record(_ owner: [UInt8], _ type: Int, _ data: [UInt8]) -> [UInt8] {
    owner + big(type) + big(1) + [0, 0, 0, 60] + big(data.count) + data
  }

  private static func message(
    _ records: [[UInt8]], flags: Int = 0x8180, id: UInt16 = id, count: Int? = nil, kind: NameQuestion.Kind = .a
  ) throws -> [UInt8] {
    big(Int(id)) + big(flags) + big(1) + big(count ?? records.count) + [0, 0, 0, 0]
      + (try question(kind).bytes.dropFirst(12)) + records.flatMap { $0 }
  }

  /// The question's own name.
  private static let own: [UInt8] = [0xC0, 12]
  private static let cdn: [UInt8] = [3] + Array("cdn".utf8) + [3] + Array("net".utf8) + [0]

  @Test("A question has its id, wants recursion, and has one name")
  func bytes() throws {
    let expected: [UInt8] =
      [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 5] + Array("media".utf8) + [7] + Array("example".utf8) + [3]
      + Array("com".utf8) + [0, 0, 28, 0, 1]
    #expect(try Self.question(.aaaa).bytes == expected)
  }

  @Test(
    "What can be no name is not asked for",
    arguments: ["", "a..b", ".", String(repeating: "a", count: 64) + ".com", String(repeating: "ab.", count: 90) + "c"])
  func invalid(name: String) { #expect(NameQuestion(name, .a, id: 1) == nil) }

  @Test("Addresses are those of the name, or of what it is another name for")
  func addresses() throws {
    let plain = try Self.message([Self.record(Self.own, 1, [192, 0, 2, 7]), Self.record(Self.own, 1, [192, 0, 2, 8])])
    #expect(try Self.question().answer(in: plain)?.addresses == ["192.0.2.7", "192.0.2.8"])
    let alias = try Self.message([
      Self.record(Self.own, 5, Self.cdn), Self.record(Self.cdn, 1, [192, 0, 2, 9]),
      Self.record([5] + Array("other".utf8) + [0], 1, [192, 0, 2, 1]),
    ])
    #expect(try Self.question().answer(in: alias)?.addresses == ["192.0.2.9"])
    let six = try Self.message(
      [Self.record(Self.own, 28, [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1])], kind: .aaaa)
    #expect(try Self.question(.aaaa).answer(in: six)?.addresses == ["2001:db8::1"])
  }

  @Test("A name that does not exist, and an answer that is cut, are told")
  func codes() throws {
    let none = try #require(try Self.question().answer(in: Self.message([], flags: 0x8183)))
    #expect(none.code == 3 && none.addresses.isEmpty && !none.isCut)
    let cut = try Self.message([Self.record(Self.own, 1, [192, 0, 2, 7])], flags: 0x8380)
    #expect(try Self.question().answer(in: cut) == .init(code: 0, addresses: [], isCut: true))
  }

  static let forged: [(name: String, flags: Int, id: UInt16, count: Int?, records: [[UInt8]])] = [
    ("another id", 0x8180, 0x4321, nil, []), ("a question", 0x0100, id, nil, []),
    ("another operation", 0xA180, id, nil, []), ("more records than there are", 0x8180, id, 5, []),
    ("an address of three bytes", 0x8180, id, nil, [record(own, 1, [1, 2, 3])]),
    ("a name that refers to itself", 0x8180, id, nil, [record([0xC0, 35], 1, [1, 2, 3, 4])]),
    ("a name that refers ahead", 0x8180, id, nil, [record([0xC0, 60], 1, [1, 2, 3, 4])]),
    ("a part of no known kind", 0x8180, id, nil, [record([0x80, 1, 0], 1, [1, 2, 3, 4])]),
    ("an alias longer than its record", 0x8180, id, nil, [own + big(5) + big(1) + [0, 0, 0, 1] + big(2) + cdn]),
  ]

  @Test("What is no answer to the question does not count", arguments: forged.indices)
  func refused(index: Int) throws {
    let (name, flags, id, count, records) = Self.forged[index]
    let message = try Self.message(records, flags: flags, id: id, count: count)
    #expect(try Self.question().answer(in: message) == nil, "\(name)")
  }

  @Test("An answer to another question does not count")
  func other() throws {
    let other = try #require(NameQuestion("other.example.com", .a, id: Self.id))
    #expect(try other.answer(in: Self.message([])) == nil)
    #expect(try Self.question(.aaaa).answer(in: Self.message([])) == nil)
  }

  @Test("Aliases in a circle end")
  func circle() throws {
    let circle = try Self.message([
      Self.record(Self.own, 5, Self.cdn), Self.record(Self.cdn, 5, Self.own), Self.record(Self.cdn, 1, [1, 2, 3, 4]),
    ])
    #expect(try Self.question().answer(in: circle) != nil)
  }

  @Test("Damaged messages are read to some end, and never beyond theirs", arguments: 0..<8)
  func damaged(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let sound = try Self.message([
      Self.record(Self.own, 5, Self.cdn), Self.record(Self.cdn, 1, [192, 0, 2, 9]),
      Self.record([0xC0, 18], 28, [1, 2]),
    ])
    let question = try Self.question()
    for _ in 0..<5_000 {
      var bytes = sound
      for _ in 0..<(1 + Int(random.next() % 4)) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      #expect((question.answer(in: bytes)?.addresses.count ?? 0) <= 3)
    }
  }
}

/// Numbers that a seed brings about.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
