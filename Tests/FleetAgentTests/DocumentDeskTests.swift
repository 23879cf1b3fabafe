import CastProtocol
import CastTransport
import FleetMessages
import Testing

@testable import FleetAgent

/// Which documents are taken, and what is said of them (docs/security.md F2, F3, F5).
@Suite struct DocumentDeskTests {
  private let example: SiteExample

  init() throws { example = try SiteExample() }

  private func desk(_ kept: [KeptDocument] = []) -> DocumentDesk {
    DocumentDesk(site: example.site, kept: kept, at: SiteExample.time)
  }

  private func give(
    _ document: FleetDocument, to desk: inout DocumentDesk, by other: SigningKey? = nil
  ) throws -> DocumentDesk.Verdict {
    give(try example.put(document, by: other), to: &desk)
  }

  private func give(_ message: BrokerMessage, to desk: inout DocumentDesk) -> DocumentDesk.Verdict {
    guard let topic = FleetTopic(message.topic), case .documentPut(_, let id) = topic else { return .nothing }
    return desk.receive(message.payload, on: topic, id: id, by: example.keys, at: SiteExample.time)
  }

  private func take(_ edition: Int, _ outcome: DocumentOutcome, _ desk: inout DocumentDesk) throws {
    #expect(try give(example.document(edition), to: &desk) == .waits)
    #expect(desk.next()?.edition == edition)
    desk.finished(outcome, at: SiteExample.time)
  }

  @Test("A document that is on is reported with its edition and digest, and seen twice reported again")
  func on() throws {
    var desk = desk()
    try take(3, .on, &desk)
    let report = try #require(desk.reports["cafe"])
    #expect(report.state == .on && report.edition == 3 && report.shown == 3)
    #expect(report.digest == example.document(3).digest && desk.editions == ["cafe": 3])
    #expect(try give(example.document(3), to: &desk) == .known && desk.next() == nil)
  }

  @Test("A document that is refused leaves the old edition on, and the report says both and why")
  func refused() throws {
    var desk = desk()
    try take(3, .on, &desk)
    let diagnostics = (0..<80).map { JSONValue.object(["code": .int($0)]) }
    try take(5, .refused(why: "2 errors", diagnostics: diagnostics), &desk)
    let report = try #require(desk.reports["cafe"])
    #expect(report.state == .refused && report.edition == 5 && report.shown == 3 && report.why == "2 errors")
    #expect(report.digest == example.document(3).digest && report.diagnostics.count == 50)
    // What was passed over cannot come in between.
    guard case .refused = try give(example.document(4), to: &desk) else {
      Issue.record("an edition below one that was refused was taken")
      return
    }
    #expect(desk.next() == nil)
  }

  @Test("An edition that is taken back is reported with the one that is on again, and seen twice reported again")
  func takenBack() throws {
    var desk = desk()
    try take(3, .on, &desk)
    try take(5, .on, &desk)
    var back = FleetDocument(id: "cafe", edition: 6, issued: 1, files: [])
    back.undoes = 5
    #expect(!back.isRemoval)
    #expect(try give(back, to: &desk) == .waits && desk.next() == back)
    let before = KeptDocument.Shown(edition: 3, digest: example.document(3).digest)
    desk.finished(.restored(before), at: SiteExample.time)
    let report = try #require(desk.reports["cafe"])
    #expect(report.state == .on && report.edition == 6 && report.shown == 3 && report.digest == before.digest)
    #expect(desk.editions == ["cafe": 3])
    #expect(try give(back, to: &desk) == .known)
    // Also for the next process, which knows what is kept.
    var next = self.desk([.init(id: "cafe", edition: 6, state: .on, shown: before)])
    #expect(try give(back, to: &next) == .known)
  }

  @Test("Diagnostics without end are cut to what a report may hold")
  func largeDiagnostics() throws {
    var desk = desk()
    let large = (0..<50).map { _ in JSONValue.string(String(repeating: "x", count: 20_000)) }
    try take(1, .refused(why: "w", diagnostics: large), &desk)
    let report = try #require(desk.reports["cafe"])
    #expect(report.diagnostics.count == DocumentDesk.mostDiagnosticBytes / 20_002)
  }

  @Test("An older edition that is shown again counts for nothing; the report stays and tells of it")
  func replayed() throws {
    var desk = desk()
    try take(2, .on, &desk)
    try take(3, .on, &desk)
    guard case .refused = try give(example.document(2), to: &desk) else {
      Issue.record("an old edition was taken")
      return
    }
    let report = try #require(desk.reports["cafe"])
    #expect(report.state == .on && report.edition == 3 && report.shown == 3)
    #expect(report.why == "edition 2 came after edition 3 and was passed over" && desk.next() == nil)
  }

  @Test("After a restart an older edition counts for nothing either, also of a document that was taken off")
  func restarted() throws {
    let digest = example.document(7).digest
    let table: [(KeptDocument, Int, DocumentDesk.Verdict?)] = [
      (.init(id: "cafe", edition: 7, state: .on, shown: .init(edition: 7, digest: digest)), 7, .known),
      (.init(id: "cafe", edition: 7, state: .on, shown: .init(edition: 7, digest: digest)), 6, nil),
      (.init(id: "cafe", edition: 7, state: .on, shown: .init(edition: 7, digest: "other")), 7, nil),
      (.init(id: "cafe", edition: 7, state: .removed, shown: nil), 6, nil),
      (.init(id: "cafe", edition: 7, state: .removed, shown: nil), 7, nil),
      (.init(id: "cafe", edition: 7, state: .removed, shown: nil), 8, .waits),
      // It is read again: its diagnostics were not kept.
      (.init(id: "cafe", edition: 7, state: .refused, shown: .init(edition: 5, digest: "a")), 7, .waits),
      (.init(id: "cafe", edition: 7, state: .refused, shown: .init(edition: 5, digest: "a")), 6, nil),
    ]
    for (index, (kept, edition, verdict)) in table.enumerated() {
      var desk = desk([kept])
      #expect(desk.reports["cafe"]?.state == kept.state && desk.reports["cafe"]?.shown == kept.shown?.edition)
      let found = try give(example.document(edition), to: &desk)
      if let verdict {
        #expect(found == verdict, "row \(index)")
      } else if case .refused = found {
        #expect(desk.next() == nil, "row \(index)")
      } else {
        Issue.record("row \(index): \(found)")
      }
    }
  }

  @Test("Unsigned, forged, of another key, of another site or another id: nothing is taken and nothing is reported")
  func forged() throws {
    let stranger = try #require(SigningKey())
    let valid = try example.put(example.document(3))
    var changed = valid
    changed.payload[changed.payload.count - 1] ^= 1
    var elsewhere = valid
    elsewhere.topic = "showcaller/berlin/document/bar/put"
    var otherID = example.document(3, id: "bar")
    otherID.id = "bar"
    let body = try #require(otherID.body)
    let asCafe = try #require(SignedEnvelope.sealed(body, for: valid.topic, by: example.key))
    let messages = [
      BrokerMessage(valid.topic, Array("playlist: x".utf8)), changed, elsewhere, BrokerMessage(valid.topic, asCafe),
      try example.put(example.document(3), by: stranger),
      BrokerMessage(valid.topic, [UInt8](repeating: 1, count: SignedEnvelope.byteLimit + 1)),
    ]
    var desk = desk()
    for (index, message) in messages.enumerated() {
      guard case .refused = give(message, to: &desk) else {
        Issue.record("message \(index) was taken")
        continue
      }
    }
    #expect(desk.next() == nil && desk.reports.isEmpty)
  }

  @Test("That the retained message was removed means nothing; a signed removal takes a document off")
  func removal() throws {
    var desk = desk()
    try take(3, .on, &desk)
    let topic = try example.put(example.document(3)).topic
    #expect(give(.removal(of: topic), to: &desk) == .nothing && desk.editions == ["cafe": 3])
    #expect(try give(example.document(4, text: ""), to: &desk) == .waits)
    #expect(desk.next()?.isRemoval == true)
    desk.finished(.removed, at: SiteExample.time)
    #expect(desk.reports["cafe"]?.state == .removed && desk.reports["cafe"]?.shown == nil && desk.editions.isEmpty)
    #expect(try give(example.document(4, text: ""), to: &desk) == .known)
  }

  @Test("Documents are taken one after the other, and of many editions of one only the newest")
  func inTurn() throws {
    var desk = desk()
    for (edition, id) in [(1, "cafe"), (1, "bar"), (2, "cafe"), (3, "cafe"), (1, "zoo")] {
      #expect(try give(example.document(edition, id: id), to: &desk) == .waits)
      if edition == 1, id == "cafe" { #expect(desk.next()?.edition == 1) }
    }
    #expect(desk.next() == nil)
    // What waits or is being taken already is nothing new.
    #expect(try give(example.document(3), to: &desk) == .nothing)
    var taken: [String] = []
    repeat {
      desk.finished(.on, at: SiteExample.time)
      if let next = desk.next() { taken.append("\(next.id) \(next.edition)") } else { break }
    } while true
    #expect(taken == ["bar 1", "cafe 3", "zoo 1"] && desk.isIdle)
  }

  @Test("The same number for another document is refused")
  func sameEdition() throws {
    var desk = desk()
    try take(3, .on, &desk)
    guard case .refused(let why) = try give(example.document(3, text: "playlist: Other\n"), to: &desk) else {
      Issue.record("it was taken")
      return
    }
    #expect(why.contains("larger number") && desk.next() == nil)
  }

  @Test("A site has 64 documents of the fleet at most; what it has can still be changed and taken off")
  func most() throws {
    let kept = (0..<64).map {
      KeptDocument(id: "d\($0)", edition: 1, state: .on, shown: .init(edition: 1, digest: "a"))
    }
    var desk = desk(kept)
    guard case .refused = try give(example.document(1), to: &desk) else {
      Issue.record("a 65th was taken")
      return
    }
    #expect(desk.reports["cafe"]?.state == .refused)
    #expect(try give(example.document(2, id: "d0"), to: &desk) == .waits)
    #expect(try give(example.document(2, id: "d1", text: ""), to: &desk) == .waits)
  }
}
