import Testing

/// What SwiftPM would make itself, but for the search of XCTest's tests in the editor's index: so the tests are built
/// without that index, in three quarters of the time.
@main struct Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
