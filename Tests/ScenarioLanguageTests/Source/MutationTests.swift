import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Golden documents with seeded damage: whatever comes out, it comes, and points into the file.
@Suite struct MutationTests {
  typealias Generator = SeededGenerator

  static func mutated(_ text: String, _ generator: inout Generator) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard !lines.isEmpty else { return "" }
      let line = Int.random(in: 0..<lines.count, using: &generator)
      let other = Int.random(in: 0..<lines.count, using: &generator)
      var scalars = Array(lines[line].unicodeScalars)
      let place = Int.random(in: 0...scalars.count, using: &generator)
      switch Int.random(in: 0..<9, using: &generator) {
      case 0: lines.remove(at: line)
      case 1: lines.swapAt(line, other)
      case 2: lines.insert(lines[other], at: line)
      case 3: lines = Array(lines.prefix(line))
      case 4: if place < scalars.count { scalars.remove(at: place) }
      case 5: if place + 1 < scalars.count { scalars.swapAt(place, place + 1) }
      case 6:
        scalars.insert(
          Array(" :-[]{}#&*!|>'\"%@`,?\t${}0a\u{202E}é".unicodeScalars).randomElement(using: &generator) ?? " ",
          at: place)
      case 7: scalars = Array(scalars.prefix(place))
      default: scalars.insert(contentsOf: "  ".unicodeScalars, at: 0)
      }
      if line < lines.count {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        lines[line] = text
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test(
    "A damaged document gives a plan or a message, never a crash, and every place is inside the file", arguments: 0..<40
  )
  func mutations(seed: Int) throws {
    var generator = Generator(seed: UInt64(seed))
    let names =
      try Golden.names().map { "diagnostics/\($0).yaml" } + ["ads", "cafe", "hello"].map { "documents/\($0).yaml" }
    for name in names {
      let text = Self.mutated(String(decoding: try Golden.bytes(name), as: UTF8.self), &generator)
      let source = SourceFile(text)
      if let fault = SingleMutationTests.fault(in: PlanCompiler.compile(source), of: source) {
        Issue.record("\(name) \(seed): \(fault)\n\(text)")
      }
    }
  }
}
