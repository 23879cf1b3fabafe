import Foundation

/// Runs a worker for each family, as many at a time as there are processors, and keeps what they fail at.
struct Supervisor {
  let families: [Family]
  let seed: UInt64
  let seconds: Double
  let folder: String
  let limits: Limits

  struct Limits {
    /// A worker that does not come to its next input within so many seconds hangs.
    var hang: Double
    /// What a worker may hold, in MiB.
    var memory: Int
  }

  /// - Returns: The exit code: 1 where something was found.
  func run() -> Int32 {
    let processors = max(1, min(ProcessInfo.processInfo.activeProcessorCount, families.count))
    let share = seconds * Double(processors) / Double(families.count)
    let most = Int(share.rounded(.up))
    print("fuzzing with seed \(seed): \(families.map(\.name).joined(separator: ", ")), \(most) s each")
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var waiting = families
      var running: [Work] = []
      var (total, found) = (0, 0)
      while !waiting.isEmpty || !running.isEmpty {
        while running.count < processors, !waiting.isEmpty {
          running.append(
            try Work(waiting.removeFirst(), seed: seed, seconds: share, folder: folder, memory: limits.memory))
        }
        fflush(nil)
        Thread.sleep(forTimeInterval: 0.05)
        for work in running {
          guard let end = work.end(hangingAfter: limits.hang) else { continue }
          running.removeAll { $0 === work }
          total += work.state.count
          let rate = Int(Double(work.state.count) / max(0.001, work.elapsed))
          let name = work.family.name.padding(toLength: 14, withPad: " ", startingAt: 0)
          print("  \(name)\(work.state.count) inputs, \(rate) a second: \(end.text)")
          guard end.isFailure else { continue }
          found += 1
          try keep(work, end)
        }
      }
      print("\(total) inputs, \(found) found (seed \(seed))")
      return found == 0 && total > 0 ? 0 : 1
    } catch {
      print("cannot go on: \(error)")
      return 2
    }
  }

  private func keep(_ work: Work, _ end: Work.End) throws {
    let path = "\(folder)/\(work.family.name)-\(seed)-\(work.state.count)"
    try Data(work.state.input).write(to: URL(filePath: path))
    if !end.detail.isEmpty {
      print(end.detail.split(separator: "\n").suffix(12).map { "    \($0)" }.joined(separator: "\n"))
    }
    print(
      "    \(work.state.input.count) bytes are in \(path); again: \(CommandLine.arguments[0]) --repeat \(work.family.name) \(path)"
    )
  }
}

/// The work on one family, in a process of its own.
final class Work {
  struct End {
    var text: String
    var isFailure = true
    /// What the worker said of it.
    var detail = ""
  }

  let family: Family
  let state: SharedState
  private let process = Process()
  private let errors: String
  private let started = Date()
  private var lastCount = 0
  private var lastChange = Date()

  init(_ family: Family, seed: UInt64, seconds: Double, folder: String, memory: Int) throws {
    self.family = family
    let path = "\(folder)/\(family.name).state"
    errors = "\(folder)/\(family.name).errors"
    guard let state = SharedState(path: path, isNew: true) else { throw Violation("cannot write \(path)") }
    self.state = state
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--worker", path, "--seed", "\(seed)", "--seconds", "\(seconds)", "--memory", "\(memory)", family.name,
    ]
    guard FileManager.default.createFile(atPath: errors, contents: nil) else {
      throw Violation("cannot write \(errors)")
    }
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardInput = FileHandle.nullDevice
    // A trap says where it was, at once.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
  }

  var elapsed: Double { Date().timeIntervalSince(started) }

  /// How it ended; `nil`: it works.
  func end(hangingAfter limit: Double) -> End? {
    if process.isRunning {
      if state.count != lastCount { (lastCount, lastChange) = (state.count, Date()) }
      guard Date().timeIntervalSince(lastChange) > limit else { return nil }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return End(text: "HANGS: no end of one input in \(Int(limit)) s")
    }
    let said = FileManager.default.contents(atPath: errors).map { String(decoding: $0, as: UTF8.self) } ?? ""
    switch (process.terminationReason, process.terminationStatus) {
    case (.exit, 0): return End(text: "well", isFailure: false)
    case (.exit, 3): return End(text: "WRONG", detail: said)
    case (.exit, let code): return End(text: "ENDED with \(code)", detail: said)
    case (_, let signal): return End(text: "TRAPPED by signal \(signal)", detail: said)
    }
  }
}
