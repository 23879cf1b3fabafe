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

@Suite struct IncludeTests {
  static let brand = """
    library: Brand
    vars: { cdn: https://cdn.example.com, logo_file: logo.png }
    apps: { show: A1B2C3D4 }
    text_styles: { big: { size: 150% }, bigger: { like: big, color: yellow } }
    media:
      base: { url: "${cdn}/base.mp4", duration: 10s }
      logo: { url: "${cdn}/${logo_file}" }
      film: { like: base, text_style: bigger }

    """

  private func plan(_ lines: String, _ files: [String: String] = ["brand.yaml": brand]) throws -> Plan {
    let inputs = project(files)
    let outcome = PlanCompiler.compile(scenario(lines), inputs: inputs)
    guard case .scenario(let plan)? = outcome.document else {
      throw NoPlan(text: DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics))
    }
    #expect(outcome.diagnostics.filter { $0.severity == .error } == [])
    return plan
  }

  private struct NoPlan: Error { var text: String }

  private func url(_ step: Plan.Step) -> String? {
    guard case .load(let load) = step.action else { return nil }
    return load.request.media.contentURL ?? load.request.media.contentID
  }

  @Test("A library's definitions are the document's, and nothing in it counts as unused")
  func plain() throws {
    let source = scenario("include: [brand.yaml]\nsteps:\n  - load: film\n  - expect: { player: playing }\n")
    let outcome = PlanCompiler.compile(source, inputs: project(["brand.yaml": Self.brand]))
    #expect(outcome.diagnostics == [])
    let plan = try plan("include: [brand.yaml]\nsteps:\n  - load: film\n  - launch: show\n  - log: ${cdn}\n")
    #expect(url(plan.steps[0]) == "https://cdn.example.com/base.mp4")
  }

  @Test("With `as` every name has a prefix, inside the library none is needed")
  func prefix() throws {
    let lines = """
      include: [{ file: brand.yaml, as: brand }]
      vars: { cdn: https://other.example.com }
      media: { film: { url: "${cdn}/mine.mp4" } }
      steps:
        - load: brand.film
        - load: film
        - load: ${brand.cdn}/x.mp4
        - launch: brand.show
        - text_style: brand.bigger

      """
    let plan = try plan(lines)
    #expect(
      plan.steps.prefix(3).map(url) == [
        "https://cdn.example.com/base.mp4", "https://other.example.com/mine.mp4", "https://cdn.example.com/x.mp4",
      ])
    guard case .load(let load) = plan.steps[0].action else { return }
    #expect(load.request.media.textTrackStyle?.foregroundColor == "#FFFF00FF")
    #expect(load.request.media.textTrackStyle?.fontScale == 1.5)
  }

  @Test("Prefixes add up where libraries include libraries")
  func nested() throws {
    let outer = "library: Outer\ninclude: [{ file: brand.yaml, as: in }]\nmedia: { clip: { like: in.film } }\n"
    let plan = try plan(
      "include: [{ file: outer.yaml, as: out }]\nsteps:\n  - load: out.clip\n  - load: out.in.logo\n  - log: ${out.in.cdn}\n",
      ["brand.yaml": Self.brand, "outer.yaml": outer])
    #expect(url(plan.steps[0]) == "https://cdn.example.com/base.mp4")
    #expect(url(plan.steps[1]) == "https://cdn.example.com/logo.png")
  }

  static let precedence: [(lines: String, settings: [(String, String)], expected: String)] = [
    ("", [], "https://cdn.example.com"), ("vars: { cdn: https://doc.example.com }\n", [], "https://doc.example.com"),
    ("vars: { cdn: https://doc.example.com }\n", [("cdn", "https://set.example.com")], "https://set.example.com"),
    ("", [("cdn", "https://set.example.com")], "https://set.example.com"),
  ]
  @Test("A library's variable is weaker than the document's, and --set is the strongest", arguments: precedence)
  func variables(_ example: (lines: String, settings: [(String, String)], expected: String)) throws {
    var inputs = project(["brand.yaml": Self.brand])
    inputs.settings = example.settings.map { (name: $0.0, value: $0.1) }
    let source = scenario("include: [brand.yaml]\n\(example.lines)steps: [{ load: logo }]\n")
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics)")
      return
    }
    #expect(url(plan.steps[0]) == example.expected + "/logo.png")
  }

  @Test("--set reaches a variable behind a prefix")
  func settingBehindPrefix() throws {
    var inputs = project(["brand.yaml": Self.brand])
    inputs.settings = [("brand.cdn", "https://set.example.com")]
    let reading = findings(
      scenario("include: [{ file: brand.yaml, as: brand }]\ndescription: ${brand.cdn}\nsteps: [play]\n"), inputs: inputs
    )
    #expect(reading == [])
  }

  @Test("`only` takes the names it lists and what they need")
  func only() throws {
    let inputs = project(["brand.yaml": Self.brand])
    let lines = "include: [{ file: brand.yaml, only: [film] }]\nmedia: { _logo: { url: https://x/a.png } }\n"
    #expect(findings(scenario(lines + "steps: [{ load: film }]\n"), inputs: inputs) == [])
    #expect(findings(scenario(lines + "steps: [{ load: logo }]\n"), inputs: inputs) == ["N406 logo"])
    #expect(
      findings(scenario(lines + "steps: [{ log: \"${cdn}${logo_file}\" }]\n"), inputs: inputs) == ["N401 logo_file"])
    #expect(
      findings(scenario("include: [{ file: brand.yaml, only: [flim] }]\nsteps: [play]\n"), inputs: inputs)
        == ["N406 flim"])
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
    Example("[nowhere.yaml]", ["N409 nowhere.yaml"]),
    Example("[/etc/passwd]", ["N409 /etc/passwd"]),
    Example("[\"https://example.com/brand.yaml\"]", ["N409 \"https://example.com/brand.yaml\""]),
    Example("[\"${name}.yaml\"]", ["T219 \"${name}.yaml\""]),
    Example("[scenario.yaml]", ["K103 scenario.yaml"]),
    Example("[{ file: brand.yaml, as: run }]", ["N411 run"]),
    Example("[{ file: brand.yaml, as: Brand }]", ["T219 B"]),
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
      "brand.yaml": Self.brand, "scenario.yaml": "scenario: S\ndevice: TV\nsteps: [play]\n",
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

  @Test("A definition of the document and one of a library cannot have the same name")
  func documentAndLibrary() {
    let source = scenario(
      "include: [brand.yaml]\nmedia: { logo: { url: https://x.example.com/a.png } }\nsteps: [{ load: logo }]\n")
    #expect(findings(source, inputs: project(["brand.yaml": Self.brand])) == ["N410 logo"])
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
}
