import Simulation

/// A leak: work that goes on when a run is over or outside of its clock, and what nobody let go.
package struct LeakChecker: Checker {
  package let name = "leak"

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    switch trace.error {
    case .leaked(let count): ["\(count) tasks still wait when the run is over"]
    case .escaped(let places): ["work left the simulation: \(places.first ?? "")"]
    // A simulation that was given up leaves whatever it had.
    case .deadlock, .livelock, .overdue: []
    case nil:
      trace.survivors.isEmpty ? [] : ["still there when the run is over: \(trace.survivors.joined(separator: ", "))"]
    }
  }
}
