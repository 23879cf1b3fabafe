import Glibc
import RunReporting

/// What the reports of a long run cost, each made again from its stored events by a process of its own, and how long a
/// browser takes to open its page.
enum ReportBenchmark {
  /// A change of the volume has a status and two more events, and so has an expectation that is met.
  private static let pairs = 17_000

  static func run(_ binary: String) throws {
    let folder = "/tmp/showcaller-bench-\(getpid())-reports"
    mkdir(folder, 0o700)
    defer { _ = try? ChildProcess.run(["/bin/rm", "-rf", folder]) }
    var document = "scenario: Long\ndevice: TV\ntimeout: 10m\nsteps:\n"
    for number in 0..<pairs {
      let level = number % 2 == 0 ? "20%" : "30%"
      document += "  - volume: \(level)\n  - expect: { volume: { level: \(level) } }\n"
    }
    Benchmarks.write(document, to: "\(folder)/long.yaml")
    let run = try ChildProcess.run([
      binary, "run", "-q", "--virtual", "--runs", "\(folder)/runs", "\(folder)/long.yaml",
    ])
    guard run.exitCode == 0 else { throw ChildProcess.CannotRun(command: "run long.yaml: \(run.exitCode)") }
    let events = try ChildProcess.run([
      binary, "report", "latest", "--runs", "\(folder)/runs", "--report", "json=\(folder)/events",
    ])
    guard events.exitCode == 0 else { throw ChildProcess.CannotRun(command: "report: \(events.exitCode)") }
    let count = lines("\(folder)/events")
    Benchmarks.row("a run of \(2 * pairs) steps, \(count) events", figure(run), "-")
    for kind in ReportKind.all {
      let path = "\(folder)/\(kind.name).html"
      let made = try ChildProcess.run(
        [binary, "report", "latest", "--runs", "\(folder)/runs", "--report", "\(kind.name)=\(path)"])
      guard made.exitCode == 0 else { throw ChildProcess.CannotRun(command: "report \(kind.name): \(made.exitCode)") }
      Benchmarks.row("report \(kind.name) of it", "\(figure(made)), \(size(path) >> 10) KB", "-")
    }
    let history = try ChildProcess.run([binary, "history", "--runs", "\(folder)/runs"])
    Benchmarks.row("history with it", figure(history), "-")
    try open("\(folder)/html.html", of: folder)
  }

  /// The page in a browser without a window, beside an empty page: the difference is the page's.
  private static func open(_ page: String, of folder: String) throws {
    let browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
    guard let browser = browsers.first(where: { access($0, X_OK) == 0 }) else {
      return Benchmarks.row("its page in Chromium", "no browser here: `make judges` installs one", "1 s")
    }
    Benchmarks.write("<!doctype html><title>empty</title>", to: "\(folder)/empty.html")
    func seconds(_ path: String) throws -> Double {
      let times = try (0..<5).map { _ in
        let shown = try ChildProcess.run([
          browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder)/profile", "--dump-dom",
          "file://\(path)",
        ])
        guard shown.exitCode == 0 else { throw ChildProcess.CannotRun(command: "\(browser): \(shown.exitCode)") }
        return shown.seconds
      }
      return Benchmarks.median(times)
    }
    let (empty, full) = (try seconds("\(folder)/empty.html"), try seconds(page))
    Benchmarks.row(
      "its page in Chromium", "\(Benchmarks.rounded(full - empty)) s, \(Benchmarks.rounded(full)) s with the browser",
      "1 s")
  }

  private static func figure(_ process: ChildProcess) -> String {
    "\(Benchmarks.rounded(process.seconds)) s, \(Benchmarks.rounded(Double(process.peakKilobytes) / 1024)) MB"
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func lines(_ path: String) -> Int {
    guard let file = fopen(path, "r") else { return 0 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while case let read = fread(&bytes, 1, bytes.count, file), read > 0 {
      count += bytes.prefix(read).count { $0 == UInt8(ascii: "\n") }
    }
    return count
  }
}
