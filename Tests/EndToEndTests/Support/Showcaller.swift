import Foundation
import Synchronization

/// The built binary, run as a user runs it.
enum Showcaller {
  /// The package's root, found from this file.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The `showcaller` that was built beside the tests that run.
  static let binary: URL = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "showcaller")
  }()

  /// Runs it to its end, which must come within `limit` seconds.
  static func run(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:], in folder: URL? = nil,
    limit: Double = 60
  ) async throws -> Finished {
    let started = try start(arguments, environment: environment, in: folder, limit: limit)
    if let input { started.send(input) }
    started.closeInput()
    return try await started.finish()
  }

  /// Starts it and leaves it running; a receiver answers at once unless the test says how long it takes.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, limit: Double = 60
  ) throws -> Running {
    let isQuick = arguments.first == "receive" && !arguments.contains("--latency")
    return try Running(
      binary, arguments + (isQuick ? ["--latency", "none"] : []), environment: environment, in: folder ?? root,
      limit: limit)
  }
}

/// How a command ended and what it said.
struct Finished: Sendable {
  var exitCode: Int32
  var output: String
  var errors: String
  var duration: Duration
}

/// A command that did not end in time.
struct Overdue: Error, CustomStringConvertible {
  var description: String
}

/// A child process and what it has said so far. It is killed when its time is up, so every wait on it ends.
final class Running: Sendable {
  fileprivate struct Waiter {
    let isSatisfied: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }
  fileprivate struct State {
    var output = Data()
    var errors = Data()
    var openStreams = 2
    var exitCode: Int32?
    var isOverdue = false
    var waiters: [Waiter] = []

    /// Adds what was read; nothing means the stream has ended.
    mutating func take(_ data: Data, into stream: WritableKeyPath<State, Data>) {
      if data.isEmpty { openStreams -= 1 } else { self[keyPath: stream] += data }
    }

    var text: String { String(decoding: output + errors, as: UTF8.self) }
    var isOver: Bool { isOverdue || exitCode != nil && openStreams == 0 }
  }

  let processID: Int32
  private let state = Mutex(State())
  private let input: Int32
  private let started = ContinuousClock.now
  private let limit: Double

  init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:], in folder: URL,
    limit: Double = 60
  ) throws {
    self.limit = limit
    let child = try ChildProcess(executable.path, arguments, environment: environment, in: folder.path)
    processID = child.processID
    input = child.input
    child.collect(
      output: { [self] data in update { $0.take(data, into: \.output) } },
      errors: { [self] data in update { $0.take(data, into: \.errors) } },
      exit: { [self] code in update { $0.exitCode = code } })
    DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak self] in
      guard let self else { return }
      if state.withLock({ $0.exitCode == nil }) { kill(processID, SIGKILL) }
      update { $0.isOverdue = $0.exitCode == nil || $0.openStreams > 0 }
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let due: [(CheckedContinuation<Bool, Never>, Bool)] = state.withLock { state in
      change(&state)
      let snapshot = state
      let due = snapshot.waiters.filter { snapshot.isOver || $0.isSatisfied(snapshot) }
      state.waiters.removeAll { snapshot.isOver || $0.isSatisfied(snapshot) }
      return due.map { ($0.continuation, $0.isSatisfied(snapshot)) }
    }
    for (continuation, isSatisfied) in due { continuation.resume(returning: isSatisfied) }
  }

  private func wait(for what: String, _ isSatisfied: @escaping @Sendable (State) -> Bool) async throws {
    let isThere = await withCheckedContinuation { continuation in
      update { $0.waiters.append(Waiter(isSatisfied: isSatisfied, continuation: continuation)) }
    }
    if !isThere { throw Overdue(description: "no \(what) within \(limit) s\n\(state.withLock { $0.text })") }
  }

  var output: String { String(decoding: state.withLock { $0.output }, as: UTF8.self) }
  var errors: String { String(decoding: state.withLock { $0.errors }, as: UTF8.self) }

  func send(_ text: String) { _ = text.withCString { write(input, $0, strlen($0)) } }
  func closeInput() { close(input) }
  func signal(_ number: Int32) { kill(processID, number) }

  /// Waits until `text` has been said on either stream.
  func waitFor(_ text: String) async throws { try await wait(for: "`\(text)`") { $0.text.contains(text) } }

  /// Waits until `text` has been said so often.
  func waitFor(_ text: String, times: Int) async throws {
    try await wait(for: "`\(text)` \(times) times") { $0.text.components(separatedBy: text).count > times }
  }

  /// Waits for the first line on standard output.
  func firstLine() async throws -> String {
    try await wait(for: "line") { $0.output.contains(UInt8(ascii: "\n")) }
    return output.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Waits for the first `count` lines on standard output.
  func lines(_ count: Int) async throws -> [String] {
    try await wait(for: "\(count) lines") { $0.output.count { $0 == UInt8(ascii: "\n") } >= count }
    return output.split(separator: "\n").prefix(count).map(String.init)
  }

  /// Waits for the end and for all that was said before it.
  func finish() async throws -> Finished {
    try await wait(for: "end") { $0.exitCode != nil && $0.openStreams == 0 }
    let duration = ContinuousClock.now - started
    return Finished(
      exitCode: state.withLock { $0.exitCode } ?? -1, output: output, errors: errors, duration: duration)
  }
}
