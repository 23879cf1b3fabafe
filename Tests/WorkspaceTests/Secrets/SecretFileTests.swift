import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SecretFileTests {
  @Test(
    "One newline at the end is not part of a secret",
    arguments: [
      ("key", "key"), ("key\n", "key"), ("key\r\n", "key"), ("key\n\n", "key\n"), (" key ", " key "), ("é\n", "é"),
      ("a\nb", "a\nb"), ("key\r", "key"),
    ])
  func newline(text: String, secret: String) { #expect(SecretFile.text(of: Array(text.utf8)) == .success(secret)) }

  @Test("What is empty or no text is no secret")
  func nothing() {
    for text in ["", "\n", "\r\n"] { #expect(SecretFile.text(of: Array(text.utf8)) == .failure(.empty)) }
    for bytes: [UInt8] in [[0xFF], [0x61, 0], [0xC3]] {
      #expect(SecretFile.text(of: bytes) == .failure(.unreadable("it is not UTF-8 text")))
    }
  }

  @Test("A file that could be a secret is found out without a run")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("key", "secret\n")
    try folder.link("link", to: "key")
    try folder.write("empty", "")
    try folder.write("largest", String(repeating: "x", count: SecretFile.byteLimit))
    try folder.write("large", String(repeating: "x", count: SecretFile.byteLimit + 1))
    try folder.pipe("pipe")
    let cases: [(String, FileProblem?)] = [
      ("key", nil), ("link", nil), ("largest", nil), ("empty", .empty), ("large", .tooLarge(SecretFile.byteLimit)),
      ("pipe", .notRegular("a pipe")), (".", .notRegular("a folder")), ("missing", .notFound),
      ("key/below", .notFound),
    ]
    for (name, problem) in cases { #expect(SecretFile.problem(with: folder.path(name)) == problem, "\(name)") }
    #expect(SecretFile.read(folder.path("link")) == .success("secret"))
  }

  @Test(
    "A path of a document counts from the document's folder",
    arguments: [
      ("key", "a/film.yaml", "a/key"), ("../key", "a/film.yaml", "a/../key"), ("key", "film.yaml", "./key"),
      ("/key", "a/film.yaml", "/key"), ("key", "/film.yaml", "//key"),
    ])
  func paths(path: String, file: String, whole: String) { #expect(SecretFile.path(path, declaredIn: file) == whole) }
}
