import CastProtocol
package import CastTransport

/// What happens to the bytes of in-memory connections, and when; the same script and seed do the same each time.
package struct LinkScript: Hashable, Sendable {
  /// What goes wrong.
  package enum Fault: Hashable, Sendable {
    /// Loses this number of bytes; the bytes after them arrive.
    case drop(Int)
    /// One byte arrives changed.
    case corrupt
    /// From here on every byte is lost, both ways, and no end is announced, as when a cable is pulled.
    case cut
    /// This byte and those behind it arrive no sooner than so long after it was sent.
    case stall(Duration)
    /// The direction ends: its reader sees the connection closed, its writer is not told.
    case halfClose
  }

  /// When a fault comes.
  package enum Moment: Hashable, Sendable {
    /// With the first byte that is sent at this time of the simulation or later. Connections made later are spared.
    case time(Duration)
    /// With the byte that has so many before it in its direction.
    case byte(Int)
  }

  /// Writes that are held up now and then, and with them what is written behind.
  package struct Stalls: Hashable, Sendable {
    var oneIn: Int
    var length: Duration

    /// - Parameter oneIn: Of how many writes, on average, one is held up; at least 1.
    package init(oneIn: Int, for length: Duration) {
      self.oneIn = max(1, oneIn)
      self.length = length
    }
  }

  /// A fault with its place.
  package struct Entry: Hashable, Sendable {
    var fault: Fault
    var moment: Moment
    var direction: InMemoryLink.Direction?

    /// - Parameter direction: `nil`: both, each with a fault of its own.
    package init(_ fault: Fault, at moment: Moment, _ direction: InMemoryLink.Direction? = nil) {
      self.fault = fault
      self.moment = moment
      self.direction = direction
    }
  }

  /// How long each write takes; `nil`: no time.
  package var delay: ClosedRange<Duration>?
  /// Of how many bytes the pieces are in which writes arrive, at least 1; `nil`: each write arrives whole.
  package var pieces: ClosedRange<Int>?
  /// `nil`: no write is held up by chance.
  package var stalls: Stalls?
  /// In no order; each comes once on a connection and direction.
  package var faults: [Entry] = []

  /// Makes a script; without arguments bytes arrive at once, whole and all.
  package init(
    delay: ClosedRange<Duration>? = nil, pieces: ClosedRange<Int>? = nil, stalls: Stalls? = nil, faults: [Entry] = []
  ) {
    self.delay = delay
    self.pieces = pieces
    self.stalls = stalls
    self.faults = faults
  }

  /// Whether bytes arrive later than they are sent.
  var takesTime: Bool {
    delay != nil || stalls != nil || faults.contains { if case .stall = $0.fault { true } else { false } }
  }

  /// How long bytes may be under way, at most.
  var longestWay: Duration {
    let held = faults.compactMap { if case .stall(let time) = $0.fault { time } else { nil } }.max() ?? .zero
    return (delay?.upperBound ?? .zero) + max(held, stalls?.length ?? .zero)
  }

  /// Pulls the cable at a time: what was connected until then is cut, later connections are whole.
  package static func cut(at time: Duration) -> LinkScript {
    LinkScript(faults: [Entry(.cut, at: .time(time))])
  }
}

/// A script on one connection: takes writes with the time, answers what arrives.
struct LinkScriptMachine: Sendable {
  private struct Way: Sendable {
    var faults: [LinkScript.Entry]
    /// Bytes sent so far.
    var offset = 0
    /// Bytes still to be lost.
    var dropping = 0
  }

  private let pieces: ClosedRange<Int>?
  private let stalls: LinkScript.Stalls?
  private var ways: [InMemoryLink.Direction: Way] = [:]
  private var generator: SeededGenerator
  private let cutAt: Duration?
  private var wasCut = false

  /// - Parameter start: When the connection was made.
  init(_ script: LinkScript, seed: UInt64, start: Duration) {
    pieces = script.pieces
    stalls = script.stalls
    generator = SeededGenerator(seed: seed)
    let faults = script.faults.filter { entry in
      if case .time(let time) = entry.moment { time >= start } else { true }
    }
    for direction in [InMemoryLink.Direction.toReceiver, .toSender] {
      ways[direction] = Way(faults: faults.filter { $0.direction ?? direction == direction })
    }
    // Known without a byte: who closes behind the cut is not heard.
    cutAt = faults.compactMap { entry -> Duration? in
      if case (.cut, .time(let time)) = (entry.fault, entry.moment) { time } else { nil }
    }.min()
  }

  func isCut(at now: Duration) -> Bool { wasCut || cutAt.map { now >= $0 } == true }

  mutating func carry(_ bytes: [UInt8], _ direction: InMemoryLink.Direction, at now: Duration) -> [InMemoryDelivery] {
    guard !isCut(at: now), var way = ways[direction] else { return [] }
    defer { ways[direction] = way }
    var arriving: [InMemoryDelivery] = []
    if let stalls, generator.next(below: stalls.oneIn) == 0 { arriving.append(.stall(stalls.length)) }
    if way.faults.isEmpty, way.dropping == 0, pieces == nil {
      way.offset += bytes.count
      return arriving + [.bytes(bytes)]
    }
    var piece: [UInt8] = []
    var limit = nextLimit()
    for byte in bytes {
      var byte = byte
      while let index = way.faults.firstIndex(where: { Self.isDue($0, offset: way.offset, at: now) }) {
        switch way.faults.remove(at: index).fault {
        case .drop(let count): way.dropping += max(0, count)
        case .stall(let length):
          if !piece.isEmpty { arriving.append(.bytes(piece)) }
          piece = []
          arriving.append(.stall(length))
        case .corrupt: byte ^= UInt8(generator.next(below: 255) + 1)
        case .cut:
          wasCut = true
          return piece.isEmpty ? arriving : arriving + [.bytes(piece)]
        case .halfClose: return (piece.isEmpty ? arriving : arriving + [.bytes(piece)]) + [.end]
        }
      }
      way.offset += 1
      if way.dropping > 0 {
        way.dropping -= 1
        continue
      }
      piece.append(byte)
      if piece.count == limit {
        arriving.append(.bytes(piece))
        piece = []
        limit = nextLimit()
      }
    }
    return piece.isEmpty ? arriving : arriving + [.bytes(piece)]
  }

  private mutating func nextLimit() -> Int? {
    pieces.map { max(1, $0.lowerBound + generator.next(below: $0.count)) }
  }

  private static func isDue(_ entry: LinkScript.Entry, offset: Int, at now: Duration) -> Bool {
    switch entry.moment {
    case .time(let time): now >= time
    case .byte(let number): number == offset
    }
  }
}
