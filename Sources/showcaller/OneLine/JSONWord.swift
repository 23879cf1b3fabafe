import ArgumentParser
import CastProtocol

/// A JSON object on the command line.
struct JSONWord: ExpressibleByArgument {
  let value: JSONValue

  init?(argument: String) {
    guard let value = try? JSONValue(parsing: Array(argument.utf8)), value.object != nil else { return nil }
    self.value = value
  }
}
