/// A key of a terminal's keyboard, as far as anybody here cares.
package enum TerminalKey: Hashable, Sendable {
  /// What prints, the space included.
  case character(Character)
  /// A letter held with Ctrl, in lower case.
  case control(Character)
  case up, down, left, right, home, end, pageUp, pageDown
  case enter, backspace, escape
  /// A sequence without a meaning here.
  case other
}

/// Keys out of the bytes that a terminal sends: its escape sequences may come in pieces, or be anything.
package struct KeyDecoder: Sendable {
  /// An escape byte that nothing follows for this long is the key of that name.
  package static let escapeTime = Duration.milliseconds(100)
  /// A longer sequence is none that a keyboard sends; the rest of it is passed over.
  private static let sequenceLimit = 32

  private enum State: Hashable {
    case ground
    case escape
    /// After `ESC O`: one more byte.
    case single
    /// After `ESC [`.
    case sequence([UInt8])
    /// `ESC [ [`, as the Linux console begins its function keys: one more byte.
    case console
    /// Of a character of several bytes: what came, and how many are still to come.
    case character([UInt8], missing: Int)
  }

  private var state = State.ground
  private var lastByteAt = Duration.zero

  package init() {}

  /// When ``timerFired(at:)`` wants to be called; `nil`: nothing is half read.
  package var deadline: Duration? { state == .ground ? nil : lastByteAt + Self.escapeTime }

  /// Takes what was read; the keys that are whole now.
  package mutating func receive(_ bytes: some Sequence<UInt8>, at now: Duration) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    for byte in bytes { take(byte, &keys) }
    lastByteAt = now
    return keys
  }

  /// What was begun and not finished in time is taken for what it is.
  package mutating func timerFired(at now: Duration) -> [TerminalKey] {
    guard let deadline, deadline <= now else { return [] }
    defer { state = .ground }
    return state == .escape ? [.escape] : [.other]
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    switch state {
    case .ground: begin(byte, &keys)
    case .escape: takeAfterEscape(byte, &keys)
    case .single:
      state = .ground
      keys.append(Self.named(byte))
    case .console:
      state = .ground
      keys.append(.other)
    case .sequence(let parameters): takeInSequence(byte, parameters, &keys)
    case .character(let start, let missing):
      guard byte & 0xC0 == 0x80 else {
        state = .ground
        keys.append(.other)
        return begin(byte, &keys)
      }
      let bytes = start + [byte]
      if missing > 1 {
        state = .character(bytes, missing: missing - 1)
      } else {
        state = .ground
        keys.append(String(validating: bytes, as: UTF8.self)?.first.map(TerminalKey.character) ?? .other)
      }
    }
  }

  private mutating func begin(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: state = .character([byte], missing: 1)
    case 0xE0...0xEF: state = .character([byte], missing: 2)
    case 0xF0...0xF4: state = .character([byte], missing: 3)
    default: keys.append(.other)
    }
  }

  private mutating func takeAfterEscape(_ byte: UInt8, _ keys: inout [TerminalKey]) {
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .single
    case 0x1B: keys.append(.escape)
    default:
      // A key held with Alt.
      state = .ground
      keys.append(.other)
    }
  }

  private mutating func takeInSequence(_ byte: UInt8, _ parameters: [UInt8], _ keys: inout [TerminalKey]) {
    switch byte {
    case 0x1B: state = .escape
    case UInt8(ascii: "[") where parameters.isEmpty: state = .console
    case 0x20...0x3F:
      // Too long ones keep their length, so that they end where they end.
      if parameters.count < Self.sequenceLimit { state = .sequence(parameters + [byte]) }
    case 0x40...0x7E:
      state = .ground
      keys.append(byte == UInt8(ascii: "~") ? Self.numbered(parameters) : Self.named(byte))
    default:
      state = .ground
      keys.append(.other)
    }
  }

  /// `ESC [ A` and `ESC O A`.
  private static func named(_ byte: UInt8) -> TerminalKey {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: .other
    }
  }

  /// `ESC [ 5 ~`.
  private static func numbered(_ parameters: [UInt8]) -> TerminalKey {
    switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: .other
    }
  }
}
