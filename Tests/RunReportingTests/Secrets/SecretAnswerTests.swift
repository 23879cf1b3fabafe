import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// What comes back from where a secret was sent.
@Suite struct SecretAnswerTests {
  private static let written = "https://e.com/a.jpg?k=\(SecretPlaceholder.text(for: "key"))"

  @Test("A failure is told without the values, wherever it has them")
  func failure() {
    let secrets = Secrets(["key": "p@ss/w0rd+canary"])
    let failure = StepFailure(
      .loadFailed, "no https://e.com/p%40ss%2Fw0rd%2Bcanary", wire: ["said": "p@ss/w0rd+canary!"],
      help: "ask for p@ss/w0rd+canary")
    let hidden = secrets.hidden(failure)
    #expect(hidden.message == "no https://e.com/‹secret.key›" && hidden.help == "ask for ‹secret.key›")
    #expect(hidden.wire == ["said": "‹secret.key›!"])
  }

  @Test(
    "A text is known by what was sent for it, with an earlier value, too, and short ones",
    arguments: ["4711", "long-enough"])
  func sent(value: String) throws {
    let secrets = Secrets(["key": value])
    _ = try secrets.revealed(Self.written)
    secrets.set("another-value", for: "key")
    #expect(secrets.wasSent("https://e.com/a.jpg?k=\(value)", for: Self.written))
    #expect(!secrets.wasSent("https://e.com/a.jpg?k=of-somebody-else", for: Self.written))
    #expect(!secrets.wasSent("https://e.com/b.jpg?k=\(value)", for: Self.written))
    #expect(!secrets.wasSent(Self.written, for: Self.written), "a name is never sent")
    #expect(!secrets.wasSent("https://e.com/a.jpg", for: "https://e.com/a.jpg"))
  }
}
