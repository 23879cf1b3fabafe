import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What stands next to the verbs of a library's steps has the library's names, too.
@Suite struct LibraryStepTests {
  static let library = """
    library: Kit
    vars: { n: 1, tries: { type: int, default: 3 }, host: cdn.example.com, title: { default: Film } }
    media:
      film: { url: "https://${host}/film.mp4", metadata: { kind: movie, studio: A } }
      plain: { url: "https://${host}/plain.mp4" }
      named: { url: "https://${host}/named.mp4", metadata: { title: "${title} 2" } }
    blocks:
      go:
        steps:
          - { load: film, name: "Load ${title}", retry: { attempts: "${tries}" }, if: { vars: { n: 1 } } }
          - { load: plain, if: { not: { any: [{ vars: { n: 2 } }, { player: playing }] } } }
          - { expect: { vars: { n: { min: "${n}" } } }, because: "${title} is long", within: 3s }
          - { load: named, save: { n0: position } }
          - { log: "${n0} ${n}", tags: [smoke] }
          - { repeat: { until: { vars: { n: { above: 1 } } }, at_most: 2, steps: [{ set: { n: 2 } }] } }

    """

  static func lines(_ include: String, _ block: String) throws -> [String] {
    let plan = try Compiling.plan(
      scenario("include: [\(include)]\nsteps: [{ use: \(block) }, { expect: { player: playing } }]\n"),
      inputs: project(["kit.yaml": library]))
    return try #require(plan.steps.first).nestedLists.flatMap { $0 }.map { step in
      var parts = [step.name]
      if step.retry.attempts > 1 { parts.append("tries \(step.retry.attempts)") }
      if let condition = step.condition { parts.append("if \(condition.text())") }
      if !step.tags.isEmpty { parts.append(step.tags.joined(separator: ",")) }
      switch step.action {
      case .load(let load):
        parts.append(load.request.media.metadata.map { JSONValue.object($0).serialized() } ?? "none")
      case .log(let text): parts.append(text.source)
      case .expect(let expect): parts.append("\(expect.condition.text()) because \(expect.because ?? "")")
      case .repeat(let loop):
        if case .until(let condition, _) = loop.bound { parts.append("until \(condition.text())") }
      default: break
      }
      return parts.joined(separator: " | ")
    }
  }

  @Test(
    "Conditions, reasons, tries and names of a library's steps mean the same behind a prefix", arguments: ["", "kit."])
  func modifiers(prefix: String) throws {
    let include = prefix.isEmpty ? "kit.yaml" : "{ file: kit.yaml, as: kit }"
    let lines = try Self.lines(include, prefix + "go")
    #expect(
      lines == [
        "Load Film | tries 3 | if vars.\(prefix)n 1 | {\"metadataType\":1,\"title\":\"\(prefix)film\",\"studio\":\"A\"}",
        "load \(prefix)plain | if not (any of (vars.\(prefix)n 2; player playing)) | {\"metadataType\":0,\"title\":\"\(prefix)plain\"}",
        "expect vars | vars.\(prefix)n min ${\(prefix)n} because Film is long",
        "load \(prefix)named | {\"metadataType\":0,\"title\":\"Film 2\"}",
        "log ${n0} ${\(prefix)n} | smoke | ${n0} ${\(prefix)n}",
        "repeat until vars | until vars.\(prefix)n above 1",
      ])
  }
}
