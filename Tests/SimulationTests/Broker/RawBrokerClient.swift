import FleetMessages
import Glibc

/// What a client of a broker gets, so that two brokers can be compared.
struct Got: Hashable, Comparable, CustomStringConvertible {
  var text: String
  var description: String { text }
  static func < (left: Got, right: Got) -> Bool { left.text < right.text }

  init(_ message: BrokerMessage) {
    let payload = String(decoding: message.payload, as: UTF8.self)
    let expiry = message.expiry.map { " for \($0.components.seconds) s" } ?? ""
    text = "\(message.topic) '\(payload)' q\(message.quality.rawValue)\(message.isRetained ? " retained" : "")\(expiry)"
  }

  private init(_ text: String) { self.text = text }
  /// Mosquitto tells nobody why, and no link needs to know.
  static let ended = Got("ended")
}

/// A few packets of MQTT 5 by hand, over plain TCP: so that a test decides when a connection breaks.
final class RawBrokerClient {
  struct Failure: Error { var text: String }

  private let socket: Int32
  private var buffer: [UInt8] = []
  private var lastPacket = 0
  private var isOpen = true

  init(port: Int, clientID: String, will: BrokerMessage?) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(text: "cannot connect: \(errno)") }
    var flags: UInt8 = 2
    var rest = Self.field(clientID)
    if let will {
      flags |= 4 | UInt8(will.quality.rawValue) << 3 | (will.isRetained ? 32 : 0)
      rest += [0] + Self.field(will.topic) + Self.number(will.payload.count) + will.payload
    }
    try write(0x10, Self.field("MQTT") + [5, flags] + Self.number(600) + [0] + rest)
    let answer = try read()
    guard answer.type == 0x20, answer.body[1] == 0 else { throw Failure(text: "not accepted: \(answer)") }
  }

  deinit { if isOpen { Glibc.close(socket) } }

  // MARK: packets

  private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
  private static func field(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) }

  private func write(_ type: UInt8, _ body: [UInt8]) throws {
    var (length, bytes) = (body.count, [type])
    repeat {
      bytes.append(UInt8(length & 127) | (length > 127 ? 128 : 0))
      length >>= 7
    } while length > 0
    bytes += body
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure(text: "cannot send")
    }
  }

  private func read() throws -> (type: UInt8, body: [UInt8]) {
    while true {
      if let packet = takePacket() { return packet }
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 5_000) == 1 else { throw Failure(text: "nothing came in 5 s") }
      var chunk = [UInt8](repeating: 0, count: 16_384)
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { throw Failure(text: "closed") }
      buffer += chunk.prefix(count)
    }
  }

  private func takePacket() -> (type: UInt8, body: [UInt8])? {
    guard let type = buffer.first else { return nil }
    guard let (length, start) = Self.variable(buffer, at: 1), buffer.count >= start + length else { return nil }
    defer { buffer.removeFirst(start + length) }
    return (type, Array(buffer[start..<start + length]))
  }

  private static func variable(_ bytes: [UInt8], at start: Int) -> (value: Int, end: Int)? {
    var (value, shift, place) = (0, 0, start)
    while place < bytes.count {
      value |= Int(bytes[place] & 127) << shift
      place += 1
      if bytes[place - 1] < 128 { return (value, place) }
      shift += 7
    }
    return nil
  }

  // MARK: what a client does

  private func nextPacket() -> [UInt8] {
    lastPacket += 1
    return Self.number(lastPacket)
  }

  func subscribe(_ filter: String, includesOwn: Bool) throws {
    // No local is an error where messages are shared (MQTT 5.0, 3.8.3.1).
    let noLocal: UInt8 = includesOwn || filter.hasPrefix("$share/") ? 0 : 4
    try write(0x82, nextPacket() + [0] + Self.field(filter) + [1 | noLocal])
  }

  func unsubscribe(_ filter: String) throws { try write(0xA2, nextPacket() + [0] + Self.field(filter)) }

  func publish(_ message: BrokerMessage) throws {
    let isSure = message.quality == .atLeastOnce
    var properties: [UInt8] = []
    if let expiry = message.expiry {
      let seconds = Int(expiry.components.seconds)
      properties = [2] + Self.number(seconds >> 16) + Self.number(seconds & 65_535)
    }
    try write(
      0x30 | (isSure ? 2 : 0) | (message.isRetained ? 1 : 0),
      Self.field(message.topic) + (isSure ? nextPacket() : []) + [UInt8(properties.count)] + properties
        + message.payload)
  }

  /// All that the broker has sent until it answers a ping.
  func got() throws -> [Got] {
    guard isOpen else { return [] }
    var got: [Got] = []
    do {
      try write(0xC0, [])
      while true {
        let (type, body) = try read()
        switch type & 0xF0 {
        case 0xD0: return got
        case 0x30: got.append(Got(try message(type, body)))
        case 0xE0:
          close()
          return got + [.ended]
        default: break
        }
      }
    } catch {
      // A connection that the broker has ended may be gone before its farewell is read.
      close()
      return got + [.ended]
    }
  }

  /// What comes until the broker closes the connection, without a word to it: an answer would lose what it sent.
  func gotAtLast() -> [Got] {
    var got: [Got] = []
    defer { close() }
    while let (type, body) = try? read() {
      switch type & 0xF0 {
      case 0x30: if let message = try? message(type, body) { got.append(Got(message)) }
      case 0xE0: return got + [.ended]
      default: break
      }
    }
    return got + [.ended]
  }

  private func message(_ type: UInt8, _ body: [UInt8]) throws -> BrokerMessage {
    let length = Int(body[0]) << 8 | Int(body[1])
    var place = 2 + length
    var message = BrokerMessage(String(decoding: body[2..<place], as: UTF8.self), [])
    message.quality = type & 6 == 0 ? .atMostOnce : .atLeastOnce
    message.isRetained = type & 1 == 1
    if message.quality == .atLeastOnce {
      try write(0x40, Array(body[place..<place + 2]))
      place += 2
    }
    guard let (properties, start) = Self.variable(body, at: place) else { throw Failure(text: "properties") }
    if properties >= 5, body[start] == 2 {
      message.expiry = .seconds(body[start + 1..<start + 5].reduce(0) { $0 << 8 | Int($1) })
    }
    message.payload = Array(body[(start + properties)...])
    return message
  }

  func goodbye() throws {
    try write(0xE0, [])
    close()
  }

  /// Ends without a word.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // A program that another test starts meanwhile may have a copy, and must not keep it open.
    shutdown(socket, Int32(SHUT_RDWR))
    Glibc.close(socket)
  }
}
