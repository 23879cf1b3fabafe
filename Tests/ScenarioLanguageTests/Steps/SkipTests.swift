import Testing

@testable import ScenarioLanguage

/// A word that says no must not have the effect of one that says yes.
@Suite struct SkipTests {
  static let reasons: [(text: String, reason: String?)] = [
    ("false", nil), ("\"false\"", nil), ("true", "skipped"), ("the TV has no Netflix", "the TV has no Netflix"),
    ("\"${_off}\"", nil), ("\"${_why}\"", "because of it"), ("12", "12"), ("off-season", "off-season"),
  ]
  @Test(
    "skip takes a reason or a truth value: false does not skip, true gives no reason of its own", arguments: reasons)
  func reason(text: String, reason: String?) throws {
    let plan = try Compiling.plan(
      """
      scenario: S
      device: TV
      vars: { _off: { type: bool, default: false }, _why: because of it }
      steps: [{ expect: { player: paused }, skip: \(text) }]
      """)
    #expect(plan.steps.map(\.skip) == [reason])
  }

  static let secretReasons: [(skip: String, matrix: String, reasons: [Bool])] = [
    ("\"${secret.why}\"", "", [true]), ("\"not on this device ${secret.why}\"", "", [true]),
    ("\"${matrix.r}\"", "matrix: { r: [\"${secret.why}\", false, true] }", [true, false, true]),
  ]
  @Test("A step is skipped for a reason that holds a secret, too", arguments: secretReasons)
  func secret(skip: String, matrix: String, reasons: [Bool]) {
    let document = """
      scenario: S
      device: TV
      secrets: { why: { env: HOME } }
      \(matrix)
      steps: [{ volume: 100%, skip: \(skip) }, { expect: { player: paused } }]
      """
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { $0 == "HOME" ? "/root" : nil }
    let plans = PlanCompiler.compile(SourceFile(document), inputs: inputs).plans
    #expect(plans.map { $0.steps[0].skip != nil } == reasons)
  }

  @Test(
    "skip refuses other spellings of truth values, which as reasons would mean the opposite",
    arguments: ["no", "off", "False", "n", "yes", "True", "on", "0", "1", "~", "null", "none"])
  func spelling(text: String) {
    #expect(Compiling.codes(Compiling.scenario("expect: { player: paused }\nskip: \(text)")) == ["T204"])
  }

  @Test("A step that says skip: false counts like any other: what it saves, and how long it takes")
  func counts() {
    let saved = Compiling.scenario("seek: ${p}", before: ["play:\nskip: false\nsave: { p: position }"])
    #expect(!Compiling.codes(saved).contains("N408"))
    let late =
      "scenario: S\ndevice: TV\ntimeout: 10s\nsteps: [{ wait: 20s, skip: false }, { expect: { player: idle } }]\n"
    #expect(Compiling.codes(late) == ["P603"])
    #expect(Compiling.codes(late.replacing("false", with: "true")) == [])
  }

  @Test("A step that is always skipped ends nothing; one that says skip: false does")
  func ends() {
    let steps = "scenario: S\ndevice: TV\nsteps: [{ fail: no, skip: false }, { expect: { player: idle } }]\n"
    #expect(Compiling.codes(steps) == ["P601"])
    #expect(Compiling.codes(steps.replacing("skip: false", with: "skip: true")) == [])
  }

  @Test("A secret that says saved: false names no source")
  func saved() {
    let document = "scenario: S\ndevice: TV\nsecrets: { t: { saved: false } }\nsteps: [{ log: \"${secret.t}\" }]\n"
    #expect(Compiling.codes(document) == ["T213"])
  }
}
