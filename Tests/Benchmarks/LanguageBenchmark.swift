import CastProtocol
import Glibc
import ScenarioLanguage

/// What reading documents costs, beside what it cost before the language was re-cut (CONTRIBUTING.md "Testing").
enum LanguageBenchmark {
  private enum Before {
    static let cold = "14 ms"
    static let step = "23 µs"
    static let longCheck = "501 ms, 72 MB"
  }

  static func run(_ binary: String) throws {
    try Benchmarks.cold(
      "check examples/ads.yaml", [binary, "check", "examples/ads.yaml"], target: "< 8 ms (before: \(Before.cold))")
    try longCheck(binary)
    try folderCheck(binary)
    try hostile(binary)
    try compile()
  }

  /// A scenario of so many steps, which is a multiple of 4.
  private static func longScenario(steps: Int = 10_000) -> String {
    var text =
      "scenario: Long\ndevice: Living Room TV\ntimeout: 30d\nmedia:\n  film: { url: https://cdn.example.com/film.mp4 }\nsteps:\n"
    for index in 0..<steps / 4 {
      text += "  - load: film\n  - expect: { player: playing, position: { min: 1s, below: 9s } }\n"
      text += "  - seek: { to: \(index + 1)s, tolerance: 500ms }\n  - wait: 2s\n"
    }
    return text
  }

  /// The compiler alone, and how its time grows with the document.
  private static func compile() throws {
    let short = try compileTime(steps: 1_000)
    let long = try compileTime(steps: 10_000)
    Benchmarks.row("compile 1 000 steps", "\(Benchmarks.rounded(short * 1000)) ms", "-")
    Benchmarks.row("compile 10 000 steps", "\(Benchmarks.rounded(long * 1000)) ms", "-")
    Benchmarks.row("10 000 steps to 1 000", "\(Benchmarks.rounded(long / short)) times", "linear: 10")
    Benchmarks.row(
      "a step", "\(Benchmarks.rounded(long / 10_000 * 1_000_000)) µs", "a third less (before: \(Before.step))")
  }

  private static func compileTime(steps: Int) throws -> Double {
    let source = SourceFile(name: "long.yaml", bytes: Array(longScenario(steps: steps).utf8))
    var samples: [Double] = []
    for _ in 0..<9 {
      let started = Stopwatch.now
      let outcome = PlanCompiler.compile(source)
      samples.append(Stopwatch.now - started)
      guard case .scenario(let plan)? = outcome.document, plan.steps.count == steps else {
        print("the generated scenario does not compile: \(outcome.diagnostics.first?.message ?? "")")
        exit(1)
      }
    }
    return Benchmarks.median(samples)
  }

  /// Documents made to exhaust the reader, each as a whole process with its time and the most memory that it held.
  private static func hostile(_ binary: String) throws {
    let path = "/tmp/showcaller-bench-\(getpid())-hostile"
    _ = try ChildProcess.run(["/bin/mkdir", "-p", path])
    defer { _ = try? ChildProcess.run(["/bin/rm", "-rf", path]) }
    var (late, large) = (0, 0)
    for document in Bombs.all {
      Benchmarks.write(document.text(), to: path + "/it.yaml")
      Benchmarks.write(document.library(), to: path + "/library.yaml")
      var seconds: [Double] = []
      var kilobytes = 0
      for _ in 0..<5 {
        let result = try ChildProcess.run([binary, "check", "--no-simulate", path + "/it.yaml"])
        guard result.exitCode == (document.isSound ? 0 : 3) else {
          print("the document `\(document.name)` ends with exit code \(result.exitCode)")
          exit(1)
        }
        seconds.append(result.seconds)
        kilobytes = max(kilobytes, result.peakKilobytes)
      }
      let time = Benchmarks.median(seconds)
      if time >= 0.15 { late += 1 }
      if kilobytes >= 64 * 1_024 { large += 1 }
      let figure = "\(Benchmarks.rounded(time * 1_000)) ms, \(Benchmarks.rounded(Double(kilobytes) / 1_024)) MB"
      Benchmarks.row("  \(document.name)", figure, "< 150 ms, < 64 MB")
    }
    Benchmarks.row("\(Bombs.all.count) hostile documents", "\(late) late, \(large) large", "0, 0")
  }

  /// The compiler as a whole command, with a simulation of the plan.
  private static func longCheck(_ binary: String) throws {
    let path = "/tmp/showcaller-bench-\(getpid()).yaml"
    Benchmarks.write(longScenario(), to: path)
    defer { unlink(path) }
    try Benchmarks.cold(
      "check of 10 000 steps", [binary, "check", path], target: "a third less (before: \(Before.longCheck))",
      times: 9)
  }

  /// A folder of documents that include the same two libraries.
  private static func folderCheck(_ binary: String) throws {
    let folder = "/tmp/showcaller-bench-\(getpid()).folder"
    _ = try ChildProcess.run(["/bin/mkdir", "-p", folder + "/lib"])
    defer { _ = try? ChildProcess.run(["/bin/rm", "-rf", folder]) }
    func write(_ name: String, _ text: String) {
      guard let file = fopen("\(folder)/\(name)", "w") else { return }
      fputs(text, file)
      fclose(file)
    }
    var media = "library: Films\nmedia:\n"
    for index in 0..<100 { media += "  film\(index): { url: https://cdn.example.com/\(index).mp4, duration: 10m }\n" }
    write("lib/films.yaml", media)
    write("lib/brand.yaml", "library: Brand\ninclude: [films.yaml]\ntext_styles: { big: { size: 150% } }\n")
    for index in 0..<1000 {
      let steps = (0..<5).map { step in
        "  - load: film\((index + step) % 100)\n  - expect: { player: playing, position: { min: 1s } }\n"
      }
      let head = "scenario: Document \(index)\ndevice: TV\ninclude: [lib/films.yaml, lib/brand.yaml]\nsteps:\n"
      write("\(index).yaml", head + steps.joined())
    }
    try Benchmarks.cold(
      "check of 1 000 documents", [binary, "check", "-q", folder], target: "< 1500 ms, < 100 MB", times: 5)
  }
}
