import CastProtocol
import Foundation
import Testing

/// `replay` judges expectations on what a stored run recorded.
@Suite(.serialized) struct ReplayCommandTests {
  private static let document = """
    scenario: Wrong
    device: TV
    media: { film: { url: "https://cdn.example.com/a.mp4" } }
    matrix: { level: [10%, 20%] }
    steps:
      - load: film
      - volume: ${matrix.level}
      - expect: { volume: { level: { below: 15% } } }
        within: 200ms
    """

  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    _ = try folder.write("wrong.yaml", Self.document)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  @Test("Its own document comes to what the run came to, an edited one to what it says, in text and JSON")
  func edited() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q --seed 2 wrong.yaml 2>/dev/null; $S run export latest -o a.zip >/dev/null
      $S replay latest; echo $?
      sed 's/below: 15%/below: 25%/' wrong.yaml >edited.yaml
      $S replay a.zip --with edited.yaml; echo $?
      $S replay latest --with edited.yaml --json >json; echo $?
      sed 's/within: 200ms/within: 1m/' wrong.yaml >long.yaml; $S replay latest --with long.yaml | sed -n 3,5p; echo ${PIPESTATUS[0]}
      """, in: folder)
    let lines = finished.output.split(separator: "\n").map(String.init)
    let id = try #require(
      lines.first { $0.contains(" recorded: ") }?.split(separator: " ").first { $0.count == 26 }.map(String.init))
    #expect(
      lines == [
        "wrong [TV] level=10%", " s3     passed                expect volume",
        "wrong [TV] level=20%", " s3     FAILED                expect volume",
        "         volume.level: expected below 15%, observed 20% (wrong.yaml:8)",
        "2 expectations of wrong.yaml on what \(id) recorded: 1 passed, 1 failed; 0 changed", "1",
        "wrong [TV] level=10%", " s3     passed                expect volume",
        "wrong [TV] level=20%", " s3     FAILED -> passed      expect volume",
        "2 expectations of edited.yaml on what \(id) recorded: 2 passed, 0 failed; 1 changed", "0", "0",
        "wrong [TV] level=20%", " s3     FAILED -> undecided   expect volume",
        "         the run ended (long.yaml:8)", "5",
      ], "\(finished.output)\(finished.errors)")
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: folder.path("json")))))
    #expect(json["run"]?.string == id && json["with"] == "edited.yaml" && json["changed"] == 1 && json["exit"] == 0)
    let last = json["judged"]?.array?.last
    #expect(last?["before"] == "failed" && last?["now"] == "passed" && last?["row"] == ["level": "20%"])
    #expect(last?["step"] == "s3" && last?["line"] == 8 && last?["file"] == "edited.yaml" && last?["changed"] == true)
  }

  @Test("What cannot be replayed is told, with what to do")
  func problems() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run --virtual -q wrong.yaml 2>/dev/null
      printf 'scenario: Other\\ndevice: TV\\nsteps: [{ log: hi }]\\n' >other.yaml
      sed 's/\\[10%, 20%\\]/[10%]/' wrong.yaml >fewer.yaml; printf 'scenario: Bad\\n' >bad.yaml
      $S replay latest --with other.yaml; echo $?; $S replay latest --with fewer.yaml | grep -c 'row .*undecided'; echo ${PIPESTATUS[0]}
      $S replay latest --with bad.yaml 2>/dev/null; echo $?; $S replay nothing 2>/dev/null; echo $?
      $S replay - <.showcaller/runs/*/events.jsonl; echo $?
      """, in: folder)
    #expect(finished.output == "2\n1\n5\n3\n2\n2\n", "\(finished.output)\(finished.errors)")
    for text in [
      "error: no expectation of other.yaml can be judged on this run\n",
      "error: standard input has events only\n",
    ] { #expect(finished.errors.contains(text), "\(finished.errors)") }
  }
}
