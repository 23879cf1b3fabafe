import CastProtocol
import Testing

@testable import RunReporting

/// What a timeline keeps: bounded, however much happens.
@Suite struct LaneTests {
  @Test("A lane has each value from its begin to the next; the same value again is no change")
  func segments() {
    var lane = Lane()
    for (time, text) in [(1.0, "idle"), (2, "playing"), (3, "playing"), (4, nil), (5, "idle")] as [(Double, String?)] {
      lane.change(to: text, at: time)
    }
    lane.close(at: 7)
    lane.close(at: 8)
    #expect(
      lane.segments == [
        .init(start: 1, end: 2, text: "idle"), .init(start: 2, end: 4, text: "playing"),
        .init(start: 5, end: 7, text: "idle"),
      ])
    #expect(lane.count == 3 && lane.open == nil)
  }

  @Test("A lane of very many values keeps a bounded number, which cover the same time and count them all")
  func thinnedLane() {
    var lane = Lane()
    for index in 0..<50_000 { lane.change(to: index.isMultiple(of: 2) ? "playing" : "buffering", at: Double(index)) }
    lane.close(at: 50_000)
    #expect(lane.segments.count <= Lane.limit && lane.segments.count > 100)
    #expect(lane.count == 50_000 && lane.segments.reduce(0) { $0 + $1.count } == 50_000)
    #expect(lane.segments.first?.start == 0 && lane.segments.last?.end == 50_000)
    for (earlier, later) in zip(lane.segments, lane.segments.dropFirst()) { #expect(earlier.end == later.start) }
    #expect(lane.segments.allSatisfy { $0.count == 1 || $0.text == "several" })
  }

  @Test("A long value is not lost among short ones")
  func longValue() {
    var segments = (0..<100).map { Lane.Segment(start: Double($0) / 100, end: Double($0 + 1) / 100, text: "\($0)") }
    segments.append(.init(start: 1, end: 100, text: "long"))
    let thinned = Lane.thinned(segments, to: 10)
    #expect(thinned.count <= 10 && thinned.last == segments.last)
    #expect(Lane.thinned(segments, to: 200) == segments)
  }

  @Test("Any number of values at one moment is one")
  func oneMoment() {
    let segments = (0..<3_000).map { Lane.Segment(start: 5, end: 5, text: "\($0)") }
    #expect(Lane.thinned(segments, to: 10) == [.init(start: 5, end: 5, text: "several", count: 3_000)])
    let moments = (0..<3_000).map { _ in Moments.Moment(time: 5, text: "x", look: .sent) }
    #expect(Moments.thinned(moments, to: 10).map(\.count) == [3_000])
  }

  @Test("Moments that are close are one for each look, and counted")
  func moments() {
    var moments = Moments()
    for index in 0..<20_000 {
      moments.add(.init(time: Double(index), text: "\(index)", look: index.isMultiple(of: 2) ? .sent : .received))
    }
    #expect(moments.count == 20_000 && moments.moments.count < Moments.limit)
    #expect(moments.moments.reduce(0) { $0 + $1.count } == 20_000)
    #expect(Set(moments.moments.map(\.look)) == [.sent, .received])
  }

  @Test("Between two statuses the position runs as fast as the first said, and a gap is where there is none")
  func position() {
    let points: [PositionTrack.Point] = [
      .init(time: 1, position: 0, speed: 1), .init(time: 3, position: 5, speed: 0), .init(time: 4, position: nil),
      .init(time: 6, position: 1, speed: 2),
    ]
    let lines = PositionTrack.lines(points, until: 7)
    #expect(lines.map { $0.map(\.time) } == [[1, 3, 3, 4], [6, 7]])
    #expect(lines.map { $0.map(\.position) } == [[0, 2, 5, 5], [1, 3]])
  }

  @Test("A track keeps points that are about as far apart, the first and the last among them")
  func thinnedTrack() throws {
    var track = PositionTrack()
    track.add(.init(time: 0, position: nil))
    #expect(track.points.isEmpty)
    for index in 0..<30_000 { track.add(.init(time: Double(index), position: Double(index), speed: 1)) }
    #expect(track.count == 30_000 && track.points.count <= PositionTrack.limit)
    let thinned = PositionTrack.thinned(track.points, to: 100)
    #expect(thinned.count <= 100 && thinned.count > 25)
    #expect(thinned.first?.time == 0 && thinned.last?.time == 29_999)
    let steps = zip(thinned, thinned.dropFirst()).map { $1.time - $0.time }.dropLast()
    #expect(try #require(steps.max()) < 4 * #require(steps.min()))
  }

  private static func row(_ time: Double, _ set: [(String, String)], _ unset: [String] = []) -> StatusLog.Row {
    StatusLog.Row(time: time, set: set.map { ($0.0, $0.1) }, unset: unset)
  }

  @Test("Two changes told together say what both came to")
  func joined() {
    let first = Self.row(1, [("player", "playing"), ("position", "1"), ("break", "mid")], ["rate", "title"])
    let both = Self.row(2, [("position", "2"), ("title", "Film")], ["break"]).joined(to: first)
    #expect(both.time == 2 && both.count == 2)
    #expect(both.set.map { "\($0.name)=\($0.text)" } == ["player=playing", "position=2", "title=Film"])
    #expect(both.unset == ["rate", "break"])
  }

  @Test("A log that is thinned is half as large, is as fine everywhere, and comes to the same status")
  func thinnedLog() throws {
    func status(_ log: StatusLog) -> [String: String] {
      log.rows.reduce(into: [:]) { status, row in
        for (name, text) in row.set { status[name] = text }
        for name in row.unset { status[name] = nil }
      }
    }
    var log = StatusLog()
    for index in 0..<4_000 {
      log.add(Self.row(Double(index), [("position", "\(index)")], index.isMultiple(of: 3) ? ["break"] : []))
    }
    let (before, cost) = (status(log), log.cost)
    for _ in 0..<3 { log.thin() }
    #expect(log.cost <= cost / 8 && log.count == 4_000)
    #expect(log.rows.reduce(0) { $0 + $1.count } == 4_000)
    #expect(status(log) == before && log.rows.first?.time == 0)
    let steps = zip(log.rows, log.rows.dropFirst()).map { $1.time - $0.time }.dropFirst().dropLast()
    #expect(try #require(steps.max()) < 3 * #require(steps.min()))
  }
}
