import CastProtocol
import Testing

@testable import Signage

@Suite struct LedgerExportTests {
  private static func read(_ records: [LedgerRecord]) throws -> [LedgerLine] {
    Ledgers.read([Array(try Ledgers.lines(records).joined().utf8)]).lines
  }

  @Test("A play is a row of the table; ids fill the columns of services, what needs quotes has them")
  func table() throws {
    let ids: JSONObject = ["campaign": "C-7", "creative": 12, "site": "Café, \"Paris\""]
    let lines = try Self.read([
      Ledgers.play("a", 0, 10.25, shown: 9.5, ids: ids), Ledgers.gap(.quiet, 10.25, 20), Ledgers.play("b", 20, 30),
    ])
    let rows = lines.compactMap(LedgerTable.row)
    #expect(
      LedgerTable.head
        == "device_id,site_id,screen_id,creative_id,campaign_id,started_at,duration_s,play_mode,app_version,hash,n,item,"
        + "content,rule,ended_at,planned_s,end_reason,ids\r\n")
    #expect(
      rows == [
        #"window-tv,"Café, ""Paris""",window-tv,12,C-7,2026-11-22T23:00:00.000Z,9.5,program,,"#
          + #"\#(lines[0].link.hash),1,a,https://e.com/a.jpg,program[0] any_time,2026-11-22T23:00:10.250Z,10.25,duration,"#
          + #""{""campaign"":""C-7"",""creative"":12,""site"":""Café, \""Paris\""""}""# + "\r\n",
        "window-tv,,window-tv,b,,2026-11-22T23:00:20.000Z,10,program,,\(lines[2].link.hash),3,b,https://e.com/b.jpg,"
          + "program[0] any_time,2026-11-22T23:00:30.000Z,10,duration,\r\n",
      ])
  }

  @Test("A play log has the plays of one screen that were shown")
  func playlog() throws {
    let lines = try Self.read([
      Ledgers.play("a<&>", 0, 10), Ledgers.play("b", 10, 20, shown: 0), Ledgers.play("c", 10, 20, screen: "bar"),
      Ledgers.play("d\u{1}", 20, 30, ids: ["creative": "E-1"]), Ledgers.gap(.quiet, 30, 40, screen: "door"),
    ])
    var log = Playlog()
    for line in lines { log.look(at: line) }
    #expect(log.screens == ["window-tv", "bar"])
    let text = log.head(of: "window-tv") + lines.compactMap { log.element($0, of: "window-tv") }.joined() + Playlog.tail
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <report>
          <date>2026-11-22T23:00:30.000Z</date>
          <version>1.0</version>
          <player id="window-tv">
            <contentPlayLog>
              <contentPlayed>
                <contentId>a&lt;&amp;&gt;</contentId>
                <startTime>2026-11-22T23:00:00.000Z</startTime>
                <endTime>2026-11-22T23:00:10.000Z</endTime>
              </contentPlayed>
              <contentPlayed>
                <contentId>E-1</contentId>
                <startTime>2026-11-22T23:00:20.000Z</startTime>
                <endTime>2026-11-22T23:00:30.000Z</endTime>
              </contentPlayed>
            </contentPlayLog>
          </player>
        </report>

        """)
  }
}
