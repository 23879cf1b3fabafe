import CastTransport
import FleetMessages
import Testing

/// What an operator signs (docs/security.md F2, F3).
@Suite struct SignedTests {
  private let key: SigningKey

  init() throws { key = try #require(SigningKey()) }

  private static let topic = "showcaller/berlin/document/cafe/put"

  private static func document(edition: Int = 3) -> FleetDocument {
    FleetDocument(
      id: "cafe", edition: edition, issued: 1_795_600_000, files: [.init(name: "cafe.yaml", text: "playlist: Café\n")])
  }

  private func sealed(_ body: [UInt8]?, for topic: String = topic, by other: SigningKey? = nil) throws -> [UInt8] {
    let body = try #require(body)
    return try #require(SignedEnvelope.sealed(body, for: topic, by: other ?? key))
  }

  private var keys: [VerifyingKey] { [key.publicKey].compactMap { $0 } }

  @Test("What was signed comes out as it went in")
  func roundTrip() throws {
    let stranger = try #require(SigningKey()?.publicKey)
    let payload = try sealed(Self.document().body)
    let envelope = try SignedEnvelope(payload, on: Self.topic, by: [stranger] + keys)
    #expect(try FleetDocument(signed: envelope) == Self.document())
  }

  @Test("Another topic, another key and each changed byte are refused")
  func forged() throws {
    let payload = try sealed(Self.document().body)
    #expect(throws: SignedEnvelope.Problem.forged) {
      try SignedEnvelope(payload, on: "showcaller/bern/document/cafe/put", by: keys)
    }
    let other = try #require(SigningKey())
    let name = try #require(other.publicKey).fingerprint
    #expect(throws: SignedEnvelope.Problem.otherKey(name)) {
      try SignedEnvelope(sealed(Self.document().body, by: other), on: Self.topic, by: keys)
    }
    for place in payload.indices {
      var changed = payload
      changed[place] ^= 1
      #expect(throws: SignedEnvelope.Problem.self) { try SignedEnvelope(changed, on: Self.topic, by: keys) }
    }
    for end in [0, 1, 20, 40, 100, payload.count - 1] {
      #expect(throws: SignedEnvelope.Problem.self) {
        try SignedEnvelope(Array(payload.prefix(end)), on: Self.topic, by: keys)
      }
    }
    let unsigned = try #require(Self.document().body)
    #expect(throws: SignedEnvelope.Problem.unsigned) {
      try SignedEnvelope(unsigned, on: Self.topic, by: keys)
    }
  }

  @Test(
    "A signed document whose files lead elsewhere, are there twice or too many is refused",
    arguments: [
      ["/etc/passwd"], ["../a.yaml"], ["a/../../b.yaml"], ["a//b"], [""], ["."], ["a\u{0}b"], ["a.yaml", "a.yaml"],
      (0...100).map { "\($0).yaml" },
    ])
  func hostileFiles(names: [String]) throws {
    var document = Self.document()
    document.files = names.map { .init(name: $0, text: "") }
    let envelope = try SignedEnvelope(sealed(document.body), on: Self.topic, by: keys)
    #expect(throws: FleetDocument.Problem.self) { try FleetDocument(signed: envelope) }
  }

  @Test("What takes an edition back has no files of its own")
  func takingBack() throws {
    var document = Self.document()
    document.undoes = 2
    let envelope = try SignedEnvelope(sealed(document.body), on: Self.topic, by: keys)
    #expect(throws: FleetDocument.Problem.self) { try FleetDocument(signed: envelope) }
    document.files = []
    let right = try SignedEnvelope(sealed(document.body), on: Self.topic, by: keys)
    #expect(try FleetDocument(signed: right) == document)
  }

  @Test("The digest is that of names and texts, each with its end")
  func digest() {
    func digest(_ files: [(String, String)]) -> String {
      var document = Self.document()
      document.files = files.map { .init(name: $0.0, text: $0.1) }
      return document.digest
    }
    #expect(digest([("a", "bc")]) != digest([("ab", "c")]))
    #expect(digest([("a", "b"), ("c", "d")]) != digest([("c", "d"), ("a", "b")]))
    #expect(digest([("a", "b")]) == digest([("a", "b")]) && digest([]).count == 64)
    #expect(Self.document(edition: 1).digest == Self.document(edition: 2).digest)
  }

  @Test(
    "An order is good from 30 s before it was signed until it expires",
    arguments: [
      (-31, FleetOrder.Problem.early(by: 31)), (-30, nil), (0, nil), (60, nil), (61, .late(by: 1)),
      (86_400, .late(by: 86_340)),
    ])
  func orderTime(offset: Int, problem: FleetOrder.Problem?) throws {
    let order = FleetOrder(id: "7", issued: 1_795_600_000, verb: .skip)
    let topic = "showcaller/berlin/order/7/put"
    let envelope = try SignedEnvelope(sealed(order.body, for: topic), on: topic, by: keys)
    let result = Result { () throws(FleetOrder.Problem) in
      try FleetOrder(signed: envelope, at: Double(1_795_600_000 + offset))
    }
    switch result {
    case .success(let read): #expect(problem == nil && read == order)
    case .failure(let found): #expect(found == problem)
    }
  }

  @Test("An order that is good for longer than ten minutes, or lacks what it is about, is refused")
  func malformedOrders() throws {
    let topic = "showcaller/berlin/order/7/put"
    func problem(_ order: FleetOrder) throws -> FleetOrder.Problem? {
      let envelope = try SignedEnvelope(sealed(order.body, for: topic), on: topic, by: keys)
      do throws(FleetOrder.Problem) {
        _ = try FleetOrder(signed: envelope, at: 1_795_600_000)
        return nil
      } catch { return error }
    }
    #expect(
      try problem(FleetOrder(id: "7", issued: 1_795_600_000, verb: .skip, life: 601)) == .malformed("its `expires`"))
    #expect(try problem(FleetOrder(id: "a/b", issued: 1_795_600_000, verb: .skip)) == .malformed("its `id`"))
    #expect(try problem(FleetOrder(id: "7", issued: 1_795_600_000, verb: .play)) == .malformed("`play` names no item"))
    #expect(
      try problem(FleetOrder(id: "7", issued: 1_795_600_000, verb: .fire)) == .malformed("`fire` names no trigger"))
  }

  @Test("A report that is read passes over what it does not know, and is nothing where it is none")
  func reports() {
    let news = ScreenNews(.takeover, "YouTube", at: 5)
    #expect(ScreenNews(payload: news.payload) == news)
    #expect(String(decoding: news.payload, as: UTF8.self).hasPrefix(#"{"v":1,"#))
    let later = #"{"v":9,"event_type":"dark","time":1,"detail":"x","more":{"a":1}}"#
    #expect(ScreenNews(payload: Array(later.utf8)) == ScreenNews(.dark, "x", at: 1))
    #expect(ScreenNews(payload: Array("offline".utf8)) == nil)
  }
}
