import Testing

@testable import ScenarioLanguage

@Suite struct NameTableTests {
  @Test("Every name of every table of the language is found at its place, and no other text is")
  func tables() {
    let tables = LanguageSchema.maps.map { $0.keys.map(\.name) } + [LanguageSchema.verbNames]
    for names in tables {
      let table = NameTable(names)
      for (place, name) in names.enumerated() {
        #expect(table[name] == place)
        // As long and with the same ends, or nearly so: what a table must tell apart by comparing.
        let others = [
          name + "x", String(name.dropLast()), name.uppercased(), "\(name.prefix(1))\u{E9}\(name.suffix(1))",
        ]
        for other in others { #expect(table[other] == names.firstIndex(of: other), "\(other)") }
      }
    }
  }

  @Test("An empty table knows nothing, an empty name can be one, and the first of two alike counts")
  func edges() {
    #expect(NameTable([])["x"] == nil && NameTable([])[""] == nil)
    #expect(NameTable(["a", "", "a"])[""] == 1)
    #expect(NameTable(["b", "a", "a"])["a"] == 1)
  }
}
