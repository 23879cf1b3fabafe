/// How a kind of scalar is spelled, for pages and editors (docs/language/values.md "Spellings").
package struct ScalarType: Sendable {
  package let name: String
  package let spelled: String
  package let refused: String

  private init(_ name: String, _ spelled: String, refused: String = "") {
    self.name = name
    self.spelled = spelled
    self.refused = refused
  }

  package static func named(_ name: String) -> ScalarType? { all.first { $0.name == name } }

  package static let all: [ScalarType] = [
    ScalarType("text", "any value, as written: `1917`, `no` and `1.10` stay text"),
    ScalarType("bool", "`true`, `false`", refused: "`yes no on off y n 1 0 True`"),
    ScalarType("int", "a whole number: `0`, `42`, `-3`", refused: "`010`, `0x1F`, `1_000`, `1e3`, `4.0`"),
    ScalarType("number", "`1.5`, `0.25`, `2`", refused: "`.5`, `1.`, `1e3`, `.inf`, `.nan`"),
    ScalarType("percent", "with its sign: `40%`, `12.5%`", refused: "`40`, `0.4`"),
    ScalarType(
      "duration",
      "numbers with units `ms s m h d`, largest first, each once, only the last with decimals; at most 366d: `500ms`, "
        + "`30s`, `1m30s`, `2h`, `1.5s`", refused: "`30`, `1:30`, `30 s`, `30sec`, `30s1m`"),
    ScalarType("signed duration", "a duration with its sign: `+30s`, `-10s`", refused: "`30s`"),
    ScalarType("position", "a duration from the beginning, `start` or `end`", refused: "`1:02:03`"),
    ScalarType("factor", "`1.1x`, or a number"),
    ScalarType("time", "a time of day: `07:00`, `23:59:30`, `24:00`", refused: "`7:00`, `7am`"),
    ScalarType(
      "hours", "a stretch of the day: `07:00-11:30`, across midnight `17:00-01:00`, `all-day`",
      refused: "`07:00 - 11:30`"),
    ScalarType(
      "days", "`mon-fri`, `sat,sun`, `fri-mon`, `daily`, `weekdays`, `weekends`", refused: "`monday`, `1-5`"),
    ScalarType("date", "`2026-12-24`", refused: "`24/12/2026`, `2026-02-30`"),
    ScalarType("dates", "`2026-12-24`, `2026-12-24..2026-12-26`, every year `12-24..12-26`", refused: "`24.12.`"),
    ScalarType(
      "timestamp", "date, time and offset: `2026-12-24T18:30:00+01:00`, `Z` for UTC", refused: "without an offset"),
    ScalarType(
      "url",
      "`https://host/path` or `http://host/path`, or `file:path` next to the document",
      refused: "other schemes, `localhost`, `127.*`, spaces, no host"),
    ScalarType(
      "color",
      "`\"#RRGGBB\"`, `\"#RRGGBBAA\"`, or a name (white black red green blue yellow cyan magenta gray "
        + "transparent), which may have an alpha: `black/75%`", refused: "`#FFF`, and `#…` without quotes"),
    ScalarType(
      "id", "small letters, digits, `_`, `-`, no digit first; variables without `-`; never from a variable",
      refused: "`Big Film`, `2nd`"),
    ScalarType("language", "a BCP 47 tag: `en`, `no`, `pt-BR`", refused: "`english`"),
    ScalarType("MIME type", "`video/mp4`, `application/x-mpegurl`", refused: "`mp4`"),
    ScalarType("namespace", "`urn:x-cast:com.example.app`"),
    ScalarType("time zone", "a name of the IANA list: `Europe/Paris`", refused: "`CET+1`, `Paris`"),
    ScalarType(
      "cron", "minute, hour, day of the month, month, day of the week: `\"*/15 6-22 * * *\"`",
      refused: "six fields, `@daily`"),
    ScalarType("regular expression", "searched for, not matched whole: `\"^S01E\\\\d+\"`"),
    ScalarType("app id", "letters and digits as the app was registered with: `CC1AD845`, `10E45678`"),
    ScalarType("address", "`192.0.2.14`, `tv.example.net:8009`, `[2001:db8::7]:8009`"),
    ScalarType("path", "relative to the document: `brand/fonts.yaml`"),
    ScalarType("status field", "a field of the device's status: `position`, `break.clip_time`"),
  ]
}
