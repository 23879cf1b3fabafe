import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Secrets are found in whatever a value encodes, wherever in it they stand.
@Suite struct SecretSearchTests {
  private struct Everything: Encodable {
    var text = SecretPlaceholder.text(for: "text")
    var several = "a \(SecretPlaceholder.text(for: "one")) and \(SecretPlaceholder.text(for: "two"))"
    var optional: String? = SecretPlaceholder.text(for: "optional")
    var list = [SecretPlaceholder.text(for: "item")]
    var nested = [[SecretPlaceholder.text(for: "nested")]]
    var byName = [SecretPlaceholder.text(for: "key"): SecretPlaceholder.text(for: "value")]
    var json: JSONValue = .object([
      SecretPlaceholder.text(for: "member"): .array([.string(SecretPlaceholder.text(for: "deep")), .null, .int(1)])
    ])
    var choice = Choice.named(SecretPlaceholder.text(for: "choice"))
    var absent: String?
    var numbers: [Double] = [1.5]
    var moment: Duration = .seconds(1)

    enum Choice: Encodable {
      case named(String)
    }
  }

  @Test("Texts are looked through at any depth, and so are names that a document chooses")
  func depth() throws {
    let names = try SecretPlaceholder.names(in: Everything())
    #expect(
      names == [
        "text", "one", "two", "optional", "item", "nested", "key", "value", "member", "deep", "choice",
      ])
  }

  @Test("A value without a secret has none, whatever looks like one")
  func none() throws {
    let looks = ["secret.a", "${secret.a}", "\u{2039}secret.a", "\u{2039}other\u{203A}", "\u{203A}\u{2039}"]
    #expect(try SecretPlaceholder.names(in: looks) == [])
  }
}
