import Signage
import Testing

@Suite struct PlayAccountTests {
  private static func play(_ item: String, shown: Double) -> LedgerRecord.Play {
    .init(
      item: item, content: "https://e.com/\(item)", rule: "program[0]", start: 0, end: 0, shown: shown,
      endReason: .duration)
  }

  @Test("Plays and gaps follow each other without holes, and say why nothing was on")
  func follows() {
    var account = PlayAccount(screen: "tv", from: 100, reason: .notFound)
    var records = account.rest(at: 103, .deviceOff)
    records += account.rest(at: 105, .deviceOff)
    records += account.begin(at: 110)
    records += account.play(Self.play("a", shown: 9.5), to: 120)
    records += account.begin(at: 120)
    records += account.play(Self.play("b", shown: 99), to: 130)
    records += account.rest(at: 131, .yielded, by: .init(app: "X", name: "Other"))
    records += account.end(at: 140)
    #expect(
      records.map(Self.words) == [
        "100.0 to 103.0 not_found", "103.0 to 110.0 device_off", "110.0 to 120.0 a 9.5", "120.0 to 130.0 b 10.0",
        "130.0 to 131.0 loading", "131.0 to 140.0 yielded",
      ])
  }

  @Test("A clock that is set back takes nothing back, and invents nothing")
  func setBack() {
    var account = PlayAccount(screen: "tv", from: 100, reason: .loading)
    var records = account.play(Self.play("a", shown: 10), to: 110)
    records += account.begin(at: 60)
    records += account.play(Self.play("b", shown: 10), to: 70)
    records += account.rest(at: 71, .quiet)
    records += account.end(at: 115)
    #expect(records.map(Self.words) == ["100.0 to 110.0 a 10.0", "110.0 to 110.0 b 0.0", "110.0 to 115.0 quiet"])
  }

  @Test("A clock that was wrong by more is put right at once: the account begins anew")
  func wrongClock() {
    var account = PlayAccount(screen: "tv", from: 100_000, reason: .loading)
    var records = account.begin(at: 500)
    records += account.play(Self.play("a", shown: 10), to: 510)
    #expect(records.map(Self.words) == ["500.0 to 510.0 a 10.0"])
  }

  @Test("Times are those that the ledger keeps, so that one record ends where the next begins")
  func milliseconds() {
    var account = PlayAccount(screen: "tv", from: 100.00049, reason: .loading)
    let first = account.play(Self.play("a", shown: 1), to: 101.00051)
    let second = account.play(Self.play("b", shown: 1), to: 102.1234567)
    #expect((first + second).map(Self.words) == ["100.0 to 101.001 a 1.0", "101.001 to 102.123 b 1.0"])
  }

  private static func words(_ record: LedgerRecord) -> String {
    switch record.kind {
    case .play(let play): "\(play.start) to \(play.end) \(play.item) \(play.shown)"
    case .gap(let gap): "\(gap.start) to \(gap.end) \(gap.reason.rawValue)"
    case .skip(let skip): "skip \(skip.item)"
    }
  }
}
