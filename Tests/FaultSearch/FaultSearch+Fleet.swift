import FaultSearching
import Foundation

/// Sites, an operator and a broker, beside the documents.
extension FaultSearch {
  /// Runs one fleet, and prints the shortest script where something is wrong.
  static func findsInFleet(_ number: UInt64, twice: Bool, begins: () -> Void) -> Bool {
    let script = FleetScript(drawnBy: number)
    guard let finding = FleetSearch.finding(script, twice: twice) else { return false }
    let (small, found) = FleetSearch.shrunk(script, finding, begins: begins)
    let kept = small.parts.compactMap { script.parts.firstIndex(of: $0) }
    print("FOUND \(FleetSearch.name): \(found)")
    for part in small.parts { print("    .\(part),") }
    let keep = kept.map(String.init).joined(separator: ",")
    print(
      "    seed \(number); again: \(CommandLine.arguments[0]) --repeat \(number) --keep \(keep) \(FleetSearch.name)")
    fflush(nil)
    return true
  }

  static func repeatsFleet(_ number: UInt64, keeping keep: [Int]?, showing shows: Bool) -> Never {
    var script = FleetScript(drawnBy: number)
    if let keep {
      guard keep.allSatisfy(script.parts.indices.contains) else {
        print("the script of \(number) has \(script.parts.count) parts")
        exit(2)
      }
      script.parts = keep.map { script.parts[$0] }
    }
    print("\(FleetSearch.name) with seed \(number):")
    for part in script.parts { print("    .\(part),") }
    if shows, let trace = try? FleetRun(script).trace() { print(trace.text) }
    guard let finding = FleetSearch.finding(script, twice: true) else {
      print("all is well")
      exit(0)
    }
    print("FOUND \(finding)")
    exit(1)
  }
}
