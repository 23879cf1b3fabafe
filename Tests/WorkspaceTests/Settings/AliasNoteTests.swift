import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct AliasNoteTests {
  private static let aliases = SettingsFile.read(
    SourceFile(
      name: "config.yaml", bytes: Array("aliases:\n  kitchen: Kitchen speaker\n  lobby: { host: 192.0.2.14 }\n".utf8))
  ).settings.aliases

  private static func note(for name: String, in file: String, aliases: [SettingsFile.Alias] = aliases) -> String? {
    let span = SourceSpan(file: file, line: 1, column: 1, endLine: 1, endColumn: 1)
    return Plan.DeviceSelector(spelled: name, at: span).flatMap { AliasNote.text(for: $0, aliases: aliases) }
  }

  @Test(
    "What was typed is compared with what aliases stand for, and with their names",
    arguments: [
      ("Kitchen speaker", "`kitchen` is an alias for it (config.yaml:2)"),
      ("192.0.2.14", "`lobby` is an alias for it (config.yaml:3)"),
      ("kitchn", "the settings have the alias `kitchen`"), ("Cellar", nil), ("192.0.2.15", nil),
    ])
  func typed(name: String, note: String?) {
    #expect(Self.note(for: name, in: SourceSpan.commandLine) == note)
    #expect(Self.note(for: name, in: "config.yaml") == note, "the settings themselves name it")
  }

  @Test(
    "A document does not know aliases, and is told so where it uses one",
    arguments: [
      (
        "kitchen",
        "`kitchen` is an alias of the settings, which documents do not know: write `device: Kitchen speaker`, or run "
          + "with `--device kitchen`"
      ),
      (
        "lobby",
        "`lobby` is an alias of the settings, which documents do not know: write its own name, or run with "
          + "`--device lobby`"
      ), ("kitchn", nil), ("Kitchen speaker", nil),
    ])
  func written(name: String, note: String?) { #expect(Self.note(for: name, in: "film.yaml") == note) }

  @Test("Without aliases there is nothing to say")
  func none() {
    #expect(Self.note(for: "kitchen", in: SourceSpan.commandLine, aliases: []) == nil)
    #expect(Self.note(for: "kitchen", in: "film.yaml", aliases: []) == nil)
  }
}
