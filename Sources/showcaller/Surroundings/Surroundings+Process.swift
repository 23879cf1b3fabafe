import Glibc
import Workspace

extension Surroundings {
  /// Those of this process; everything else gets them from here.
  static let process: Surroundings = {
    var surroundings = Surroundings(environment: Environment(entries: variables), unixTime: unixTime)
    surroundings.hostName = hostName
    surroundings.writeOutput = { text throws(FileError) in
      if let failure = StandardStream.output.writeNow(text) { throw failure }
    }
    surroundings.messages = MessageOutput(
      tellProblems: { DiagnosticPrinter.standardError.print($0, of: $1) },
      tellFailure: { Terminal.tell($0.message, help: $0.help) }, say: { Terminal.say($0) })
    surroundings.isInterrupted = { SignalWatch.first != nil }
    return surroundings
  }()

  private static var variables: [String] {
    var texts: [String] = []
    var next = environ
    while let text = next.pointee {
      texts.append(String(cString: text))
      next += 1
    }
    return texts
  }

  @Sendable private static func unixTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  @Sendable private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
