import Foundation
import ScenarioLanguage
import Testing
import Workspace

@testable import Completions

@Suite struct DocumentNamesTests {
  @Test("A document's variables, rows and scenarios are offered, and nothing of what cannot be read")
  func names() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "completions-tests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let texts = [
      "a.yaml": """
      scenario: A
      device: TV
      vars: { speed: 1 }
      secrets: { token: { env: NOT_SET } }
      matrix: { lang: [en, no] }
      steps: [{ log: "${matrix.lang} ${speed} ${secret.token}" }]
      """,
      "kit.yaml": "library: Kit\nvars: { n: 1 }\n",
    ]
    for (name, text) in texts { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let path = folder.path(percentEncoded: false)
    let names = DocumentNames(in: Surroundings(environment: [:], unixTime: { 0 }))
    #expect(names.settings(path + "/a.yaml") == ["speed"])
    #expect(names.rows(path + "/a.yaml") == ["lang=en", "lang=no"])
    #expect(names.documents(path).map(\.id) == ["a"])
    for file in ["/nowhere.yaml", ""] {
      #expect(names.settings(path + file) == [] && names.rows(path + file) == [])
    }
  }
}
