import CastTransport
import FleetMessages
import Testing

@testable import FleetControl

/// The documents that sites were given, as an operator finds them on the broker.
@Suite struct DocumentShelfTests {
  private static let old = [FleetDocument.File(name: "cafe.yaml", text: "old")]
  private static let new = [FleetDocument.File(name: "cafe.yaml", text: "new")]

  private let key: SigningKey
  private let site: SiteName
  private var shelf: DocumentShelf

  init() throws {
    key = try #require(SigningKey())
    site = try Fleet.site("a")
    shelf = DocumentShelf(id: "cafe", keys: [try #require(key.publicKey)], at: 1_000)
  }

  private func signed(
    _ topic: FleetTopic, edition: Int, _ files: [FleetDocument.File], id: String = "cafe", by key: SigningKey? = nil
  ) throws -> BrokerMessage {
    let body = try #require(FleetDocument(id: id, edition: edition, issued: 1, files: files).body)
    let payload = try #require(SignedEnvelope.sealed(body, for: topic.text, by: key ?? self.key))
    return BrokerMessage(topic.text, payload, isRetained: true)
  }

  @Test("Only what our key signed for this place and this id counts")
  func hostile() throws {
    var shelf = shelf
    let put = FleetTopic.documentPut(site, id: "cafe")
    let stranger = try #require(SigningKey())
    var moved = try signed(.documentPut(try Fleet.site("b"), id: "cafe"), edition: 5, Self.new)
    moved.topic = put.text
    for message in [
      try signed(put, edition: 5, Self.new, by: stranger), moved, try signed(put, edition: 5, Self.new, id: "bar"),
      BrokerMessage(put.text, [1, 2, 3]), try signed(put, edition: .max, Self.new), .removal(of: put.text),
    ] {
      #expect(shelf.receive(message) == nil)
    }
    #expect(shelf.current.isEmpty && shelf.refused == 5 && shelf.nextEdition(for: [site]) == 1_000)
  }

  @Test("An edition is larger than any that a site was given, and no smaller than the time")
  func editions() throws {
    var shelf = shelf
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 5_000, Self.new))
    // An old one that is shown again.
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 4_000, Self.old))
    #expect(shelf.current[site]?.edition == 5_000 && shelf.nextEdition(for: [site]) == 5_001)
    #expect(shelf.nextEdition(for: [try Fleet.site("b")]) == 1_000)
  }

  private func view(_ report: DocumentReport?) -> FleetView {
    Fleet.view(
      [Fleet.availability(site)] + (report.map { [Fleet.message(.documentReport(site, id: "cafe"), $0)] } ?? []))
  }

  private static let digest = FleetDocument(id: "cafe", edition: 1, issued: 0, files: new).digest

  @Test("The same document again is given to no site that shows it, and to one that refused it")
  func again() throws {
    var shelf = shelf
    shelf.receive(try signed(.documentPrevious(site, id: "cafe"), edition: 4, Self.old))
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 5, Self.new))
    let has = RolloutContents(
      .files(Self.new), to: [site], shelf, view(Fleet.report(site, edition: 5, digest: Self.digest)))
    #expect(has.have == [site] && has.files.isEmpty)
    let old = FleetDocument(id: "cafe", edition: 1, issued: 0, files: Self.old).digest
    let refused = RolloutContents(
      .files(Self.new), to: [site], shelf, view(Fleet.report(site, edition: 5, .refused, digest: old)))
    // What it goes back to is not the document itself, which stays out of `previous`.
    #expect(refused.files[site] == Self.new && refused.before[site]?.edition == 4 && refused.kept.isEmpty)
    let fresh = RolloutContents(.files(Self.old), to: [site], shelf, view(nil))
    #expect(fresh.kept[site]?.edition == 5 && fresh.before[site] == nil)
  }

  @Test("Where the broker has no copy of what a site shows, it is not known what the site goes back to")
  func forgotten() throws {
    let other = FleetDocument(id: "cafe", edition: 1, issued: 0, files: Self.old).digest
    let shown = view(Fleet.report(site, edition: 5, digest: other))
    #expect(RolloutContents(.files(Self.new), to: [site], shelf, shown).before == [:])
    var shelf = shelf
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 5, Self.old))
    #expect(RolloutContents(.files(Self.new), to: [site], shelf, shown).before[site]?.edition == 5)
  }

  @Test("A rollback gives what was there before, and keeps what is there now")
  func rollback() throws {
    var shelf = shelf
    let other = try Fleet.site("b")
    shelf.receive(try signed(.documentPrevious(site, id: "cafe"), edition: 4, Self.old))
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 5, Self.new))
    let contents = RolloutContents(.previous, to: [site, other], shelf, view(nil))
    #expect(contents.files == [site: Self.old] && contents.restores == [site: 4] && contents.without == [other])
    #expect(contents.kept[site]?.edition == 5)
    // Where there was nothing before, there is nothing to go back to.
    shelf.receive(try signed(.documentPrevious(site, id: "cafe"), edition: 6, []))
    #expect(RolloutContents(.previous, to: [site], shelf, view(nil)).without == [site])
  }

  @Test("A document is taken off where one was given, once")
  func removal() throws {
    var shelf = shelf
    #expect(RolloutContents(.removal, to: [site], shelf, view(nil)).without == [site])
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 5, Self.new))
    #expect(RolloutContents(.removal, to: [site], shelf, view(nil)).files == [site: []])
    shelf.receive(try signed(.documentPut(site, id: "cafe"), edition: 6, []))
    let gone = RolloutContents(.removal, to: [site], shelf, view(Fleet.report(site, edition: 6, .removed)))
    #expect(gone.have == [site] && gone.files.isEmpty)
  }
}
