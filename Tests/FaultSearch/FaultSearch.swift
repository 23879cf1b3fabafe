import FaultSearching
import Foundation
import Logging
import Synchronization

/// `make search`: runs the examples and playlists in simulation while things go wrong, and looks for what must not happen
/// whatever goes wrong.
@main enum FaultSearch {
  static func main() {
    // Thousands of runs that go wrong have much to say.
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    var words = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      defer { words.removeSubrange(index...index + 1) }
      return words[index + 1]
    }
    let again = option("--repeat").map { UInt64($0) }
    let keep = option("--keep").map { $0.split(separator: ",").map { Int($0) } }
    let shows = words.firstIndex(of: "--events").map { words.remove(at: $0) } != nil
    let seed = option("--seed").map { UInt64($0) } ?? UInt64.random(in: 1...999_999_999)
    let runs = option("--runs").map { Int($0) } ?? Int.max
    let seconds = option("--seconds").map { Double($0) } ?? 60
    let root = option("--root") ?? "."
    guard let seed, let runs, runs > 0, let seconds, seconds > 0, again != .some(nil), keep?.contains(nil) != true,
      !words.contains(where: { $0.hasPrefix("-") })
    else { usage() }
    let names = words
    do {
      let subjects = try Subject.all(in: root)
      let chosen = subjects.filter { subject in names.isEmpty || names.contains { subject.name.contains($0) } }
      let hasFleet = names.isEmpty || names.contains(FleetSearch.name)
      guard !chosen.isEmpty || hasFleet else {
        let there = (subjects.map(\.name) + [FleetSearch.name]).joined(separator: ", ")
        print("no document is called \(names.joined(separator: " ")); there are \(there)")
        exit(2)
      }
      if let again = again ?? nil, names == [FleetSearch.name] {
        repeatsFleet(again, keeping: keep?.compactMap { $0 }, showing: shows)
      }
      let search = try Search(chosen)
      if let again = again ?? nil {
        repeats(again, keeping: keep?.compactMap { $0 }, showing: shows, search, names)
      }
      looks(search, hasFleet, seed: seed, runs: runs, seconds: seconds, names)
    } catch {
      print("cannot search: \(error)")
      exit(2)
    }
  }

  private static func usage() -> Never {
    print(
      """
      usage: FaultSearch [--seed N] [--runs N] [--seconds S] [--root FOLDER] [PART-OF-A-NAME]...
             FaultSearch --repeat N [--keep PART,PART] [--events] [--root FOLDER] [PART-OF-A-NAME]...
      """)
    exit(2)
  }

  // MARK: searching

  private static func looks(
    _ search: Search, _ hasFleet: Bool, seed: UInt64, runs: Int, seconds: Double, _ names: [String]
  ) -> Never {
    let all = search.subjects.map(\.name) + (hasFleet ? [FleetSearch.name] : [])
    print("searching with seed \(seed): \(all.joined(separator: ", "))")
    fflush(nil)
    let watch = Watch()
    watch.start()
    let start = Date()
    // Of the processor, in microseconds: others may have it meanwhile.
    let before = Double(clock()) / 1_000_000
    var (done, found) = (0, 0)
    while done < runs, found < 5, Date().timeIntervalSince(start) < seconds {
      // Each run has a number of its own, which is all that it takes to repeat it.
      let number = Search.number(done, of: seed)
      watch.begins(number)
      // A fleet takes as long as many runs.
      if hasFleet, search.subjects.isEmpty || done % 64 == 7 {
        if findsInFleet(number, twice: done % 512 == 7, begins: { watch.begins(number) }) { found += 1 }
        done += 1
        continue
      }
      // Running each twice would take twice the time.
      if let failure = search.fails(number, twice: done.isMultiple(of: 32)) {
        found += 1
        tell(failure, number, search, names) { watch.begins(number) }
      }
      done += 1
    }
    let elapsed = Date().timeIntervalSince(start)
    let processor = Double(clock()) / 1_000_000 - before
    let rate = Int(Double(done) / max(0.001, processor) * 60)
    print("\(done) runs in \(Int(elapsed)) s, \(rate) a minute of one core: \(found) found (seed \(seed))")
    exit(found == 0 ? 0 : 1)
  }

  private static func tell(
    _ failure: Search.Failure, _ number: UInt64, _ search: Search, _ names: [String], begins: () -> Void
  ) {
    let small = search.shrunk(failure, begins: begins)
    let kept = small.script.parts.compactMap { failure.script.parts.firstIndex(of: $0) }
    let command = ["--repeat \(number)", "--keep \(kept.map(String.init).joined(separator: ","))"] + names
    print("FOUND \(small.subject.name): \(small.finding)")
    for part in small.script.parts { print("    .\(part),") }
    print("    seed \(number); again: \(CommandLine.arguments[0]) \(command.joined(separator: " "))")
    fflush(nil)
  }

  private static func repeats(
    _ number: UInt64, keeping keep: [Int]?, showing shows: Bool, _ search: Search, _ names: [String]
  ) -> Never {
    var (subject, script) = search.drawn(number)
    if let keep {
      guard keep.allSatisfy(script.parts.indices.contains) else {
        print("the script of \(number) has \(script.parts.count) parts")
        exit(2)
      }
      script.parts = keep.map { script.parts[$0] }
    }
    print("\(subject.name) with seed \(number):")
    for part in script.parts { print("    .\(part),") }
    if shows, let trace = try? SearchedRun(subject, script).trace() {
      print(trace.text)
      for (device, ledger) in trace.ledgers.sorted(by: { $0.key < $1.key }) {
        print(ledger.lines.map { "\(device) \($0)" }.joined(separator: "\n"))
      }
    }
    guard let finding = search.finding(subject, script, twice: true) else {
      print("all is well")
      exit(0)
    }
    print("FOUND \(finding)")
    exit(1)
  }
}

/// Ends the search where one run takes longer than any may: work that never waits cannot be stopped from within.
private final class Watch: Sendable {
  /// Of the processor, in seconds: others may have it meanwhile.
  private static let limit = 30.0
  /// In seconds, for work that waits for what never comes.
  private static let longest = 900.0
  private let running = Mutex<(number: UInt64, since: Date, used: Double)?>(nil)

  private static var used: Double { Double(clock()) / 1_000_000 }

  func begins(_ number: UInt64) { running.withLock { $0 = (number, Date(), Self.used) } }

  func start() {
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 1)
        guard let now = running.withLock({ $0 }) else { continue }
        let (used, time) = (Self.used - now.used, Date().timeIntervalSince(now.since))
        guard used > Self.limit || time > Self.longest else { continue }
        print("FOUND hang: seed \(now.number) has taken \(Int(used)) s of the processor, \(Int(time)) s in all")
        print("    again: \(CommandLine.arguments[0]) --repeat \(now.number)")
        fflush(nil)
        _exit(1)
      }
    }
  }
}
