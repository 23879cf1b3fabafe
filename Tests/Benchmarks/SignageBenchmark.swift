import CastProtocol
import Glibc

/// What playlists cost: looking ahead, and serving many screens at once.
enum SignageBenchmark {
  private static let screens = 500
  /// Seconds for which the screens are served.
  private static let length = 60
  private static let rules = 200

  static func run(_ binary: String) throws {
    let folder = "/tmp/showcaller-bench-\(getpid()).signage"
    _ = try ChildProcess.run(["/bin/mkdir", "-p", folder])
    defer { _ = try? ChildProcess.run(["/bin/rm", "-rf", folder]) }
    Benchmarks.write(manyRules, to: "\(folder)/rules.yaml")
    try Benchmarks.cold(
      "week of \(rules) rules", [binary, "week", "\(folder)/rules.yaml", "--from", "2026-11-23"], target: "< 50 ms",
      times: 20)
    try Benchmarks.cold(
      "a simulated week of playlists/cafe.yaml",
      [binary, "simulate", "playlists/cafe.yaml", "--from", "2026-11-23", "--for", "7d"], target: "< 2000 ms", times: 5)
    try manyScreens(binary, folder)
  }

  /// Dayparts, calendars and dates as a large shop may have them.
  private static var manyRules: String {
    var text =
      "playlist: Shop\ntimezone: Europe/Paris\ndevice: TV\ncalendars: { holidays: [2026-12-25, 01-01, 05-01] }\n"
    text += "program:\n"
    for index in 0..<rules {
      let (hour, minute) = (index % 24, index * 7 % 60)
      let days = ["mon-fri", "sat", "sun", "mon-sat"][index % 4]
      let dates = index % 5 == 0 ? ", dates: 2026-\(11 + index % 2)-01..2026-12-28" : ""
      let not = index % 3 == 0 ? ", not: { calendar: holidays }" : ""
      let start = "\(padded(hour)):\(padded(minute))"
      let end = "\(padded((hour + 3) % 24)):\(padded((minute + 11) % 60))"
      text +=
        "  - { during: { days: \(days), hours: \(start)-\(end)\(dates)\(not) }, play: [https://e.com/\(index).jpg] }\n"
    }
    return text + "fallback: https://e.com/logo.jpg\n"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// One process with its screens and their virtual receivers, over TLS. A still is late by as much as it was on for
  /// longer than it was meant to be.
  private static func manyScreens(_ binary: String, _ folder: String) throws {
    var text = "playlist: Many\ntimezone: UTC\ndevices:\n"
    for index in 0..<screens { text += "  - Screen \(index)\n" }
    text += "program: [{ during: any_time, order: shuffle, play: ["
    text += (0..<8).map { "{ media: \"https://e.com/\($0).jpg\", for: \(5 + $0)s }" }.joined(separator: ", ") + "] }]\n"
    text += "ledger: { rotate: never }\n"
    Benchmarks.write(text, to: "\(folder)/many.yaml")
    let ledger = "\(folder)/many.jsonl"
    let result = try ChildProcess.run(
      [binary, "serve", "-q", "--virtual", "--for", "\(length)s", "--ledger", ledger, "\(folder)/many.yaml"])
    guard result.exitCode == 0 else { throw ChildProcess.CannotRun(command: "serve: \(result.exitCode)") }
    let (late, shown) = try lateness(ledger)
    guard late.count > screens else { throw ChildProcess.CannotRun(command: "serve: \(late.count) items were shown") }
    let sorted = late.sorted()
    let percentile = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    Benchmarks.row(
      "\(screens) virtual screens, p99 lateness", "\(Benchmarks.rounded(percentile * 1_000)) ms", "< 100 ms")
    let processor = result.processorSeconds / result.seconds * 100
    Benchmarks.row(
      "\(screens) screens and receivers",
      "\(Benchmarks.rounded(processor)) % of a core, \(result.peakKilobytes / 1024) MB", "-")
    Benchmarks.row(
      "time on screen of \(screens)",
      "\(Benchmarks.rounded(shown / Double(screens * length) * 100)) %", "-")
  }

  /// By how many seconds each item that ended on time was late, and for how many seconds all were on screen.
  private static func lateness(_ path: String) throws -> (late: [Double], shown: Double) {
    guard let file = fopen(path, "r") else { throw ChildProcess.CannotRun(command: path) }
    defer { fclose(file) }
    var late: [Double] = []
    var total = 0.0
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while true {
      let count = getline(&line, &capacity, file)
      guard count > 0, let line else { break }
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      guard let json = try? JSONValue(parsing: Array(bytes)), let shown = json["shown"]?.number else { continue }
      total += shown
      if json["end_reason"]?.string == "duration", let planned = json["planned"]?.number {
        late.append(max(0, shown - planned))
      }
    }
    return (late, total)
  }
}
