import CastProtocol
import Foundation
import Testing

/// `run export` puts a run into one file, `report merge` makes one report of several.
@Suite(.serialized) struct ExportCommandTests {
  private static let good = """
    scenario: Good
    device: TV
    steps: [{ log: well }]
    """
  private static let rows = """
    scenario: Rows
    include: [lib/kit.yaml]
    device: TV
    matrix: { level: [10%, 20%] }
    steps:
      - volume: ${matrix.level}
      - expect: { volume: { level: 10% } }
        within: 200ms
    """

  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    try FileManager.default.createDirectory(atPath: folder.path("lib"), withIntermediateDirectories: true)
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write("rows.yaml", Self.rows)
    _ = try folder.write("lib/kit.yaml", "library: Kit\n")
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  @Test("An archive has all of a run, gives the same reports byte for byte, and is the same when it is made again")
  func export() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q rows.yaml --report junit=a --report html=h --report ctrf=c --report markdown=m 2>/dev/null; echo $?
      id=$(ls .showcaller/runs); name=$($S run export latest); [ "$name" = showcaller-run-$id.zip ] && echo named
      $S run export $id -o again.zip >/dev/null; cmp $name again.zip && $S export .showcaller/runs/$id -o - | cmp - $name && echo same
      chmod -R u+w .showcaller; rm -r .showcaller rows.yaml lib
      $S report again.zip --junit a2 --html h2 --report ctrf=c2 --report markdown=m2 && cmp a a2 && cmp h h2 && cmp c c2 && cmp m m2 && echo equal
      """, in: folder)
    #expect(finished.output == "1\nnamed\nsame\nequal\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.isEmpty, "\(finished.errors)")
    let archive = try Data(contentsOf: URL(filePath: folder.path("again.zip")))
    for name in [
      "manifest.json", "events.jsonl", "plan.json", "runnable.json", "sources/rows.yaml", "sources/1-kit.yaml",
      "report.html", "reports/junit.xml", "reports/ctrf.json", "reports/report.md",
    ] { #expect(archive.range(of: Data(name.utf8)) != nil, "\(name)") }
    // Files are stored as they are.
    for name in ["a", "h", "c", "m"] {
      #expect(archive.range(of: try Data(contentsOf: URL(filePath: folder.path(name)))) != nil, "\(name)")
    }
  }

  @Test("What did not pass in an archive is run again, on another computer, and nothing else")
  func lastFailed() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q good.yaml rows.yaml 2>/dev/null
      for id in $(ls .showcaller/runs); do $S run export $id -o $id.zip >/dev/null; done; rm -r .showcaller
      $S run --virtual --last-failed *.zip --report json=events 2>told; echo $?
      grep -c scenario.started events; grep -o '"row":{[^}]*}' events; grep '^note' told
      $S run --virtual --last-failed $(ls *.zip | head -1) 2>&1; echo $?
      $S run $(ls *.zip | head -1) >/dev/null 2>&1; echo $?
      """, in: folder)
    let lines = finished.output.split(separator: "\n")
    #expect(lines.prefix(3) == ["1", "1", #""row":{"level":"20%"}"#], "\(finished.output)\(finished.errors)")
    #expect(
      lines.dropFirst(3).first == "note: 1 of 2 documents did not pass in the last run: rows.yaml", "\(finished.output)"
    )
    #expect(lines.suffix(3).first == "nothing to run again: in the last run good.yaml passed", "\(finished.output)")
    #expect(lines.suffix(2) == ["0", "2"], "\(finished.output)")
  }

  @Test("An archive is no document for any command, and no text for a terminal")
  func noDocument() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q good.yaml 2>/dev/null; $S run export latest -o a.zip >/dev/null
      for c in check fmt plan simulate run; do $S $c a.zip > out 2> told; echo $c $? $(grep -c . out) $(cat told); done
      script -qec "$S run export latest -o -" /dev/null | tr -d '\r'
      """, in: folder)
    let lines = finished.output.split(separator: "\n")
    for (line, command) in zip(lines, ["check", "fmt", "plan", "simulate", "run"]) {
      #expect(line.hasPrefix("\(command) 2 "), "\(line)")
      #expect(
        line.contains("a.zip is an archive of a run, no document help: `showcaller report a.zip` tells"), "\(line)")
    }
    #expect(finished.output.contains("error: an archive is no text for a terminal"), "\(finished.output)")
  }

  @Test("Runs and archives give one report; of several runs of one document the worst counts")
  func merge() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q rows.yaml --row level=10% 2>/dev/null; $S run --virtual -q rows.yaml --row level=20% 2>/dev/null
      $S run --virtual -q good.yaml 2>/dev/null
      set -- $(ls .showcaller/runs); $S run export $2 -o two.zip >/dev/null; cp .showcaller/runs/$3/events.jsonl three
      $S report merge $1 two.zip three --report junit=j --report json=e --report html=h --report tap=t; echo $?
      head -2 j | tail -1 | grep -o 'tests="[0-9]*" failures="[0-9]*"'; grep -c '<testsuite ' j; grep -c run.started e
      $S report merge $1 two.zip three | tail -1
      $S report merge $1 $1 2>&1 >/dev/null | head -1 | grep -c 'are the same run'
      $S report merge $1 three --report junit=rows.yaml 2>&1; echo $?; $S report merge 2>/dev/null; echo $?
      """, in: folder)
    let lines = finished.output.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(4) == ["0", #"tests="5" failures="1""#, "3", "3"], "\(finished.output)\(finished.errors)")
    #expect(lines.dropFirst(4).first?.hasPrefix("FAILED 1 of 2 documents: rows.yaml in ") == true, "\(finished.output)")
    #expect(lines.dropFirst(5).first == "1")
    #expect(lines.dropFirst(6).first == "error: a report would overwrite rows.yaml", "\(finished.output)")
    #expect(lines.suffix(2) == ["2", "2"], "\(finished.output)")
  }

  @Test("Nothing that is not the run's gets into an archive, and no other file is replaced by one")
  func foreign() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      mkdir sources; echo KEY=canary >sources/.env; $S run --virtual -q good.yaml --report json=events.jsonl 2>/dev/null
      $S run export events.jsonl -o e.zip; echo $?; ls e.zip 2>/dev/null
      id=$(ls .showcaller/runs); echo KEY=canary >.showcaller/runs/$id/sources/.env
      $S run export $id -o e.zip; grep -c canary e.zip
      printf 'PK\\003\\004 a document of another program' >thesis.docx; $S run export $id -o thesis.docx; echo $?
      """, in: folder)
    #expect(finished.output == "2\ne.zip\n0\n2\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains("error: . is no folder of a run\n"), "\(finished.errors)")
  }

  @Test("A damaged file of an archive is told, whichever it is; what two archives have of one document is run again")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q rows.yaml --row level=20% 2>/dev/null; id=$(ls .showcaller/runs); $S run export $id -o a.zip >/dev/null
      sed 's/scenario: Rows/scenario: Sows/' a.zip >d.zip; $S report d.zip >/dev/null; echo $?
      rm .showcaller/runs/$id/runnable.json; sed -i '/run.finished/d' .showcaller/runs/$id/events.jsonl; $S run export $id -o b.zip >/dev/null
      for order in 'a.zip b.zip' 'b.zip a.zip'; do
        $S run --virtual -q --last-failed $order --report json=events 2>/dev/null; grep -c scenario.started events
      done
      """, in: folder)
    #expect(finished.output == "3\n2\n2\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains("is damaged: its checksum is wrong"), "\(finished.errors)")
  }

  @Test("What cannot be exported or read is told, with what to do")
  func problems() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q good.yaml 2>/dev/null; $S run export latest -o a.zip >/dev/null
      $S run export latest -o good.yaml; echo $?; $S run export a.zip; echo $?; $S run export - </dev/null; echo $?
      head -c 500 a.zip >cut.zip; $S report cut.zip; echo $?; $S run export latest -o nowhere/a.zip; echo $?
      $S run export --help | grep -c 'showcaller run export <run>'; $S help report merge | grep -c 'showcaller report merge <run>'
      """, in: folder)
    #expect(finished.output == "2\n2\n2\n3\n8\n1\n1\n", "\(finished.output)\(finished.errors)")
    for text in [
      "error: good.yaml is there already, and is no archive of a run\nhelp: name another file with --output\n",
      "error: a.zip is an archive already\n", "error: standard input has events only\n",
      "error: cannot read cut.zip: it is no ZIP archive, or its end is missing\n",
      "error: cannot write nowhere/a.zip: No such file or directory\n",
    ] { #expect(finished.errors.contains(text), "\(finished.errors)") }
  }
}
