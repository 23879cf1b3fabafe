import FoundationEssentials
import SwiftProtobuf
import Testing

@testable import CastProtocol

/// Our codec of the nine fields against the library's.
@Suite struct WireAgreementTests {
  /// What a body is by the library: the message, or why there is none.
  private enum Answer: Hashable {
    case message(CastMessage, isWhole: Bool)
    case refusal(ProtocolError)
  }

  private static func ours(_ body: [UInt8]) -> Answer {
    do throws(ProtocolError) {
      let (message, isWhole) = try CastMessage.decode(body)
      return .message(message, isWhole: isWhole)
    } catch {
      return .refusal(error)
    }
  }

  private static func library(_ body: [UInt8]) -> Answer {
    guard let wire = try? WireCastMessage(serializedBytes: body, partial: true, options: .network) else {
      return .refusal(.malformedMessage("not a cast message"))
    }
    if wire.sourceID.isEmpty { return .refusal(.malformedMessage("source id is empty")) }
    if wire.destinationID.isEmpty { return .refusal(.malformedMessage("destination id is empty")) }
    if wire.namespace.isEmpty { return .refusal(.malformedMessage("namespace is empty")) }
    guard wire.hasPayloadUtf8 || wire.hasPayloadBinary else { return .refusal(.malformedMessage("no payload")) }
    let bytes = Array(wire.payloadBinary)
    let payload: CastMessage.Payload =
      switch wire.payloadType {
      case 1: .binary(bytes.isEmpty ? Array(wire.payloadUtf8.utf8) : bytes)
      case _ where !wire.payloadUtf8.isEmpty || bytes.isEmpty: .text(wire.payloadUtf8)
      default: String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(bytes)
      }
    let message = CastMessage(
      source: EndpointID(wire.sourceID), destination: EndpointID(wire.destinationID),
      namespace: Namespace(rawValue: wire.namespace), payload: payload)
    return .message(message, isWhole: wire.isInitialized)
  }

  /// As the library writes it.
  private static func written(_ message: CastMessage) throws -> [UInt8] {
    var wire = WireCastMessage()
    wire.protocolVersion = 0
    wire.sourceID = message.source.rawValue
    wire.destinationID = message.destination.rawValue
    wire.namespace = message.namespace.rawValue
    switch message.payload {
    case .text(let text): (wire.payloadType, wire.payloadUtf8) = (0, text)
    case .binary(let bytes): (wire.payloadType, wire.payloadBinary) = (1, Data(bytes))
    }
    return try wire.serializedBytes()
  }

  /// Messages of every kind and length, and those of the recordings where they are at hand.
  private static func messages() throws -> [CastMessage] {
    var messages: [CastMessage] = []
    for count in [0, 1, 126, 127, 128, 16_383, 16_384, 60_000] {
      let text = String(repeating: "x", count: count)
      messages.append(CastMessage(source: .sender, destination: .everyone, namespace: .media, payload: .text(text)))
      messages.append(
        CastMessage(
          source: EndpointID(text + "s"), destination: "né😀", namespace: Namespace(rawValue: "urn:x-cast:" + text),
          payload: .binary(Array(repeating: 0xC3, count: count))))
    }
    if Reference.has("recordings") {
      for recording in try Recording.files().flatMap({ try Recording.all(in: $0) }) {
        messages.append(
          CastMessage(
            source: recording.source ?? .receiver, destination: .sender, namespace: recording.namespace,
            json: recording.payload))
      }
    }
    return messages
  }

  @Test("Every message is written byte for byte as the library writes it, and read back by both as the same")
  func writing() throws {
    for message in try Self.messages() {
      let body = message.encoded()
      #expect(try body == Self.written(message))
      #expect(message.encodedLength == body.count)
      #expect(Self.ours(body) == .message(message, isWhole: true))
      #expect(Self.library(body) == .message(message, isWhole: true))
    }
  }

  @Test("Groups may be nested as deep as the library lets them", arguments: 1...14)
  func groups(depth: Int) {
    let body =
      CastMessageTests.ids + CastMessageTests.field(6, "{}") + Array(repeating: 0x63, count: depth)
      + Array(repeating: 0x64, count: depth)
    #expect(Self.ours(body) == Self.library(body))
  }

  @Test("Tags and numbers at their limits are read as the library reads them")
  func limits() {
    let base = CastMessageTests.ids + CastMessageTests.field(6, "{}")
    let long: [UInt8] = Array(repeating: 0xFF, count: 9)
    let ends: [[UInt8]] = [
      [0x78, 0x80, 0x00], [0x78] + long + [0x01], [0x78] + long + [0x7F], [0x78] + long + [0x80],
      [0x28] + long + [0x02],
      [0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 1], [0xF8, 0xFF, 0xFF, 0xFF, 0x1F, 1], [0xF8, 0xFF, 0xFF, 0xFF, 0x8F, 0, 1],
      [0x88, 0x00, 1], [0x88, 0x80, 0x80, 0x80, 0x00, 1], [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 1], [0x80, 0x00, 1],
      [0x07], [0x06], [0x0F], [0x63, 0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 1, 0x64], [0x63, 0xE4, 0x80, 0x00],
      [0x63, 0x6C], [0x64], [0x6A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x71, 1, 2, 3, 4, 5, 6, 7], [0x75, 1, 2, 3],
      [0x32, 0], [0x3A, 0], [0x0A, 1, 9], [0x2A, 1, 1], [0x40], [0x48], [0x08],
    ]
    for end in ends { #expect(Self.ours(base + end) == Self.library(base + end), "\(end)") }
  }

  @Test("100 000 mutations of messages get the same answer or the same refusal as by the library")
  func mutations() throws {
    var random = SeededGenerator(seed: 13)
    var seeds = try Self.messages().map { $0.encoded() }.filter { $0.count < 700 }
    seeds.append(CastMessageTests.ids + CastMessageTests.field(6, "{}") + [0x63, 0x08, 1, 0x64, 0x40, 0, 0x48, 0])
    seeds.append(CastMessageTests.ids + CastMessageTests.isBinary + CastMessageTests.field(7, [0, 255]))
    var read = 0
    for round in 0..<100_000 {
      var body = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Most of what counts stands in the first bytes.
        let reach = Bool.random(using: &random) ? body.count : min(body.count, 110)
        guard reach > 0 else { break }
        let place = Int.random(in: 0..<reach, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3...5: body[place] = .random(in: .min ... .max, using: &random)
        case 6, 7: body.remove(at: place)
        case 8...10: body.insert(.random(in: .min ... .max, using: &random), at: place)
        default: body.removeSubrange(place...)
        }
      }
      let answer = Self.ours(body)
      guard answer == Self.library(body) else {
        Issue.record("round \(round): \(answer), not \(Self.library(body)) for \(body.prefix(160))")
        return
      }
      if case .message = answer { read += 1 }
    }
    #expect(read > 5_000, "enough of them are messages still")
  }
}
