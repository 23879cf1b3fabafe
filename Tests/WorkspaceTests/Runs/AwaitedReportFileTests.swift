import CastProtocol
import Dispatch
import Glibc
import RunReporting
import Testing

@testable import Workspace

/// Reports that are made again, which wait for whoever reads them.
@Suite struct AwaitedReportFileTests {
  @Test("What is written is there when the call returns, in place of what was there before")
  func written() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("out", "of an earlier report")
    let file = try AwaitedReportFile(path, in: .living(in: folder))
    #expect(folder.text("out") == "")
    file.write("one\n")
    #expect(folder.text("out") == "one\n")
    file.write("two\n")
    #expect(file.close(until: .distantFuture) == nil && folder.text("out") == "one\ntwo\n")
  }

  @Test("One that cannot be opened is told of at once")
  func unopened() throws {
    let folder = try TemporaryFolder()
    for (path, reason) in [(folder.path("no/out"), "No such file or directory"), (folder.path, "Is a directory")] {
      #expect(throws: WorkspaceError(.notWritten, "cannot write \(path): \(reason)")) {
        try AwaitedReportFile(path, in: .living(in: folder))
      }
    }
  }

  @Test("After the first write that failed nothing more is tried, and the reason is told at the end")
  func full() throws {
    let folder = try TemporaryFolder()
    let file = try AwaitedReportFile("/dev/full", in: .living(in: folder))
    for _ in 1...3 { file.write("text\n") }
    #expect(file.close(until: .distantFuture) == "cannot write /dev/full: No space left on device")
  }

  @Test("Standard output that fails is not told of here, and gets nothing more")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let written = Written()
    var surroundings = Surroundings.living(in: folder)
    surroundings.writeOutput = { text throws(FileError) in
      written.add(text)
      if text == "bad\n" { throw .system(EPIPE) }
    }
    let file = try AwaitedReportFile("-", in: surroundings)
    for text in ["one\n", "bad\n", "two\n"] { file.write(text) }
    #expect(file.close(until: .distantFuture) == nil && written.text == "one\nbad\n")
  }

  @Test("A pipe is written to the end, however much its reader takes at a time")
  func pipe() async throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    let path = folder.path("pipe")
    // Opened first and without waiting, so that the writer finds a reader.
    let reader = try Files.open(path, O_RDONLY)
    let text = String(repeating: "0123456789\n", count: 20_000)
    let surroundings = Surroundings.living(in: folder)
    async let failure = withCheckedContinuation { (done: CheckedContinuation<String?, Never>) in
      DispatchQueue.global().async {
        guard let file = try? AwaitedReportFile(path, in: surroundings) else {
          return done.resume(returning: "it cannot be opened")
        }
        file.write(text)
        done.resume(returning: file.close(until: .distantFuture))
      }
    }
    var read: [UInt8] = []
    // The end comes only after the writer has opened the pipe.
    while read.count < text.utf8.count {
      read += try Descriptor.read(reader.descriptor, atMost: text.utf8.count - read.count)
    }
    #expect(await failure == nil)
    #expect(read == Array(text.utf8))
  }

  @Test("A report that is one document replaces a file, and is written through a pipe or to standard output")
  func whole() throws {
    let folder = try TemporaryFolder()
    let written = Written()
    var surroundings = Surroundings.living(in: folder)
    surroundings.writeOutput = { text throws(FileError) in written.add(text) }
    try folder.write("old.xml", "of another run")
    let reader = try Files.open(folder.path("old.xml"), O_RDONLY)
    for path in [folder.path("old.xml"), "-"] {
      let report = try RemadeReport(ReportTarget(.junit, path), sources: [:], in: surroundings)
      var started = EventKind.RunStarted()
      started.run = "01"
      report.record(Event(number: 1, wallTime: 0, elapsed: 0, kind: .runStarted(started)))
      report.record(Event(number: 2, wallTime: 0, elapsed: 1, kind: .runFinished(.init())))
      #expect(report.finish() == nil)
    }
    #expect(folder.text("old.xml")?.contains("<testsuites") == true && folder.text("old.xml") == written.text)
    #expect(try reader.contents(limit: 99) == Array("of another run".utf8), "who reads the old one reads all of it")
  }

  static let empty: [(kind: ReportKind, isEmpty: Bool, told: String)] = [
    (.json, true, ""), (.console, false, "the run did not finish\n"),
    (.junit, false, #"<error message="the run did not finish" type="not_finished">"#),
    (.html, false, "<b>the run did not finish</b>"), (.tap, false, #"message: "the run did not finish""#),
    (.ctrf, false, #""message":"the run did not finish""#), (.github, false, "::the run did not finish%0A"),
    (.markdown, false, ": the run did not finish"), (.trace, false, #""name":"the run did not finish""#),
    (.otlp, false, #""message":"the run did not finish""#),
  ]

  @Test(
    "Of a run without events there are no lines, and what tells of its end says that it did not finish",
    arguments: empty)
  func nothing(kind: ReportKind, isEmpty: Bool, told: String) throws {
    let folder = try TemporaryFolder()
    let report = try RemadeReport(ReportTarget(kind, folder.path("out")), sources: [:], in: .living(in: folder))
    #expect(report.finish() == nil)
    let text = try #require(folder.text("out"))
    #expect(isEmpty ? text.isEmpty : text.contains(told), "\(text)")
  }

  @Test("A report that cannot be opened is told of before it is made", arguments: ReportKind.all)
  func refused(kind: ReportKind) throws {
    let folder = try TemporaryFolder()
    #expect(throws: WorkspaceError.self) {
      try RemadeReport(ReportTarget(kind, folder.path("no/out")), sources: [:], in: .living(in: folder))
    }
  }
}
