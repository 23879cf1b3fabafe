import CastProtocol
import Testing

@testable import Signage

@Suite struct UnseenTests {
  static let statuses: [(isStandBy: Bool?, isActiveInput: Bool?, unseen: [LedgerRecord.Evidence.Unseen])] = [
    (nil, nil, [.panel, .overlay]), (false, nil, [.panel, .overlay]), (nil, true, [.panel, .overlay]),
    (true, true, [.panel, .overlay]), (false, false, [.panel, .overlay]), (false, true, [.overlay]),
  ]

  @Test(
    "Only a receiver that says that its television is on and shows it proves the panel; none proves more",
    arguments: statuses)
  func panel(isStandBy: Bool?, isActiveInput: Bool?, unseen: [LedgerRecord.Evidence.Unseen]) {
    var status = ReceiverStatus()
    (status.isStandBy, status.isActiveInput) = (isStandBy, isActiveInput)
    #expect([LedgerRecord.Evidence.Unseen](of: status) == unseen)
  }

  @Test("What is not known of a receiver proves nothing")
  func unknown() { #expect([LedgerRecord.Evidence.Unseen](of: nil) == [.panel, .overlay]) }

  @Test("A play carries the ids of its screen and its item, of one name those of the item")
  func ids() throws {
    let lines = """
      inventory: { tv: { name: TV, ids: { campaign: C-1, screen: S-7 } } }
      devices: [tv]
      program: [{ play: [{ media: a, ids: { campaign: C-9, creative: E-1 } }, b] }]
      """
    let serving = try Serving(lines, for: .seconds(30))
    let ids = serving.plays.prefix(2).map { $0.ids.map { JSONValue.object($0).serialized() } }
    #expect(
      ids == [
        #"{"campaign":"C-9","creative":"E-1","screen":"S-7"}"#, #"{"campaign":"C-1","screen":"S-7"}"#,
      ])
    var told: [JSONObject?] = []
    PlaylistForecast(try Serving.program(lines)).run(from: 0, to: 20) { record in
      if case .play(let play) = record.kind { told.append(play.ids) }
    }
    #expect(told.map { $0.map { JSONValue.object($0).serialized() } } == ids)
    #expect(serving.plays.allSatisfy { $0.evidence.unseen.contains(.overlay) })
  }
}
