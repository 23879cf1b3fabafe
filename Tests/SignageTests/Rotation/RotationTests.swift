import CastProtocol
import ScenarioLanguage
import Signage
import Testing

@Suite struct RotationTests {
  private static let day = CivilDate(year: 2026, month: 11, day: 23)

  static func rule(_ text: String) throws -> PlaylistPlan.Rule {
    try #require(try Playlists.program("program: [{ \(text) }]").plan.program.first)
  }

  private static func shown(_ rotation: inout Rotation, _ count: Int, on date: CivilDate = day) -> String {
    (0..<count).compactMap { _ in rotation.next(on: date) }.map { String(Array("abcdef")[$0]) }.joined()
  }

  @Test(
    "Items are shown as listed or as their weights say, each as often in a row as it says",
    arguments: [
      ("play: [a, b, c]", "abcabcab"),
      ("play: [a, { media: b, times: 3 }]", "abbbabbb"),
      ("play: [{ media: a, valid: 2020-01-01 }, b, { media: c, valid: 11-23 }]", "bcbcbcbc"),
      ("play: [a, b], repeat: false", "ab"),
      ("play: [{ media: a, times: 2 }, { media: b, valid: 12-24 }, c], repeat: false", "aac"),
      ("play: [{ media: a, valid: 2020-01-01 }]", ""),
      ("order: weighted, play: [{ media: a, weight: 300 }, { media: b, weight: 100 }]", "aabaaaba"),
      ("order: weighted, play: [{ media: a, weight: 5 }, { media: b, weight: 3 }]", "abaababa"),
      ("order: weighted, play: [a, { media: b, weight: 2 }], repeat: false", "bab"),
      ("order: shuffle, play: [a]", "aaaaaaaa"),
    ])
  func orders(text: String, expected: String) throws {
    var rotation = Rotation(try Self.rule(text), seed: 1)
    #expect(Self.shown(&rotation, 8) == expected)
    #expect(rotation.isOver == text.contains("repeat: false"))
  }

  @Test("Shuffled, each round has every item once, and no item follows itself", arguments: 0..<40 as Range<UInt64>)
  func shuffle(seed: UInt64) throws {
    let count = 2 + Int(seed % 5)
    let names = "abcdef".prefix(count).map(String.init)
    var rotation = Rotation(try Self.rule("order: shuffle, play: [\(names.joined(separator: ", "))]"), seed: seed)
    var last: Character?
    var rounds: Set<String> = []
    for _ in 0..<200 {
      let round = Self.shown(&rotation, count)
      #expect(Set(round).count == count)
      #expect(round.first != last)
      last = round.last
      rounds.insert(round)
    }
    #expect(count < 3 || rounds.count > 2)
  }

  @Test(
    "Shuffled by weight, each round has the shares, and none follows itself where no share is more than half",
    arguments: [[2, 1, 1], [3, 2, 2, 1], [1, 1, 1], [5, 3, 2], [9, 1, 2], [7]])
  func shares(weights: [Int]) throws {
    let items = weights.enumerated().map { "{ media: \(Array("abcdef")[$0]), weight: \($1) }" }
    let rule = try Self.rule("order: shuffle, play: [\(items.joined(separator: ", "))]")
    let (most, total) = (weights.max() ?? 0, weights.reduce(0, +))
    for seed in 0..<50 as Range<UInt64> {
      var rotation = Rotation(rule, seed: seed)
      var last: Character?
      var repeats = 0
      for _ in 0..<10 {
        // One weight alone is a round of one.
        let round = Self.shown(&rotation, weights.count == 1 ? 1 : total)
        for (index, letter) in "abcdef".prefix(weights.count).enumerated() where weights.count > 1 {
          #expect(round.count { $0 == letter } == weights[index])
        }
        for letter in round {
          if letter == last { repeats += 1 }
          last = letter
        }
      }
      if 2 * most <= total { #expect(repeats == 0, "\(seed)") }
    }
  }

  @Test("The same seed gives the same order, another seed another one")
  func seeds() throws {
    let rule = try Self.rule("order: shuffle, play: [a, b, c, d, e, f]")
    var orders: Set<String> = []
    for seed in 0..<20 as Range<UInt64> {
      var (first, second) = (Rotation(rule, seed: seed), Rotation(rule, seed: seed))
      let order = Self.shown(&first, 60)
      #expect(order == Self.shown(&second, 60))
      orders.insert(order)
    }
    #expect(orders.count == 20)
  }

  @Test("A day on which other items are valid begins a round of them, and nobody catches up")
  func otherDays() throws {
    let rule = try Self.rule(
      "order: weighted, play: [{ media: a, weight: 4 }, { media: b, weight: 4, valid: 2026-12-01 }, { media: c, weight: 1 }]"
    )
    var rotation = Rotation(rule, seed: 1)
    #expect(!Self.shown(&rotation, 4).contains("b"))
    let december = Self.shown(&rotation, 9, on: CivilDate(year: 2026, month: 12, day: 1))
    #expect(december.count { $0 == "b" } == 4 && !december.contains("bbb"), "\(december)")
  }

  @Test("A rule without repeat is over after its round until its window opens again")
  func over() throws {
    var rotation = Rotation(
      try Self.rule("order: shuffle, play: [a, b, { media: c, times: 2 }], repeat: false"), seed: 4)
    let first = Self.shown(&rotation, 10)
    #expect(first.count == 4 && rotation.isOver && rotation.next(on: Self.day) == nil)
    rotation.restart()
    let second = Self.shown(&rotation, 10)
    #expect(second.sorted() == first.sorted() && second.first != first.last)
  }

  @Test("A list begins at its top when its window opens again, a shuffled one not with what was shown last")
  func restarted() throws {
    var listed = Rotation(try Self.rule("play: [a, b, c]"), seed: 1)
    #expect(Self.shown(&listed, 2) == "ab")
    listed.restart()
    #expect(Self.shown(&listed, 4) == "abca")
    for seed in 0..<40 as Range<UInt64> {
      var shuffled = Rotation(try Self.rule("order: shuffle, play: [a, b]"), seed: seed)
      let last = Self.shown(&shuffled, 3).last
      shuffled.restart()
      #expect(Self.shown(&shuffled, 1).last != last, "seed \(seed)")
    }
  }

  @Test(
    "A stored order goes on where it stood",
    arguments: [
      "play: [a, { media: b, times: 3 }, c]", "order: shuffle, play: [a, { media: b, weight: 3, times: 2 }, c, d]",
      "order: weighted, play: [a, { media: b, weight: 3 }], repeat: false",
    ])
  func stored(text: String) throws {
    let rule = try Self.rule(text)
    var rotation = Rotation(rule, seed: 0xFFFF_FFFF_FFFF_FFFF)
    for _ in 0..<30 {
      let json = try JSONValue(parsing: rotation.json.serialized())
      var (stored, going) = (try #require(Rotation(json, of: rule)), rotation)
      #expect(stored == rotation)
      #expect(Self.shown(&stored, 20) == Self.shown(&going, 20))
      _ = rotation.next(on: Self.day)
    }
  }

  @Test("What is damaged, or of other items, is not gone on with")
  func damaged() throws {
    let rule = try Self.rule("order: shuffle, play: [a, { media: b, times: 2 }]")
    var rotation = Rotation(rule, seed: 1)
    _ = rotation.next(on: Self.day)
    let json = rotation.json
    #expect(Rotation(json, of: rule) != nil)
    for other in [
      "order: shuffle, play: [a, b]", "order: shuffle, play: [a, { media: c, times: 2 }]",
      "play: [a, { media: b, times: 2 }]",
    ] {
      #expect(Rotation(json, of: try Self.rule(other)) == nil, "\(other)")
    }
    let wrong: [(String, JSONValue)] = [
      ("v", 2), ("seed", "x"), ("seed", 1), ("draws", -1), ("left", 9), ("left", -1), ("turns", [1]),
      ("turns", [1, 9]),
      ("turns", "x"), ("members", [7]), ("last", 2), ("last", -1), ("over", "x"), ("items", ""),
    ]
    for (name, value) in wrong {
      var object = try #require(json.object)
      object[name] = value
      #expect(Rotation(.object(object), of: rule) == nil, "\(name) \(value)")
    }
    #expect(Rotation([], of: rule) == nil)
    var far = try #require(json.object)
    far["draws"] = .int(.max)
    var last = try #require(Rotation(.object(far), of: rule))
    #expect(Self.shown(&last, 10).count == 10)
  }
}
