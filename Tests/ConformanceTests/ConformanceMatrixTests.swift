import Foundation
import Testing

@testable import Conformance

/// The matrix in its formats.
@Suite struct ConformanceMatrixTests {
  private static let checks = ConformanceCheck.all.filter { ["receiver.status", "media.seek"].contains($0.id) }

  private static func matrix(name: String = "Lobby TV", reason: String = "s3 seek 25s: too late") -> ConformanceMatrix {
    var status = ConformanceResult("receiver.status", .passed)
    status.observed = [.init("volume step", "0.02")]
    var old = status
    old.observed = [.init("volume step", "0.05")]
    var now = ConformanceComparisonTests.device(
      status, ConformanceResult("media.seek", .failed, reason: reason), firmware: "2")
    now.name = name
    let before = ConformanceComparisonTests.device(old, ConformanceResult("media.seek", .passed))
    return ConformanceMatrix([.init(now, comparedWith: before)], checks: checks)
  }

  @Test("Markdown has the devices, what changed, a row for each check, what did not pass, and what was observed")
  func markdown() {
    #expect(
      Self.matrix().text(in: .markdown, by: "") == """
        # Cast conformance

        | device | model | firmware | address | checked | result |
        | --- | --- | --- | --- | --- | --- |
        | Lobby TV | Chromecast | 1.56 (build 2) | 192.0.2.14 | 2026-11-27T02:00:00.000Z | 1 passed, 1 failed |

        ## Lobby TV: 1 regressed, 1 changed

        Firmware 1.56 (build 1) → 1.56 (build 2). Compared with the result of 2026-11-27T02:00:00.000Z.

        | change | check | what | before | now |
        | --- | --- | --- | --- | --- |
        | changed | receiver.status | volume step | 0.05 | 0.02 |
        | regressed | media.seek | result | passed | failed |

        ## Checks

        | check | what has to be true | Chromecast, 1.56 (build 2) |
        | --- | --- | --- |
        | receiver.status | GET_STATUS is answered with the volume | passed |
        | media.seek | SEEK goes to a position and keeps playing | failed: s3 seek 25s: too late |

        ## What did not pass

        | device | check | result | why |
        | --- | --- | --- | --- |
        | Lobby TV | media.seek | failed | s3 seek 25s: too late |

        ## Observed

        | check | what | Lobby TV |
        | --- | --- | --- |
        | receiver.status | volume step | 0.02 |

        """)
  }

  @Test("Checks that were not run for the same reason are told in one row, and in each format by themselves")
  func notRun() {
    let device = ConformanceComparisonTests.device(
      ConformanceResult("receiver.status", .failed, reason: "late"),
      ConformanceResult("media.load", .notRun, reason: "interrupted"),
      ConformanceResult("media.seek", .notRun, reason: "interrupted"),
      ConformanceResult("media.stop", .notRun, reason: "interrupted"),
      ConformanceResult("queue.load", .notRun, reason: "the time is over"),
      ConformanceResult("queue.next", .failed, reason: "late"),
      ConformanceResult("queue.repeat", .failed, reason: "late"))
    let matrix = ConformanceMatrix([.init(device, comparedWith: nil)], checks: ConformanceCheck.all)
    let text = matrix.text(in: .markdown, by: "")
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| Lobby TV | ") && !$0.contains("192.0.2.14") }
    #expect(
      rows == [
        "| Lobby TV | receiver.status | failed | late |",
        "| Lobby TV | media.load and 2 more | not run | interrupted |",
        "| Lobby TV | queue.load | not run | the time is over |", "| Lobby TV | queue.next | failed | late |",
        "| Lobby TV | queue.repeat | failed | late |",
      ])
    #expect(matrix.text(in: .csv, by: "").components(separatedBy: ",interrupted\r\n").count == 4)
  }

  @Test("CSV has a row for each verdict and each observation")
  func csv() {
    let start = "Lobby TV,0a,Chromecast,1.56,2,2026-11-27T02:00:00.000Z"
    #expect(
      Self.matrix().text(in: .csv, by: "")
        == [
          "device,id,model,cast,firmware,time,check,statement,item,value,before,change,reason",
          "\(start),receiver.status,GET_STATUS is answered with the volume,result,passed,passed,,",
          "\(start),receiver.status,GET_STATUS is answered with the volume,volume step,0.02,0.05,changed,",
          "\(start),media.seek,SEEK goes to a position and keeps playing,result,failed,passed,regressed,s3 seek 25s: too late",
        ].map { $0 + "\r\n" }.joined())
  }

  @Test(
    "CSV tells the changes of the comparison and no others, also of what is not there now",
    arguments: [
      ConformanceResult.Verdict.passed, .failed, .error,
    ])
  func csvChanges(verdict: ConformanceResult.Verdict) {
    func result(_ verdict: ConformanceResult.Verdict, _ observed: (String, String)...) -> ConformanceResult {
      ConformanceResult("receiver.status", verdict, observed: observed.map { .init($0.0, $0.1) })
    }
    let before = ConformanceComparisonTests.device(
      result(.passed, ("volume step", "0.05"), ("volume control", "master")),
      ConformanceResult("media.levitate", .failed))
    let now = ConformanceComparisonTests.device(result(verdict, ("volume step", "0.02"), ("receiver status", "volume")))
    let matrix = ConformanceMatrix([.init(now, comparedWith: before)], checks: Self.checks)
    let rows = matrix.text(in: .csv, by: "").components(separatedBy: "\r\n").dropFirst().dropLast()
      .map { $0.components(separatedBy: ",") }
    let told = rows.filter { !$0[11].isEmpty }.map { [$0[6], $0[8], $0[11], $0[10], $0[9]] }
    let changes = matrix.columns[0].comparison?.changes ?? []
    #expect(changes.count == (verdict == .passed ? 4 : 2))
    #expect(
      Set(told)
        == Set(changes.map { [$0.check, $0.item ?? "result", $0.kind.rawValue, $0.before ?? "", $0.now ?? ""] }))
    #expect(told.count == changes.count)
  }

  static let fields: [(text: String, field: String)] = [
    ("plain", "plain"), ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""), ("+1", "'+1"), ("-1", "'-1"),
    ("@SUM", "'@SUM"), ("a,b", "\"a,b\""), ("a\nb", "a\\u{A}b"), ("\u{1B}[31m", "\\u{1B}[31m"), ("\t=1", "\\u{9}=1"),
    ("", ""),
  ]
  @Test("A field of CSV is text to a spreadsheet and to a terminal, whatever a device says", arguments: fields)
  func field(text: String, field: String) { #expect(CSVMatrix.field(text) == field) }

  static let cells: [(text: String, cell: String)] = [
    ("plain", "plain"), ("a|b", "a\\|b"), ("<img src=x>", "\\<img src=x\\>"),
    ("[a](javascript:x)", "\\[a\\](javascript:x)"),
    ("`rm`", "\\`rm\\`"), ("**b**", "\\*\\*b\\*\\*"), ("a\nb", "a\\\\u\\{A\\}b"), ("\u{202E}x", "\\\\u\\{202E\\}x"),
    ("LOAD_FAILED", "LOAD_FAILED"), ("_TV_", "\\_TV\\_"), ("a _b", "a \\_b"), ("a__b", "a\\_\\_b"),
    ("é_1", "é_1"), ("_", "\\_"), ("&lt;", "\\&lt;"),
  ]
  @Test("A cell of Markdown is text, whatever a device says", arguments: cells)
  func cell(text: String, cell: String) { #expect(MarkdownMatrix.cell(text) == cell) }

  @Test("A name of a device changes no table", arguments: ConformanceMatrix.Format.allCases)
  func hostile(format: ConformanceMatrix.Format) {
    let plain = Self.matrix().text(in: format, by: "")
    let hostile = Self.matrix(name: "=1\u{1B}]0;x\u{7}|\r\n| a |", reason: "\u{202E}\n\n# b").text(in: format, by: "")
    #expect(plain.split(whereSeparator: \.isNewline).count == hostile.split(whereSeparator: \.isNewline).count)
    #expect(!hostile.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E || $0.value == 7 })
  }
}
