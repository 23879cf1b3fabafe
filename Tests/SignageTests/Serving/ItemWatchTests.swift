import CastProtocol
import Signage
import Testing

@Suite struct ItemWatchTests {
  private static func film(_ length: Duration? = nil) -> ItemWatch {
    ItemWatch(
      .init(length: length, stalledAfter: .seconds(30), bufferingOver: .seconds(20), moves: true), at: .zero)
  }

  private static func still(_ length: Duration) -> ItemWatch {
    ItemWatch(
      .init(length: length, stalledAfter: .seconds(30), bufferingOver: .seconds(20), moves: false), at: .zero)
  }

  /// A status at a second.
  private typealias Told = (second: Int, sight: PlayerSight)

  private static func run(_ watch: ItemWatch, _ told: [Told], until end: Int) -> ItemWatch {
    var watch = watch
    for second in 0...end {
      for status in told where status.second == second {
        var sight = status.sight
        sight.receivedAt = .seconds(second)
        watch.observe(sight, at: .seconds(second))
      }
      watch.timerFired(at: .seconds(second))
    }
    return watch
  }

  @Test(
    "A player that goes on to the next item of its queue has finished the one before where that was near its end",
    arguments: [(59, ItemWatch.End.finished), (30, .jumped)])
  func nextItem(second: Int, end: ItemWatch.End) {
    let next = PlayerSight(.playing, position: 0, duration: 20, isAtNextItem: true)
    let told = stride(from: 1, to: second, by: 10).map { time -> Told in
      (time, PlayerSight(.playing, position: Double(time - 1), duration: 60))
    }
    let watch = Self.run(Self.film(), told + [(second, next)], until: 70)
    #expect(watch.end == end && watch.shown == .seconds(second - 1))
  }

  @Test("How an item ends, and for how long it was seen")
  func ends() {
    let playing = PlayerSight(.playing, position: 0, duration: 60)
    let cases: [(name: String, watch: ItemWatch, told: [Told], end: ItemWatch.End?, shown: Int, stalled: Int)] = [
      (
        "to its end", Self.film(),
        [
          (1, playing), (25, .init(.playing, position: 24)), (45, .init(.playing, position: 44)),
          (61, .init(.idle(.finished))),
        ],
        .finished, 60, 0
      ),
      ("for its length", Self.film(.seconds(20)), [(1, playing)], .lengthReached, 20, 0),
      ("a still for its length", Self.still(.seconds(10)), [(2, .init(.playing))], .lengthReached, 10, 0),
      ("a still that counts as paused", Self.still(.seconds(10)), [(2, .init(.paused))], .lengthReached, 10, 0),
      ("a still is never stuck", Self.still(.seconds(90)), [(0, .init(.playing, position: 0))], .lengthReached, 90, 0),
      (
        "stands still", Self.film(),
        [
          (0, playing), (10, .init(.playing, position: 10)), (20, .init(.playing, position: 10)),
          (39, .init(.playing, position: 10)),
        ], .stuck, 10, 30
      ),
      (
        "gets on now and then", Self.film(),
        [
          (0, playing), (25, .init(.playing, position: 1)),
          (50, .init(.playing, position: 2)),
        ], nil, 61, 0
      ),
      ("buffers too long", Self.film(), [(0, playing), (5, .init(.buffering, position: 5))], .stuck, 5, 20),
      (
        "buffers for a moment", Self.film(),
        [
          (0, playing), (5, .init(.buffering, position: 5)),
          (15, .init(.playing, position: 5)), (35, .init(.playing, position: 25)),
        ], nil, 51, 10
      ),
      ("is paused by somebody", Self.film(), [(0, playing), (10, .init(.paused, position: 10))], .stuck, 10, 30),
      ("cannot go on", Self.film(), [(0, playing), (9, .init(.idle(.error)))], .failed, 9, 0),
      ("is stopped", Self.film(), [(0, playing), (9, .init(.idle(.cancelled)))], .stopped, 9, 0),
      ("is gone without a word", Self.film(), [(0, playing), (9, .init(.idle(nil)))], .stopped, 9, 0),
      (
        "is gone at its end, of which no status came", Self.film(),
        [
          (0, playing), (30, .init(.playing, position: 30)),
          (59, .init(.idle(nil))),
        ], .finished, 59, 0
      ),
      ("never begins", Self.film(), [(0, .init(.loading))], .stuck, 0, 0),
    ]
    for (name, watch, told, end, shown, stalled) in cases {
      let result = Self.run(watch, told, until: end == .lengthReached ? 100 : 61)
      #expect(result.end == end, "\(name)")
      #expect(result.shown == .seconds(shown), "\(name): \(result.shown)")
      #expect(result.stalled == .seconds(stalled), "\(name): \(result.stalled)")
    }
  }

  @Test("Of an item whose device was lost only what its last status covers was shown")
  func lost() {
    var watch = Self.run(
      Self.film(), [(0, .init(.playing, position: 0)), (10, .init(.playing, position: 10))], until: 18)
    watch.close(at: .seconds(19), isLost: true)
    #expect(watch.shown == .seconds(10))
    var other = Self.run(Self.film(), [(0, .init(.playing, position: 0))], until: 18)
    other.close(at: .seconds(19))
    #expect(other.shown == .seconds(19))
  }

  @Test("An item that was on before anybody watched has its length less what it was on")
  func adopted() {
    let limits = ItemWatch.Limits(
      length: .seconds(20), stalledAfter: .seconds(30), bufferingOver: .seconds(20), moves: false)
    var watch = ItemWatch(limits, at: .seconds(100), alreadyShown: .seconds(15))
    #expect(watch.nextCheck == .seconds(105))
    watch.timerFired(at: .seconds(105))
    #expect(watch.end == .lengthReached && watch.shown == .seconds(5))
  }

  @Test("The same status told twice counts once")
  func statuses() {
    var watch = Self.film()
    for _ in 0..<3 { watch.observe(.init(.playing, position: 1, receivedAt: .seconds(1)), at: .seconds(2)) }
    watch.observe(.init(.playing, position: 2, receivedAt: .seconds(3)), at: .seconds(3))
    #expect(watch.statuses == 2)
  }
}
