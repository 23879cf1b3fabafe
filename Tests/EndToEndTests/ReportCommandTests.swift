import CastProtocol
import Foundation
import Testing

/// `report` makes the reports of a run again, from what it left behind.
@Suite(.serialized) struct ReportCommandTests {
  private static let document = """
    scenario: Wrong
    include: [lib/kit.yaml]
    device: TV
    steps:
      - load: film
        retry: 2
      - expect: { player: paused }
        within: 200ms
        because: it was asked for
      - log: never
    """
  private static let library = "library: Kit\nmedia: { film: { url: \"https://cdn.example.com/a.mp4\" } }\n"

  /// Runs a line of the shell, in which `$S` is our program.
  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    try FileManager.default.createDirectory(atPath: folder.path("lib"), withIntermediateDirectories: true)
    _ = try folder.write("wrong.yaml", Self.document)
    _ = try folder.write("lib/kit.yaml", Self.library)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  @Test("Each report made again is byte for byte what the run wrote, however the run is named")
  func equal() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual --wire wrong.yaml --report junit=a --report json=b --report console=c --report html=h >/dev/null 2>&1; echo $?
      rm wrong.yaml; id=$(ls .showcaller/runs)
      for name in latest $id .showcaller/runs/$id .showcaller/runs/$id/events.jsonl; do
        $S report $name --junit a2 --html h2 --json >b2 && $S report $name --console >c2 && cmp a a2 && cmp b b2 && cmp c c2 && cmp h h2 && echo same
        $S report $name >c3 && $S report $name --report json=b3 --report junit=- >a3 && cmp a a3 && cmp b b3 && cmp c c3
      done
      $S report - --junit a4 <.showcaller/runs/$id/events.jsonl && cmp a a4 && grep -c 'player: paused' c
      """, in: folder)
    #expect(finished.output == "1\nsame\nsame\nsame\nsame\n1\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.isEmpty, "\(finished.errors)")
  }

  @Test("The events of every example are written again as they were, and give the same reports")
  func examples() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      n=0
      for f in \(Showcaller.root.path)/examples/*.yaml; do
        $S simulate $f --no-secrets --report json=b --report junit=a --report console=c --report html=h >/dev/null 2>&1 || continue
        $S report b --json | cmp - b && $S report b --console | cmp - c && $S report b --junit - | cmp - a && $S report b --html - | cmp - h && n=$((n+1))
      done; echo $n
      """, in: folder)
    #expect(finished.errors.isEmpty, "\(finished.errors)")
    #expect((Int(finished.output.split(separator: "\n").last ?? "") ?? 0) >= 3, "\(finished.output)")
  }

  @Test("Of a damaged or unfinished stream there is what can be read, and its lines are named; 3 where nothing can be")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S simulate wrong.yaml --report json=b >/dev/null 2>&1
      head -c -20 b >cut; $S report cut --console >c; echo $?; tail -1 c; $S report cut --junit a --html h 2>/dev/null; grep -c not_finished a; grep -c '<b>the run did not finish</b>' h
      sed 3d b | sed '4s/.*/oops/' >hole; $S report hole >/dev/null; echo $?
      echo nothing >none; $S report none --junit never; echo $?; ls never
      """, in: folder)
    #expect(finished.output == "0\nthe run did not finish\n1\n1\n0\n3\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains(": it is cut off\n"), "\(finished.errors)")
    #expect(finished.errors.contains("warning: the run did not finish: "), "\(finished.errors)")
    #expect(finished.errors.contains("warning: line 3: events before it are missing\n"), "\(finished.errors)")
    #expect(finished.errors.contains("warning: line 4: it is no JSON\n"), "\(finished.errors)")
    #expect(finished.errors.contains("error: none has no events of a run\n"), "\(finished.errors)")
  }

  static let wrong = [
    ("latest", "there is no run in .showcaller/runs"),
    ("01JD6Y3ZT8Q4W9N2K5R7M1XGBC", "there is no run 01JD6Y3ZT8Q4W9N2K5R7M1XGBC"),
    ("b --report json=./b", "./b is what the reports are made from"),
    ("b --console --json", "only one report can go to standard output"),
    ("b --junit a --report json=a", "the same file"),
    ("''", "the name of the run is empty"), ("lib", "cannot read lib/events.jsonl"),
  ]

  @Test("What cannot be meant is refused with 2, and no file is touched", arguments: wrong)
  func refused(words: String, message: String) async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      "$S simulate wrong.yaml --report json=b >/dev/null 2>&1; cp b old; $S report \(words); echo $?; cmp b old; ls a",
      in: folder)
    #expect(finished.output == "2\n", "\(finished.output)")
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }
}
