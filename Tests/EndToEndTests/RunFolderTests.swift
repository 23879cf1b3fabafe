import Foundation
import Testing

/// Folders of runs do not pile up for ever.
@Suite(.serialized) struct RunFolderTests {
  private static let good = "scenario: Good\ndevice: TV\nsteps: [{ expect: { app: none } }]\n"

  /// Runs a line of the shell, in which `$S` is our program.
  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write(
      "failing.yaml", Self.good.replacing("{ app: none }", with: "{ player: playing }, within: 100ms"))
    _ = try folder.write("long.yaml", Self.good.replacing("steps: [", with: "steps: [{ log: begun }, { wait: 5m }, "))
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try RunFolder.ids(in: folder.path("r"))
  }

  @Test("The newest runs are kept; what is no run's folder is not touched")
  func newest() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      mkdir -p r/notes r/01ARZ3NDEKTSV4RRFFQ69G5FAVX r/01arz3ndektsv4rrffq69g5fav elsewhere/kept
      ln -s ../elsewhere r/01ARZ3NDEKTSV4RRFFQ69G5FA1; touch r/01ARZ3NDEKTSV4RRFFQ69G5FA2 r/file
      for n in 1 2 3 4; do $S run -q --virtual --runs r --keep 2 good.yaml; echo $? >>codes; done; cat codes
      """, in: folder)
    #expect(finished.output == "0\n0\n0\n0\n", "\(finished.errors)")
    let others = [
      "01ARZ3NDEKTSV4RRFFQ69G5FA1", "01ARZ3NDEKTSV4RRFFQ69G5FA2", "01ARZ3NDEKTSV4RRFFQ69G5FAVX",
      "01arz3ndektsv4rrffq69g5fav", "file", "notes",
    ]
    let names = try names(in: folder)
    #expect(Set(names).isSuperset(of: others) && names.count == others.count + 2, "\(names)")
    #expect(FileManager.default.fileExists(atPath: folder.path("elsewhere/kept")))
    #expect(finished.errors.contains("r/\(names.filter { !others.contains($0) }.last ?? "")/events.jsonl"))
  }

  @Test("A hundred are kept where nothing is said")
  func hundred() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      for n in $(seq 100 205); do mkdir -p r/01ARZ3NDEKTSV4RRFFQ69G5$n/sources; echo '{}' >r/01ARZ3NDEKTSV4RRFFQ69G5$n/events.jsonl; done
      $S run -q --virtual --runs r good.yaml; ls r | wc -l; ls r | head -1
      """, in: folder)
    #expect(finished.output == "100\n01ARZ3NDEKTSV4RRFFQ69G5107\n", "\(finished.output)\(finished.errors)")
  }

  @Test("One that still runs is kept, and with --keep-failed all that did not pass")
  func wanted() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      exec 8< <($S run --virtual --runs r --keep 1 long.yaml 2>&1 & echo $! >process; wait)
      grep -m1 -q begun <&8; running=$(ls r)
      $S run -q --virtual --runs r --keep 1 failing.yaml; failed=$(ls r | grep -v $running)
      $S run -q --virtual --runs r --keep 1 --keep-failed good.yaml
      $S run -q --virtual --runs r --keep 1 --keep-failed good.yaml
      ls r | wc -l; ls -d r/$running r/$failed | wc -l
      $S run -q --virtual --runs r --keep 1 good.yaml
      ls r | wc -l; ls -d r/$running | wc -l
      kill -KILL $(cat process)
      while kill -0 $(cat process) 2>/dev/null; do sleep 0.02; done
      $S run -q --virtual --runs r --keep 1 --keep-failed good.yaml; ls -d r/$running | wc -l
      """, in: folder)
    #expect(finished.output == "3\n2\n3\n1\n1\n", "\(finished.output)\(finished.errors)")
  }

  @Test("What a run with --keep-failed kept, later runs keep without it, until its mark is removed")
  func kept() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      run() { $S run -q --virtual --runs r --keep 1 "$@"; }
      run failing.yaml; plain=$(ls r)
      run failing.yaml --keep-failed; both=$(ls r)
      run good.yaml; run good.yaml; ls -d $(printf 'r/%s ' $both) | wc -l; ls r | wc -l
      run good.yaml --report json=/dev/full --keep-failed; echo $?; unwritten=$(ls r | tail -1)
      run good.yaml; ls -d r/$unwritten | wc -l
      stat -c '%a %s' r/$plain/kept; rm r/$plain/kept; run good.yaml; ls r | grep -c $plain
      """, in: folder)
    #expect(finished.output == "2\n3\n8\n1\n600 0\n0\n", "\(finished.output)\(finished.errors)")
  }

  @Test("A run with --keep-failed that is killed keeps its folder, and one that passes leaves no mark")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run -q --virtual --runs r --keep-failed long.yaml & slow=$!
      until ls r/*/kept >/dev/null 2>&1; do sleep 0.02; done; kill -9 $slow; wait $slow; killed=$(ls r)
      $S run -q --virtual --runs r --keep-failed good.yaml; ls r/*/kept | wc -l
      $S run -q --virtual --runs r --keep 1 good.yaml; ls r | grep -c $killed
      """, in: folder)
    #expect(finished.output == "1\n1\n", "\(finished.output)\(finished.errors)")
  }

  @Test("A run whose reports still wait for their reader runs, and its folder stays")
  func waiting() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "0123456789", count: 6000)
    _ = try folder.write(
      "loud.yaml", "scenario: Loud\ndevice: Lobby\nsteps: [{ repeat: { times: 5, steps: [{ log: \"\(long)\" }] } }]\n")
    let finished = try await shell(
      """
      mkfifo p; exec 7<>p
      $S run -q --virtual --runs r --report json=p loud.yaml & loud=$!
      until grep -q run.finished r/*/events.jsonl 2>/dev/null; do sleep 0.02; done
      $S run -q --virtual --runs r --keep 1 good.yaml; kill -0 $loud && ls r | wc -l
      """, in: folder)
    #expect(finished.output == "2\n", "\(finished.output)\(finished.errors)")
  }

  @Test("Neither the run itself nor a folder with anything of somebody else is removed")
  func spared() async throws {
    let folder = try TemporaryFolder()
    // Named as runs of the year 10889: beside them every run of today is an old one.
    let finished = try await shell(
      """
      for n in 1 2 3; do mkdir -p r/01ARZ3NDEKTSV4RRFFQ69G5FA$n; echo '{}' >r/01ARZ3NDEKTSV4RRFFQ69G5FA$n/events.jsonl; done
      touch r/01ARZ3NDEKTSV4RRFFQ69G5FA1/notes.txt; mkdir r/01ARZ3NDEKTSV4RRFFQ69G5FA2/photos
      mkdir r/7ZZZZZZZZZZZZZZZZZZZZZZZZZ; echo '{}' >r/7ZZZZZZZZZZZZZZZZZZZZZZZZZ/events.jsonl
      $S run -q --virtual --runs r --keep 1 good.yaml; echo $?
      ls r | grep -c 01ARZ3NDEKTSV4RRFFQ69G5FA; ls r | wc -l; ls r/*/plan.json | wc -l
      """, in: folder)
    #expect(finished.output == "0\n2\n4\n1\n", "\(finished.output)\(finished.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("r/01ARZ3NDEKTSV4RRFFQ69G5FA1/notes.txt")))
    #expect(FileManager.default.fileExists(atPath: folder.path("r/01ARZ3NDEKTSV4RRFFQ69G5FA2/photos")))
  }
}
