import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ScalarTests {
  private func outcome(_ read: () throws -> some Any) -> String {
    do { return "\(try read())" } catch { return (error as? ScalarProblem)?.code.rawValue ?? "?" }
  }

  static let durations: [(String, String)] = [
    ("500ms", "0.5 seconds"), ("30s", "30.0 seconds"), ("1m30s", "90.0 seconds"), ("2h", "7200.0 seconds"),
    ("1d", "86400.0 seconds"), ("1.5s", "1.5 seconds"), ("2m5.5s", "125.5 seconds"), ("0s", "0.0 seconds"),
    ("366d", "31622400.0 seconds"), ("1d1h1m1s1ms", "90061.001 seconds"), ("0.001ms", "1e-06 seconds"),
    ("30", "T201"), ("1.5", "T201"), ("1:30", "T202"), ("1:02:03", "T202"), ("30sec", "T203"), ("30 s", "T203"),
    ("30s1m", "T203"), ("1s1s", "T203"), ("1.5m3s", "T203"), ("-5s", "T213"), ("+5s", "T213"), ("367d", "T213"),
    ("366d1s", "T213"), ("99999999999999999999s", "T213"), ("", "T203"), ("s", "T203"), ("1..5s", "T203"),
    ("１s", "T203"), (".5s", "T203"), ("1e3s", "T203"), (String(repeating: "9", count: 500) + "s", "T203"),
  ]
  @Test("Durations are numbers with units, largest first", arguments: durations)
  func duration(text: String, expected: String) { #expect(outcome { try DurationScalar.read(text) } == expected) }

  @Test(
    "Relative durations always have a sign",
    arguments: [
      ("+30s", "30.0 seconds"), ("-10s", "-10.0 seconds"), ("30s", "T201"), ("+30", "T201"), ("--3s", "T203"),
    ])
  func signed(text: String, expected: String) {
    #expect(outcome { try DurationScalar.read(text, signed: true) } == expected)
  }

  @Test("What a duration reads is what the plan spells")
  func spelledBack() throws {
    for text in ["500ms", "30s", "1m30s", "2h", "1d2h3m4.5s", "0s", "1.25s", "366d"] {
      #expect(try DurationScalar.read(text).spelled == text)
    }
  }

  static let numbers: [(String, String, String)] = [
    ("0", "0", "0.0"), ("42", "42", "42.0"), ("-3", "-3", "-3.0"), ("1.5", "T221", "1.5"), ("4.0", "T221", "4.0"),
    ("010", "T206", "T206"), ("-08", "T206", "T206"), ("0x1F", "T221", "T221"), ("1_000", "T221", "T221"),
    ("1e3", "T221", "T221"), (".5", "T221", "T221"), ("1.", "T221", "T221"), (".inf", "T221", "T221"),
    ("+1", "T221", "T221"), ("99999999999999999999", "T213", "1e+20"), ("", "T221", "T221"), ("٣", "T221", "T221"),
  ]
  @Test("Numbers are digits, and nothing that YAML versions read differently", arguments: numbers)
  func number(text: String, int: String, number: String) {
    #expect(outcome { try NumberScalar.int(text, in: .min ... .max) } == int)
    #expect(outcome { try NumberScalar.number(text, in: -.infinity ... .infinity) } == number)
  }

  static let percentages: [(String, String, String)] = [
    ("40%", "40.0", ""), ("12.5%", "12.5", ""), ("0%", "0.0", ""), ("40", "T207", "did you mean `40%`?"),
    ("0.4", "T207", "did you mean `40%`?"), ("140%", "T213", "from 0% to 100%"), ("-1%", "T213", "from 0% to 100%"),
    ("x%", "T207", ""), ("1.0", "T207", "did you mean `100%`?"),
  ]
  @Test("A percentage has its sign, and the message knows the number meant", arguments: percentages)
  func percent(text: String, expected: String, label: String) {
    do throws(ScalarProblem) {
      #expect("\(try NumberScalar.percent(text, in: 0...100, field: "volume"))" == expected)
    } catch {
      #expect(error.code.rawValue == expected)
      #expect(error.label == label)
    }
  }

  @Test(
    "true and false are the only truth values",
    arguments: [
      ("true", "true"), ("false", "false"), ("yes", "write `true`"), ("no", "write `false`"), ("on", "write `true`"),
      ("OFF", "write `false`"), ("True", "write `true`"), ("1", "write `true`"), ("maybe", ""),
    ])
  func bool(text: String, expected: String) {
    do throws(ScalarProblem) { #expect("\(try NumberScalar.bool(text))" == expected) } catch {
      #expect(error.code == .t204)
      #expect(error.label == expected)
    }
  }

  static let hints: [(String, String, String)] = [
    ("time", "7:00", "did you mean `07:00`?"), ("time", "7am", "did you mean `07:00`?"),
    ("time", "12am", "did you mean `00:00`?"), ("time", "12:30 pm", "did you mean `12:30`?"),
    ("time", "19.30", "did you mean `19:30`?"), ("time", "13pm", ""), ("time", "25:00", ""), ("time", "noon", ""),
    ("hours", "07:00 - 11:30", "did you mean `07:00-11:30`?"), ("hours", "7:00-11:30", "did you mean `07:00-11:30`?"),
    ("hours", "7-11", "did you mean `07:00-11:00`?"), ("hours", "9am-5pm", "did you mean `09:00-17:00`?"),
    ("hours", "07:00–11:30", "did you mean `07:00-11:30`?"), ("hours", "07:00 to 11:30", "did you mean `07:00-11:30`?"),
    ("hours", "24:00-01:00", "did you mean `00:00-01:00`?"), ("hours", "07:00", ""), ("hours", "07:00-11:00-12:00", ""),
    ("days", "monday", "did you mean `mon`?"), ("days", "1-5", "did you mean `mon-fri`?"),
    ("days", "Mon - Friday", "did you mean `mon-fri`?"), ("days", "weekday", "did you mean `weekdays`?"),
    ("days", "mon,tues", "did you mean `tue`?"), ("days", "7", "did you mean `sun`?"), ("days", "xyz", ""),
    ("date", "24/12/2026", "did you mean `2026-12-24`?"), ("date", "12/24/2026", "did you mean `2026-12-24`?"),
    ("date", "24.12.2026", "did you mean `2026-12-24`?"), ("date", "2026/12/24", "did you mean `2026-12-24`?"),
    ("date", "2026-1-5", "did you mean `2026-01-05`?"), ("date", "2026-02-30", "February 2026 has 28 days"),
    ("date", "2028-02-30", "February 2028 has 29 days"), ("date", "2026-11-31", "November 2026 has 30 days"),
    ("date", "2026-13-01", ""), ("timestamp", "2026-12-24", "no time and no offset"),
    ("timestamp", "2026-12-24T18:30:00", "no offset"), ("timestamp", "2026-12-24T18:30Z", "the time needs its seconds"),
    ("timestamp", "2026-12-24T18:30:00+1", "the offset is `+01:00`, `-05:00` or `Z`"),
    ("timestamp", "2026-12-24T18:30:00+24:00", "the offset is `+01:00`, `-05:00` or `Z`"),
    ("timestamp", "2026-02-30T18:30:00Z", "February 2026 has 28 days"),
  ]
  @Test("A time that is spelled otherwise is understood well enough to say how we spell it", arguments: hints)
  func hint(kind: String, text: String, label: String) {
    let problem = #expect(throws: ScalarProblem.self) {
      switch kind {
      case "time": _ = try TimeScalar.time(text)
      case "hours": _ = try TimeScalar.hours(text)
      case "days": _ = try TimeScalar.days(text)
      case "date": _ = try TimeScalar.date(text)
      default: _ = try TimeScalar.timestamp(text)
      }
    }
    #expect(problem?.code == .t214)
    #expect(problem?.label == label)
  }

  static let colors: [(String, String)] = [
    ("#ffFF00", "#FFFF00FF"), ("#FFFF0080", "#FFFF0080"), ("yellow", "#FFFF00FF"), ("black/75%", "#000000BF"),
    ("transparent", "#00000000"), ("#FFFF00/50%", "#FFFF0080"), ("#FFF", "T209"), ("#GG00FF", "T209"),
    ("#FFFF00FF/50%", "T209"), ("yelow", "T209"), ("black/75", "T209"), ("black/175%", "T209"), ("", "T209"),
    ("#", "T209"),
  ]
  @Test("Colors are RGB, RGBA or names, alpha last", arguments: colors)
  func color(text: String, expected: String) { #expect(outcome { try ColorScalar.read(text) } == expected) }

  static let names: [(String, String, String)] = [
    ("id", "big_yellow", "big_yellow"), ("id", "a-1", "a-1"), ("id", "1a", "T219"), ("id", "Big", "T219"),
    ("id", "", "T219"), ("id", String(repeating: "a", count: 65), "T219"), ("variable", "a-b", "T219"),
    ("lang", "no", "no"), ("lang", "pt-BR", "pt-BR"), ("lang", "zh-Hant-TW", "zh-Hant-TW"), ("lang", "english", "T222"),
    ("lang", "e", "T222"), ("lang", "en-", "T222"), ("mime", "video/mp4", "video/mp4"),
    ("mime", "application/x-mpegurl", "application/x-mpegurl"), ("mime", "mp4", "T222"), ("mime", "a/b/c", "T222"),
    ("urn", "urn:x-cast:com.example", "urn:x-cast:com.example"), ("urn", "x-cast", "T222"),
    ("zone", "Europe/Paris", "Europe/Paris"), ("zone", "UTC", "UTC"), ("zone", "Paris", "T218"),
    ("zone", "../etc/passwd", "T218"), ("cron", "30 2 * * mon-fri", "30 2 * * mon-fri"),
    ("cron", "*/15 6-22 * * *", "*/15 6-22 * * *"), ("cron", "60 2 * * *", "T217"), ("cron", "* * * *", "T217"),
    ("cron", "*/0 * * * *", "T217"), ("app", "10E45678", "10E45678"), ("app", "a b", "T222"),
  ]
  @Test("Names have a spelling of their own", arguments: names)
  func name(kind: String, text: String, expected: String) {
    let found = outcome {
      switch kind {
      case "id": try NameScalar.id(text)
      case "variable": try NameScalar.id(text, isVariable: true)
      case "lang": try NameScalar.language(text)
      case "mime": try NameScalar.mime(text)
      case "urn": try NameScalar.urn(text)
      case "zone": try NameScalar.timeZone(text)
      case "cron": try CronExpression(text).text
      default: try NameScalar.appID(text)
      }
    }
    #expect(found == expected)
  }

  static let hosts: [(String, HostAndPort?)] = [
    ("192.0.2.14", HostAndPort(host: "192.0.2.14")), ("192.0.2.14:8010", HostAndPort(host: "192.0.2.14", port: 8010)),
    ("tv.example.com", HostAndPort(host: "tv.example.com")), ("2001:db8::1", HostAndPort(host: "2001:db8::1")),
    ("[2001:db8::1]:9", HostAndPort(host: "2001:db8::1", port: 9)), ("[2001:db8::1]", HostAndPort(host: "2001:db8::1")),
    ("tv:", nil), ("tv:0", nil), ("tv:65536", nil), ("[::1", nil), (":8009", nil), ("a b", nil), ("", nil),
  ]
  @Test("An address has a port where it says one, and brackets where it is IPv6 with a port", arguments: hosts)
  func host(text: String, expected: HostAndPort?) { #expect((try? NameScalar.host(text)) == expected) }

  static let urls: [(String, String)] = [
    ("https://cdn.example.com/a.mp4", "https|cdn.example.com||/a.mp4"),
    ("http://[2001:db8::1]:8000/a?b#c", "http|2001:db8::1|8000|/a?b#c"), ("https://u:p@h", "https|h||"),
    ("file:assets/logo.png", "file|||assets/logo.png"), ("htps://x/a", "htps|x||/a"), ("https:///a", "T215"),
    ("https:/a", "T215"), ("a.mp4", "T215"), ("https://a b/c", "T215"), ("https://h:0/", "T215"),
    ("https://h:99999/", "T215"), ("file:/etc/passwd", "T215"), ("://x", "T215"), ("1a://x", "T215"), ("", "T215"),
    ("https://", "T215"), ("https://[::1/", "T215"),
  ]
  @Test("A URL is taken apart; only what is none is refused here", arguments: urls)
  func url(text: String, expected: String) {
    let found = outcome {
      let url = try URLScalar.read(text)
      return "\(url.scheme)|\(url.host)|\(url.port.map(String.init) ?? "")|\(url.path)"
    }
    #expect(found == expected)
  }

  @Test("The place of a problem is a part of the text")
  func ranges() throws {
    let problem = #expect(throws: ScalarProblem.self) { try DurationScalar.read("+1m30sec", signed: true) }
    #expect(problem?.range == 5..<8)
    let node = YAMLNode(
      .scalar(.init(text: "+1m30sec", style: .doubleQuoted)),
      span: SourceSpan(file: "x", line: 1, column: 4, endLine: 1, endColumn: 14))
    #expect(node.span(of: problem?.range) == SourceSpan(file: "x", line: 1, column: 10, endLine: 1, endColumn: 13))
    // With an escape inside, only the whole is sure.
    var escaped = node
    escaped.span.endColumn = 16
    #expect(escaped.span(of: 5..<8) == escaped.span)
  }
}
