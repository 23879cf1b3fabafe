/// What can go wrong with a simulation itself; each is a bug in the code it ran.
package enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing can run, nothing waits for time, and the work is not done.
  case deadlock(at: Duration)
  /// The clock has not moved for a million jobs.
  case livelock(at: Duration)
  /// Work ran outside the simulation, where its clock does not count.
  case escaped([String])
  /// The work is done but something still waits.
  case leaked(sleepers: Int)
  /// The virtual clock passed the limit given for the whole simulation.
  case overdue(at: Duration)

  package var description: String {
    switch self {
    case .deadlock(let at): "nothing can run at \(at) and the work is not done"
    case .livelock(let at): "a million jobs ran at \(at) without the clock moving"
    case .escaped(let places): "work escaped the simulation: \(places.joined(separator: "; "))"
    case .leaked(let count): "\(count) tasks still wait after the end"
    case .overdue(let at): "still busy at \(at)"
    }
  }
}
