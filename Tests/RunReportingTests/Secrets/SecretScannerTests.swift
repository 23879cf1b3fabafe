import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

@Suite struct SecretScannerTests {
  private static let value = "p@ss/w0rd ü+x"

  static let spellings: [String] = [
    "p@ss/w0rd ü+x", "p%40ss%2Fw0rd%20%C3%BC%2Bx", "p%40ss%2fw0rd%20%c3%bc%2bx", "p%40ss%2Fw0rd+%C3%BC%2Bx",
    "p@ss/w0rd%20%C3%BC+x", "cEBzcy93MHJkIMO8K3g", "p@ss\\/w0rd ü+x",
  ]
  @Test("A value is found as it is, percent-encoded, in base64 and as JSON escapes it", arguments: spellings)
  func spelling(form: String) {
    let secrets = Secrets(["token": Self.value])
    #expect(secrets.hidden("<\(form)>").hasPrefix("<‹secret.token›"))
  }

  @Test("A secret that is saved again and again takes no more room, and its last values stay secret")
  func bounded() throws {
    let secrets = Secrets(["fixed": "hunter2-hunter2"], saved: ["ticket"])
    func value(_ number: Int) -> String { "ticket-number-\(number)" }
    for number in 0..<300 {
      secrets.set(value(number), for: "ticket")
      _ = try secrets.revealed("https://cdn.example.com/?t=\(SecretPlaceholder.text(for: "ticket"))&n=\(number)")
    }
    let room = secrets.count
    for number in 300..<9000 {
      secrets.set(value(number), for: "ticket")
      _ = try secrets.revealed("https://cdn.example.com/?t=\(SecretPlaceholder.text(for: "ticket"))&n=\(number)")
    }
    #expect(secrets.count <= room + Secrets.rememberedTexts)
    for number in 9000 - Secrets.rememberedValues..<9000 {
      #expect(secrets.hidden("<\(value(number))>") == "<‹secret.ticket›>")
      #expect(secrets.hidden(value(number)) == "‹secret.ticket›")
    }
    #expect(secrets.hidden("hunter2-hunter2") == "‹secret.fixed›")
  }

  @Test("Of two secrets of one value the one that goes on stays secret")
  func shared() {
    let secrets = Secrets(["fixed": "a b c d e f g", "other": "a%20b%20c%20d%20e%20f%20g"], saved: ["ticket"])
    secrets.set("a b c d e f g", for: "ticket")
    for number in 0..<100 { secrets.set("ticket-number-\(number)", for: "ticket") }
    for text in ["a b c d e f g", "<a b c d e f g>", "a%20b%20c%20d%20e%20f%20g!"] {
      #expect(secrets.hidden(text).contains("‹secret."), "\(text)")
    }
  }

  @Test("In base64 a value is found wherever it begins", arguments: ["", "u", "us", "user:", "a longer user:"])
  func base64(prefix: String) throws {
    let secrets = Secrets(["token": "correct horse battery"])
    let text = Self.base64(Array((prefix + "correct horse battery" + "!").utf8))
    let hidden = secrets.hidden("Basic \(text)")
    #expect(hidden.contains("‹secret.token›"), "\(text) \(hidden)")
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.count)])
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
      for index in 0...group.count { result.append(alphabet[bits >> (18 - 6 * index) & 63]) }
    }
    return result
  }

  @Test("A short value is not looked for inside texts, but known again where it was sent as a whole")
  func short() throws {
    let secrets = Secrets(["pin": "e1"])
    #expect(secrets.hidden("the e1 of e1") == "the e1 of e1")
    #expect(secrets.hidden("e1") == "‹secret.pin›")
    #expect(try secrets.revealed("https://x.example.com/?p=‹secret.pin›") == "https://x.example.com/?p=e1")
    #expect(secrets.hidden("https://x.example.com/?p=e1") == "https://x.example.com/?p=‹secret.pin›")
  }

  @Test("Of two values that overlap the longer one is hidden")
  func overlap() {
    let secrets = Secrets(["a": "hunter2hunter2", "b": "hunter2hunter2hunter2"])
    #expect(secrets.hidden("x hunter2hunter2hunter2 y hunter2hunter2 z") == "x ‹secret.b› y ‹secret.a› z")
  }

  @Test("A value is found beside what joins with its letters")
  func combining() {
    let secrets = Secrets(["a": "hunter2hunter2"])
    #expect(!secrets.hidden("hunter2hunter2\u{301}").contains("hunter2"))
  }

  @Test("Values are put in once: what a value holds is not looked through again")
  func once() throws {
    let secrets = Secrets(["a": "‹secret.b›", "b": "the other value"])
    #expect(try secrets.revealed("‹secret.a›") == "‹secret.b›")
  }

  @Test("JSON is hidden all the way down, names included, and revealed in its texts")
  func json() throws {
    let secrets = Secrets(["a": "hunter2hunter2"])
    let told = secrets.hidden(["hunter2hunter2": ["x": ["hunter2hunter2", 1, .null, true]]] as JSONValue)
    #expect(told == ["‹secret.a›": ["x": ["‹secret.a›", 1, .null, true]]])
    #expect(try secrets.revealed(["x": ["‹secret.a›", 1]] as JSONValue) == ["x": ["hunter2hunter2", 1]])
  }

  @Test("The container itself says nothing")
  func silent() {
    let secrets = Secrets(["a": "hunter2hunter2"])
    var dumped = ""
    dump(secrets, to: &dumped)
    for text in ["\(secrets)", String(reflecting: secrets), dumped] { #expect(!text.contains("hunter2")) }
  }

  @Test("A secret that a step saves has no value before, and is hidden from then on")
  func saved() throws {
    let secrets = Secrets(saved: ["ticket"])
    #expect(throws: StepFailure.self) { _ = try secrets.revealed("‹secret.ticket›") }
    secrets.set("hunter2hunter2", for: "ticket")
    #expect(try secrets.revealed("‹secret.ticket›") == "hunter2hunter2")
    #expect(secrets.hidden("a hunter2hunter2") == "a ‹secret.ticket›")
    secrets.set("correct horse", for: "ticket")
    #expect(secrets.hidden("hunter2hunter2, correct horse") == "‹secret.ticket›, ‹secret.ticket›")
  }
}
