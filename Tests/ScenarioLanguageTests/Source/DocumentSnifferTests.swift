import Testing

@testable import ScenarioLanguage

@Suite struct DocumentSnifferTests {
  @Test(
    "A file of a folder is a document if its first key is a kind, nearly one, or a kind stands further down",
    arguments: [
      ("scenario: x", true), ("# c\n\n---\nplaylist: x", true), ("language: 1\nlibrary: x", true),
      ("\u{FEFF}scenario: x", true), ("{ scenario: x }", true), ("{\n  scenario: x }", true),
      ("\"scenario\" : x", true), ("senario: x", true), ("device: TV\nscenario: x", true),
      ("device: TV\r\nscenario: x", true), ("", false), ("# only a comment", false), ("services: {}", false),
      ("play: x", false), ("- hosts: all", false), ("name: x\n  scenario: y", false), ("scenario", false),
      ("kind: scenario", false), ("%YAML 1.2\n---\nversion: 3", false),
    ])
  func sniffing(text: String, isDocument: Bool) {
    #expect(DocumentSniffer.isDocument(Array(text.utf8)) == isDocument)
  }
}
