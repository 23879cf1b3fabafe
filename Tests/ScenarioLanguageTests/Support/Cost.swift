import Glibc

@testable import ScenarioLanguage

/// What work costs: processor time of this thread, which other work on the computer does not lengthen. Sizes are
/// compared with each other, so that the speed of the computer does not matter either.
enum Cost {
  /// Seconds of processor time.
  static func of(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now - start
  }

  /// Of compiling a document.
  static func of(_ yaml: String, inputs: PlanCompiler.Inputs = Golden.inputs) -> Double {
    let source = SourceFile(name: "lobby.yaml", bytes: Array(yaml.utf8))
    return of { _ = PlanCompiler.compile(source, inputs: inputs) }
  }

  /// Of a document of nearly 1 MiB in which nothing is wrong: what a person may ask for.
  static let ofLargestDocument: Double = {
    let steps = (0..<14_000).map { "  - { log: \"step \($0) of a long story, told in many words that nobody reads\" }" }
    return of("scenario: A\ndevice: TV\nsteps:\n" + steps.joined(separator: "\n") + "\n")
  }()

  /// Of a document of nearly as many nodes as are read, in which nothing is wrong: its reading alone costs several times
  /// as much as that of as many bytes in long texts.
  static let ofMostNodes: Double = {
    let items = Array(repeating: "x", count: 190_000).joined(separator: ", ")
    return of("scenario: A\ndevice: TV\nvars: { _a: [\(items)] }\nsteps: [{ expect: { player: idle } }]\n")
  }()

  /// Whether four times as much costs about four times as much: sixteen times would be quadratic.
  ///
  /// A small amount of work says nothing, and a busy computer may spoil a measurement: the best of three counts.
  static func isLinear(_ size: Int, _ work: (Int) -> Double) -> Bool {
    for _ in 0..<3 {
      let (small, large) = (work(size), work(4 * size))
      if large < 0.05 || large < 9 * small { return true }
    }
    return false
  }

  private static var now: Double {
    // Which module the members of `timespec` belong to depends on what else is compiled at once; its layout does not.
    var time: (seconds: Int, nanoseconds: Int) = (0, 0)
    withUnsafeMutableBytes(of: &time) { bytes in
      guard let start = bytes.baseAddress else { return }
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, start.assumingMemoryBound(to: timespec.self))
    }
    return Double(time.seconds) + Double(time.nanoseconds) / 1e9
  }
}
