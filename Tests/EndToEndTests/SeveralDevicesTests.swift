import Foundation
import Testing

/// Several devices, rows and tries on the command line.
@Suite struct SeveralDevicesTests {
  private func document(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("screens.yaml")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static let roles = """
    scenario: Screens
    roles: { left: Bar left, right: Bar right }
    steps:
      - { load: https://cdn.example.com/a.mp4, role: all }
      - { expect: { player: playing }, role: all }
    """

  @Test("Roles run over TLS against a receiver each, and JUnit names both")
  func roles() async throws {
    let folder = try TemporaryFolder()
    let path = try document(Self.roles, in: folder)
    let finished = try await Showcaller.run(
      "run", "--virtual", "--runs", folder.path("runs"), "--report", "junit=\(folder.path("j.xml"))", path)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let xml = try String(contentsOfFile: folder.path("j.xml"), encoding: .utf8)
    #expect(xml.contains("left=Bar left, right=Bar right"), "\(xml)")
    #expect(try await JUnitRules.problems(of: folder.path("j.xml")).isEmpty)
  }

  static let wrong: [([String], String)] = [
    (["--host", "127.0.0.1"], "--host cannot say which one it means"),
    (["--device", "Kitchen"], "--device Kitchen names none of the roles"),
    (["--device", "top=Kitchen"], "--device top=Kitchen names none of the roles"),
  ]

  @Test("With roles, --device says which one it means", arguments: wrong)
  func options(arguments: [String], says: String) async throws {
    let folder = try TemporaryFolder()
    let path = try document(Self.roles, in: folder)
    let started = try Showcaller.start(["run", "--runs", folder.path("runs")] + arguments + [path])
    started.closeInput()
    let finished = try await started.finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(says), "\(finished.errors)")
  }

  @Test("Rows and devices are told apart in the verdict, and tries in the exit code", arguments: ["run", "simulate"])
  func rows(command: String) async throws {
    let folder = try TemporaryFolder()
    let path = try document(
      """
      scenario: Rows
      devices: { match: { model_like: "Chromecast*" }, at_least: 2 }
      matrix: { speed: [1, 2] }
      retry: { attempts: 2, wait: 1s, errors: [expectation] }
      steps:
        - load: https://cdn.example.com/a.mp4
        - rate: ${matrix.speed}
        - expect: { rate: 1 }
          within: 1s
      """, in: folder)
    let options = command == "run" ? ["--virtual", "--speed", "10x", "--runs", folder.path("runs")] : []
    let started = try Showcaller.start([command] + options + [path])
    started.closeInput()
    let finished = try await started.finish()
    #expect(finished.exitCode == 1, "\(finished.errors)")
    if command == "run" {
      let verdicts = finished.errors.split(separator: "\n").filter { $0.hasPrefix("PASSED") || $0.hasPrefix("FAILED") }
      #expect(verdicts.count { $0.hasPrefix("PASSED") } == 2, "\(verdicts)")
      #expect(verdicts.count { $0.contains("speed=2") && $0.contains("try 2") } == 2, "\(verdicts)")
    } else {
      #expect(finished.output.contains("speed=2 showcaller-virtual-2 try 2:"), "\(finished.output)")
    }
  }
}
