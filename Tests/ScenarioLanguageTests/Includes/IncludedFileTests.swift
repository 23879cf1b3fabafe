import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Libraries by their path, as a project's folder would give them.
func project(_ files: [String: String]) -> PlanCompiler.Inputs {
  var inputs = PlanCompiler.Inputs()
  inputs.includedFile = { path, _ in
    files[path].map { .success(SourceFile($0, name: path)) } ?? .failure(.notFound)
  }
  return inputs
}

/// Which files are included, and what is said of those that cannot be (docs/language/library.md "Include").
@Suite struct IncludedFileTests {
  static let files: [(problem: FileProblem, words: String)] = [
    (
      .notFound,
      "N409: included file `x.yaml` is not there | not found | help: paths are relative to the file that includes"
    ),
    (
      .outside(root: "/srv/show"),
      "N409: `x.yaml` lies outside the project | leads out of `/srv/show` | help: move it below that folder, or allow its own with `--allow-path FOLDER`"
    ),
    (.symbolicLink, "N409: `x.yaml` is a link, and links are not followed | help: include the file that it leads to"),
    (.notRegular("a folder"), "N409: `x.yaml` is a folder, not a file | help: name the library file itself"),
    (
      .tooLarge(1 << 20),
      "Y311: included file `x.yaml` is larger than 1 MiB | help: split it into several libraries"
    ),
    (.empty, "N409: included file `x.yaml` is empty"),
    (.unreadable("Permission denied"), "N409: included file `x.yaml` cannot be read: Permission denied"),
  ]

  @Test("A file that cannot be had says why, and lets nobody miss its names", arguments: files)
  func file(problem: FileProblem, words: String) throws {
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { _, _ in .failure(problem) }
    let outcome = PlanCompiler.compile(
      scenario("include: [x.yaml]\nsteps: [{ load: film }, { log: \"${cdn}\" }, { launch: game }]\n"), inputs: inputs)
    #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.words) == [words])
  }

  static let paths: [(path: String, words: String)] = [
    (
      "/etc/x.yaml",
      "N409: the path of an include is relative to its file | begins with `/` | help: write it from the folder of this document, such as `lib/brand.yaml`"
    ),
    (
      "file:x.yaml",
      "N409: `file:x.yaml` is not a path | help: includes are files of this project, such as `lib/brand.yaml`"
    ),
    (
      "\"a\\tb.yaml\"",
      "N409: `a\\tb.yaml` is not a path | help: includes are files of this project, such as `lib/brand.yaml`"
    ),
    (
      "\"${x}/a.yaml\"",
      "T219: the path of an include cannot come from a variable | help: paths are written out, so that all files of a document are known"
    ),
  ]

  @Test("What is no path of the project is never opened", arguments: paths)
  func path(path: String, words: String) {
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { path, _ in
      Issue.record("opened \(path)")
      return .failure(.notFound)
    }
    let outcome = PlanCompiler.compile(
      scenario("include: [\(path)]\nvars: { _x: lib }\nsteps: [{ expect: { app: none } }]\n"), inputs: inputs)
    #expect(outcome.diagnostics.map(\.words) == [words])
  }

  @Test("Each file is asked for by its path and the name of the one that includes it")
  func includer() {
    nonisolated(unsafe) var asked: [String] = []
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { path, file in
      asked.append("\(path) in \(file)")
      let text = path == "lib/a.yaml" ? "library: A\ninclude: [b.yaml]\n" : "library: B\n"
      return .success(SourceFile(text, name: path == "lib/a.yaml" ? path : "lib/b.yaml"))
    }
    #expect(findings(scenario("include: [lib/a.yaml, lib/b.yaml]\nsteps: [play]\n"), inputs: inputs) == [])
    #expect(asked == ["lib/a.yaml in lobby.yaml", "b.yaml in lib/a.yaml", "lib/b.yaml in lobby.yaml"])
  }

  @Test("A file that two others include is one file, and its names are defined once")
  func diamond() throws {
    let files = [
      "a.yaml": "library: A\ninclude: [base.yaml]\nmedia: { a: { like: base } }\n",
      "b.yaml": "library: B\ninclude: [base.yaml]\nmedia: { b: { like: base } }\n",
      "base.yaml": "library: Base\nmedia: { base: { url: https://x.example.com/a.mp4 } }\n",
    ]
    let source = scenario("include: [a.yaml, b.yaml, base.yaml]\nsteps: [{ load: a }, { load: b }, { load: base }]\n")
    let reading = DocumentReader.read(source, inputs: project(files))
    #expect(reading.diagnostics.finished() == [])
    #expect(reading.sources.map(\.name) == ["lobby.yaml", "a.yaml", "base.yaml", "b.yaml"])
  }

  static let mistakes: [Example] = [
    Example("[/etc/passwd]", ["N409 /etc/passwd"]),
    Example("[\"https://example.com/brand.yaml\"]", ["N409 \"https://example.com/brand.yaml\""]),
    Example("[\"${name}.yaml\"]", ["T219 \"${name}.yaml\""]),
    Example("[scenario.yaml]", ["K103 scenario.yaml"]),
    Example("[{ file: brand.yaml, az: x }]", ["K101 az"]),
    Example("brand.yaml", ["T210 brand.yaml"]),
    Example("[{ as: x }]", ["K105 as"]),
    Example("[broken.yaml]", ["K101 meida"]),
    Example("[steps.yaml]", ["K103 steps"]),
    Example("[undefined.yaml]", ["N401 cnd"]),
    Example("[brand.yaml, twice.yaml]", ["N410 logo"]),
    Example("[brand.yaml, { file: twice.yaml, as: two }]", []),
    Example("[none.yaml]", ["K105 name"]),
    Example("[empty.yaml]", ["K105 "]),
  ]
  @Test("A mistake around an include is one message, where it is", arguments: mistakes)
  func mistake(_ example: Example) {
    let inputs = project([
      "brand.yaml": IncludedNameTests.brand, "scenario.yaml": "scenario: S\ndevice: TV\nsteps: [play]\n",
      "broken.yaml": "library: B\nmeida: {}\n", "steps.yaml": "library: B\nsteps: [play]\n",
      "undefined.yaml": "library: B\nvars: { cdn: x }\nmedia: { a: { url: \"${cnd}/a.mp4\" } }\n",
      "twice.yaml": "library: T\nmedia: { logo: { url: https://x.example.com/l.png } }\n",
      "none.yaml": "name: x\n", "empty.yaml": "",
    ])
    let source = scenario("include: \(example.text)\nvars: { _name: x }\nsteps: [play]\n")
    #expect(findings(source, inputs: inputs) == example.expected)
  }

  @Test("A library that could not be read lets nobody miss its names")
  func noCascades() {
    let source = scenario("include: [nowhere.yaml]\nsteps: [{ load: film }, { log: \"${x} ${brand.y}\" }]\n")
    #expect(findings(source) == ["N409 nowhere.yaml"])
  }

  @Test("Circles are found however long, and a file that includes itself is one", arguments: [1, 2, 3, 7])
  func circles(length: Int) throws {
    var files: [String: String] = [:]
    for index in 0..<length { files["l\(index).yaml"] = "library: L\ninclude: [l\((index + 1) % length).yaml]\n" }
    let outcome = PlanCompiler.compile(scenario("include: [l0.yaml]\nsteps: [play]\n"), inputs: project(files))
    #expect(outcome.diagnostics.map(\.code.rawValue) == ["N404"])
    #expect(outcome.diagnostics.first?.primary.span.file == "l0.yaml")
    let way = (0..<length).map { "l\($0).yaml:2 → " }.joined() + "l0.yaml"
    #expect(outcome.diagnostics.first?.footers.first == .note("lobby.yaml:3 → " + way))
  }

  @Test("The golden circle: every file on the way is named")
  func goldenCircle() throws {
    var files = ["fonts.yaml": "library: Fonts\ninclude: [brand.yaml]\n"]
    files["brand.yaml"] = String(decoding: try Golden.document("24-N404").bytes, as: UTF8.self)
    let lobby = scenario("include: [brand.yaml]\nsteps: [play]\n")
    let outcome = PlanCompiler.compile(lobby, inputs: project(files))
    let text = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    // The golden message underlines five characters more than the line has.
    let expected = try Golden.message("24-N404").replacing("^^^^^^^^^^^^^^^", with: "^^^^^^^^^^")
    #expect(text == expected + "\n", "\(text)")
  }

  @Test("Depth, number and size of includes are limited")
  func limits() {
    var deep: [String: String] = [:]
    for index in 0..<20 { deep["l\(index).yaml"] = "library: L\ninclude: [l\(index + 1).yaml]\n" }
    let start = scenario("include: [l0.yaml]\nsteps: [play]\n")
    #expect(findings(start, inputs: project(deep)) == ["Y311 l8.yaml"])
    var wide: [String: String] = [:]
    for index in 0..<40 { wide["l\(index).yaml"] = "library: L\n" }
    let all = scenario("include: [\(wide.keys.sorted().joined(separator: ", "))]\nsteps: [play]\n")
    #expect(findings(all, inputs: project(wide)).allSatisfy { $0.hasPrefix("Y311") })
    #expect(findings(all, inputs: project(wide)).count == 8)
    let many = scenario(
      "include: [\(repeatElement("l0.yaml", count: 50_000).joined(separator: ", "))]\nsteps: [play]\n")
    #expect(findings(many, inputs: project(wide)) == ["Y311 l0.yaml"])
    let large = "library: L\ndescription: " + String(repeating: "x", count: 1_000_000)
    let three = scenario("include: [a, b, c]\nsteps: [play]\n")
    #expect(findings(three, inputs: project(["a": large, "b": large, "c": large])) == ["Y311 c"])
  }

  @Test("Prefixes on prefixes end at a number, fast")
  func explosion() {
    var files: [String: String] = [:]
    for index in 0..<8 {
      files["l\(index).yaml"] =
        "library: L\ninclude: [{ file: l\(index + 1).yaml, as: a }, { file: l\(index + 1).yaml, as: b }]\n"
    }
    let media = (0..<2_000).map { "  m\($0): { url: https://x.example.com/a.mp4 }\n" }.joined()
    files["l7.yaml"] = "library: L\nmedia:\n" + media
    let found = findings(scenario("include: [l0.yaml]\nsteps: [play]\n"), inputs: project(files))
    #expect(found.first?.hasPrefix("Y3") == true, "\(found)")
  }
}
