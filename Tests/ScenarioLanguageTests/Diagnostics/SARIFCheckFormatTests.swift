import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct SARIFCheckFormatTests {
  private static let a = CheckFormatTests.result("a.yaml", [CheckFormatTests.error])

  /// The one run of the log.
  private static func run(_ results: [CheckResult], unreadable: [CheckSummary.Unreadable] = []) throws -> JSONValue {
    let text = CheckFormatTests.text(.sarif, results, unreadable: unreadable)
    return try #require(try JSONValue(parsing: Array(text.utf8))["runs"]?.array?.first)
  }

  @Test("SARIF lists each code once, in the order met, and results point to it by its number")
  func rules() throws {
    let again = Diagnostic(.error, .k101, "m", at: .init(CheckFormatTests.span(1, 1, 2, file: "b.yaml")))
    let run = try Self.run([Self.a, CheckFormatTests.result("b.yaml", [CheckFormatTests.warning, again])])
    let results = try #require(run["results"]?.array)
    #expect(results.map { $0["ruleId"] } == ["K101", "P610", "K101"])
    #expect(results.map { $0["ruleIndex"] } == [0, 1, 0])
    #expect(results.map { $0["level"] } == ["error", "warning", "error"])
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    #expect(rules.map { $0["id"] } == ["K101", "P610"])
    #expect(
      rules.map { $0["shortDescription"]?["text"]?.string } == [Code.k101, .p610].map { CodePages.page($0)?.title })
    #expect(rules[1]["help"]?["text"] == "`showcaller explain P610` shows a wrong and a right example.")
    #expect(run["artifacts"]?.array?.map { $0["location"]?["uri"] } == ["a.yaml", "b.yaml"])
    #expect(run["columnKind"] == "unicodeCodePoints")
  }

  @Test("A result has all that is said, and the related places numbered from 1")
  func result() throws {
    let result = try #require(try Self.run([Self.a])["results"]?.array?.first)
    #expect(result["message"]?["text"] == "unknown key `abc`: did you mean `abd`?\nhelp: h1\nh2\nnote: n")
    let region: JSONValue = ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 4]
    #expect(result["locations"]?.array?[0]["physicalLocation"]?["region"] == region)
    let related = try #require(result["relatedLocations"]?.array)
    #expect(related.map { $0["id"] } == [1, 2])
    #expect(related.map { $0["message"]?["text"] } == ["here", nil])
  }

  @Test("A file that cannot be read makes the run no success, with a notification that names it")
  func unreadable() throws {
    let run = try Self.run([], unreadable: [.init(file: "/x y.yaml", message: "no such file")])
    let invocation = try #require(run["invocations"]?.array?.first)
    #expect(invocation["executionSuccessful"] == false)
    let notification = try #require(invocation["toolExecutionNotifications"]?.array?.first)
    #expect(notification["message"]?["text"] == "no such file")
    #expect(
      notification["locations"]?.array?[0]["physicalLocation"]?["artifactLocation"]?["uri"] == "file:///x%20y.yaml")
    let good = try Self.run([])
    #expect(good["invocations"]?.array?[0]["executionSuccessful"] == true)
    #expect(good["results"] == [] && good["artifacts"] == [])
  }

  @Test("A place of nothing is still a region that SARIF allows")
  func region() throws {
    let odd = SourceSpan(file: "a.yaml", line: 0, column: 0, endLine: 0, endColumn: 0)
    let run = try Self.run([CheckFormatTests.result("a.yaml", [Diagnostic(.note, .k101, "m", at: .init(odd))])])
    let region = run["results"]?.array?[0]["locations"]?.array?[0]["physicalLocation"]?["region"]
    #expect(region == ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1])
  }

  @Test(
    "File names become URIs that are relative as they are, absolute with a scheme, and encoded",
    arguments: [
      ("qa/ads.yaml", "qa/ads.yaml"), ("./a.yaml", "a.yaml"), ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
      ("映:x?#%.yaml", "%E6%98%A0%3Ax%3F%23%25.yaml"), ("<stdin>", "%3Cstdin%3E"), ("../a\n.yaml", "../a%0A.yaml"),
    ])
  func uris(file: String, uri: String) {
    #expect(SARIFCheckFormat.uri(file) == uri)
  }
}
