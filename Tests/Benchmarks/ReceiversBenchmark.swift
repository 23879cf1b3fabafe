import CastTransport
import Glibc

/// Virtual receivers in numbers: how soon all are there, and what each keeps in memory.
enum ReceiversBenchmark {
  private static let count = 200

  static func run(_ binary: String) throws {
    var ready: [Double] = []
    for _ in 0..<10 {
      let started = Stopwatch.now
      let fleet = try ReceiverFleet(binary, count: count)
      ready.append(Stopwatch.now - started)
      fleet.stop()
    }
    Benchmarks.row(
      "receive --count \(count): all ready", "\(Benchmarks.rounded(Benchmarks.median(ready) * 1000)) ms", "< 2000 ms")
    let (one, many) = (try ReceiverFleet(binary, count: 1), try ReceiverFleet(binary, count: count))
    defer {
      one.stop()
      many.stop()
    }
    let idle = many.kilobytes - one.kilobytes
    Benchmarks.row("  memory a receiver, idle", perReceiver(idle), "<= 28 KB")
    // The first connection makes what all of a process share.
    let (first, others) = (try senders(of: one), try senders(of: many))
    // Buffers are given back when it has been quiet for a moment.
    sleep(2)
    let busy = many.kilobytes - one.kilobytes
    Benchmarks.row("  with a sender and a film each", perReceiver(busy), "-")
    withExtendedLifetime((first, others)) {}
  }

  private static func perReceiver(_ kilobytes: Int) -> String {
    "\(Benchmarks.rounded(Double(kilobytes) / Double(count - 1))) KB"
  }

  private static func senders(of fleet: ReceiverFleet) throws -> [RawSender] {
    OpenFiles.raiseLimit()
    return try fleet.addresses.map { address in
      let sender = try RawSender(address)
      try sender.load(0)
      return sender
    }
  }

  /// A `showcaller receive` with so many receivers.
  private struct ReceiverFleet {
    let addresses: [String]
    private let processID: pid_t

    init(_ binary: String, count: Int) throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw ChildProcess.CannotRun(command: "pipe") }
      _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
      processID = try ChildProcess.spawn(
        [binary, "receive", "--count", "\(count)", "--port", "0", "--latency", "none"], output: ends[1])
      close(ends[1])
      defer { close(ends[0]) }
      var text: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let length = read(ends[0], &chunk, chunk.count)
        guard length > 0 else { throw ChildProcess.CannotRun(command: "receive --count \(count)") }
        text += chunk.prefix(length)
      }
      addresses = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      }
    }

    /// What only that process has in memory.
    var kilobytes: Int { ScaleBenchmark.anonymousKilobytes(of: "\(processID)") }

    func stop() {
      kill(processID, SIGINT)
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    }
  }
}
