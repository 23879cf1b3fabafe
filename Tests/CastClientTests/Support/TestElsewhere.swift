import Foundation

/// Looks for tests of other files that a table relies on.
enum TestElsewhere {
  /// Whether `file` has a test whose title contains `title`, which runs and expects something.
  /// - Parameter file: Below the folder of all tests.
  static func checks(_ title: String, in file: String) throws -> Bool {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
    return text.components(separatedBy: "@Test(").dropFirst().contains { test in
      guard let name = test.range(of: title), let body = test.range(of: "func "), name.upperBound < body.lowerBound
      else { return false }
      let isOff = test[..<body.lowerBound].contains(".disabled(")
      return !isOff && (test[body.lowerBound...].contains("#expect") || test[body.lowerBound...].contains("#require"))
    }
  }
}
