import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// Pictures of receiver pages on the page about a run (docs/runs.md "HTML").
@Suite struct PictureTests {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A file that begins as a picture does.
  private static func picture(_ count: Int, _ fill: UInt8 = 7) -> [UInt8] {
    signature + [UInt8](repeating: fill, count: max(0, count - signature.count))
  }

  /// The page of a run with a failed step for each picture.
  /// - Parameters:
  ///   - ignored: Steps whose failure does not count.
  ///   - isBesideFiles: Whether the page is at the top of an archive of the run.
  private static func page(
    _ count: Int, ignored: Set<Int> = [], isBesideFiles: Bool = false,
    read: @escaping @Sendable (String, Int) -> [UInt8]?
  ) throws -> String {
    let steps = (1...count).flatMap { number in
      [
        RunScene.step(Double(number), "s\(number)", "expect", "expect player", line: 3),
        #"\#(number).2 screenshot s\#(number) {"receiver":"tv","path":"screenshots/s\#(number).png"}"#,
        #"\#(number).3 step.finished s\#(number) {"result":"failed","attempts":1,"duration":0.3"#
          + (ignored.contains(number) ? #","ignored":true}"# : "}"),
      ]
    }
    let written = WrittenText()
    var sources = ReportSources(picture: read)
    sources.isBesideFiles = isBesideFiles
    let report = ReportKind.html.make(sources) { written.write($0) }
    for event in try RunScene.events(Array(RunScene.flow.prefix(4)) + steps) { report.record(event) }
    report.endOfStream()
    try PageRules.check(written.text)
    return written.text
  }

  private static func isShown(_ number: Int, on page: String) -> Bool {
    page.contains("alt=\"the receiver page as s\(number) failed\">")
  }

  @Test("A picture is part of the page, byte for byte, with the file that it is")
  func embedded() throws {
    let bytes = Self.picture(10)
    let page = try Self.page(1) { path, _ in path == "screenshots/s1.png" ? bytes : nil }
    #expect(
      page.contains(
        "<img src=\"data:image/png;base64,\(Base64.encoded(bytes))\" alt=\"the receiver page as s1 failed\">"))
    #expect(
      page.contains("the file is <code>screenshots/s1.png</code> in the run's folder") && !page.contains("<a href"))
    #expect(page.contains("img-src data:;"))
  }

  @Test(
    "A picture is a link on the page of an archive, which lies beside the files, and on no other",
    arguments: [true, false])
  func links(isShown: Bool) throws {
    let read: @Sendable (String, Int) -> [UInt8]? = { _, _ in isShown ? Self.picture(10) : nil }
    let link = "<a href=\"screenshots/s1.png\"><code>screenshots/s1.png</code></a> in the run's folder"
    #expect(try Self.page(1, isBesideFiles: true, read: read).contains(link))
    #expect(try !Self.page(1, read: read).contains("href=\"screenshots"))
  }

  @Test("A page with pictures says that nothing was taken out of them; one that only names them does not")
  func warning() throws {
    let warning = "Pictures show receiver pages as they looked: no secret was taken out of them."
    #expect(try Self.page(1) { _, _ in Self.picture(10) }.contains(warning))
    #expect(try !Self.page(1) { _, _ in nil }.contains(warning))
  }

  @Test("The id of a step is text beside its picture, and no markup", arguments: [true, false])
  func hostile(isShown: Bool) throws {
    let id = #"s<b>"onload='x'"#
    let lines = [
      RunScene.step(1, id, "expect", "expect player", line: 3),
      #"1.2 screenshot \#(id) {"receiver":"tv","path":"screenshots/s1.png"}"#,
      #"1.3 step.finished \#(id) {"result":"failed","attempts":1,"duration":0.3}"#,
    ]
    let written = WrittenText()
    let report = ReportKind.html.make(ReportSources { _, _ in isShown ? Self.picture(10) : nil }) { written.write($0) }
    for event in try RunScene.events(Array(RunScene.flow.prefix(4)) + lines) { report.record(event) }
    report.endOfStream()
    try PageRules.check(written.text)
    #expect(written.text.contains("the receiver page as s&lt;b&gt;&quot;onload=&#39;x&#39; failed"))
    #expect(!written.text.contains("s<b>"))
  }

  @Test("A page over its budget shows the smallest pictures and names the others; it is never longer than 2 MB")
  func budget() throws {
    let sizes = [300_000, 1_300_000, 900_000, 200_000]
    let page = try Self.page(4) { path, _ in
      path.dropFirst("screenshots/s".count).first?.wholeNumberValue.map { Self.picture(sizes[$0 - 1]) }
    }
    #expect((1...4).map { Self.isShown($0, on: page) } == [true, false, true, true])
    #expect(
      page.contains(
        "the receiver page as s2 failed: <code>screenshots/s2.png</code> in the run's folder; there is no room for it on "
          + "this page."))
    #expect(page.utf8.count < 2_000_000, "\(page.utf8.count)")
  }

  @Test("The picture of a failure that counts comes before a smaller one of a failure that is ignored")
  func useful() throws {
    let page = try Self.page(2, ignored: [1]) { path, _ in Self.picture(path.contains("s1") ? 800_000 : 900_000) }
    #expect(!Self.isShown(1, on: page) && Self.isShown(2, on: page))
    let both = try Self.page(2, ignored: [1]) { _, _ in Self.picture(500_000) }
    #expect(Self.isShown(1, on: both) && Self.isShown(2, on: both))
  }

  @Test(
    "What is no picture, or is not there or larger than a page, is named",
    arguments: [[0x47, 0x49], nil] as [[UInt8]?])
  func unreadable(bytes: [UInt8]?) throws {
    let page = try Self.page(1) { _, limit in limit <= 1_500_000 ? bytes : Self.picture(limit) }
    #expect(!page.contains("<img"))
    #expect(page.contains("in the run's folder; it was not there, or is no picture, or larger than a page may be."))
  }

  @Test("Of very many pictures a hundred are read")
  func bounded() throws {
    let read = WrittenText()
    let page = try Self.page(150) { _, _ in
      read.write("x")
      return Self.picture(100)
    }
    #expect(read.text.count == 100 && page.ranges(of: "<img ").count == 100)
    #expect(page.ranges(of: "there is no room for it on this page").count == 50)
  }

  @Test("Errors that a receiver page tells of no step are told with the step that runs, as in other reports")
  func pageErrors() throws {
    let lines =
      RunScene.flow.prefix(5) + [
        #"1.5 page @ {"receiver":"Living Room TV","kind":"exception","level":"error","text":"boom"}"#,
        #"1.8 step.finished s1 {"result":"error","reason":"no","attempts":1,"duration":0.8}"#,
      ]
    for kind in [ReportKind.html, .junit] {
      #expect(ReportText.text(kind, try RunScene.events(Array(lines))).contains("exception: boom"), "\(kind.name)")
    }
    let page = ReportText.text(.html, try RunScene.events(Array(lines)))
    #expect(page.contains("<summary>errors of the receiver page</summary><ul><li>exception: boom</li></ul>"))
  }
}
