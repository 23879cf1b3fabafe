import ArgumentParser
import CastProtocol
import ScenarioLanguage

/// A time on the command line: `5s`, `500ms`, `2m`, as documents write it, or a number of seconds.
struct TimeLimit: ExpressibleByArgument, Hashable {
  let duration: Duration

  init?(argument: String) {
    if let number = Double(argument), number.isFinite {
      duration = .clamped(seconds: number)
    } else if let written = try? DurationScalar.read(argument) {
      duration = written
    } else {
      return nil
    }
  }
}
