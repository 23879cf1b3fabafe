import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct SlidesTests {
  private static func outcome(_ item: String, files: [String]?, fallback: String = "https://e.com/a.jpg")
    -> PlanCompiler.Outcome
  {
    var inputs = PlanCompiler.Inputs()
    inputs.folderFiles = { $0 == "slides/" ? files : nil }
    return PlanCompiler.compile(
      SourceFile("playlist: P\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [\(item)] }]\nfallback: \(fallback)\n"),
      inputs: inputs)
  }

  private static func plan(_ item: String, files: [String]?) throws -> PlaylistPlan {
    guard case .playlist(let plan)? = outcome(item, files: files).document else { throw Compiling.NoPlan() }
    return plan
  }

  @Test("A folder is an item for each of its pictures, in the order of their names, numbers by their value")
  func order() throws {
    let files = ["b.JPG", "10.png", "2.png", "a b.webp", ".hidden.png", "notes.txt", "A.gif", "2.jpeg"]
    let items = try Self.plan("\"file:slides/\"", files: files).program[0].items
    #expect(
      items.map(\.media.contentID) == [
        "file:slides/2.jpeg", "file:slides/2.png", "file:slides/10.png", "file:slides/A.gif",
        "file:slides/b.JPG",
      ])
    #expect(items.allSatisfy { $0.length == .seconds(10) && $0.media.streamType == "NONE" })
  }

  @Test("What is said of a folder is said of each of its pictures")
  func options() throws {
    let items = try Self.plan("{ media: \"file:slides/\", for: 15s, times: 2 }", files: ["1.png", "2.png"]).program[0]
      .items
    #expect(items.count == 2 && items.allSatisfy { $0.length == .seconds(15) && $0.times == 2 })
  }

  @Test("A picture whose name cannot stand in an address is told, and the others are shown")
  func oddNames() throws {
    let outcome = Self.outcome("\"file:slides/\"", files: ["a b.png", "c.png"])
    #expect(outcome.diagnostics.filter { $0.code == .n409 }.map(\.message) == ["`a b.png` cannot be shown"])
    guard case .playlist(let plan)? = outcome.document else { throw Compiling.NoPlan() }
    #expect(plan.program[0].items.map(\.media.contentID) == ["file:slides/c.png"])
  }

  static let faults: [(files: [String]?, severity: Diagnostic.Severity)] = [
    (nil, .error), ([], .error), (["notes.txt"], .error), ((0..<600).map { "\($0).png" }, .warning),
  ]

  @Test("A folder without pictures is an error, one with very many is shown in part", arguments: faults.indices)
  func noPictures(index: Int) {
    let (files, severity) = Self.faults[index]
    let outcome = Self.outcome("\"file:slides/\"", files: files)
    let problems = outcome.diagnostics.filter { $0.code == .n409 }
    #expect(problems.map(\.severity) == [severity], "\(outcome.diagnostics)")
    if case .playlist(let plan)? = outcome.document {
      #expect(plan.program[0].items.count == PlaylistCompiler.mostSlides)
    }
  }

  @Test("A fallback may be a folder, too")
  func fallback() throws {
    let outcome = Self.outcome("https://e.com/b.jpg", files: ["1.png", "2.png"], fallback: "\"file:slides/\"")
    guard case .playlist(let plan)? = outcome.document else { throw Compiling.NoPlan() }
    #expect(plan.fallback.map(\.media.contentID) == ["file:slides/1.png", "file:slides/2.png"])
  }
}
