import Foundation
import Testing

@testable import MediaServer

/// Subtitles in what people write them in.
@Suite struct EncodingTests {
  static let texts: [(language: String, encodings: [String], text: String)] = [
    (
      "pl", ["CP1250", "ISO-8859-2"],
      "Zażółć gęślą jaźń. Proszę pana, czy to możliwe? Nie wiem, może jutro będę wiedział."
    ),
    ("cs", ["CP1250", "ISO-8859-2"], "Příliš žluťoučký kůň úpěl ďábelské ódy. Kde jsi byl? Hledal jsem tě všude."),
    (
      "hu", ["CP1250", "ISO-8859-2"],
      "Árvíztűrő tükörfúrógép. Hol voltál? Mindenhol kerestelek, nem tudtam, mi történt."
    ),
    (
      "ru", ["CP1251", "KOI8-R", "CP866", "ISO-8859-5"],
      "Где ты был? Я искал тебя повсюду. Никто не знает, что случилось."
    ),
    ("uk", ["CP1251", "KOI8-U"], "Де ти був? Я шукав тебе всюди. Ніхто не знає, що сталося. Її немає."),
    ("el", ["ISO-8859-7"], "Πού ήσουν; Σε έψαχνα παντού. Κανείς δεν ξέρει τι συνέβη."),
    ("tr", ["CP1254"], "Neredeydin? Her yerde seni aradım. Kimse ne olduğunu bilmiyor, şimdi gidiyoruz."),
    ("vi", ["CP1258"], "Bạn ở đâu? Tôi đã tìm bạn khắp nơi. Không ai biết chuyện gì đã xảy ra."),
    ("ja", ["CP932", "EUC-JP"], "どこにいたの？ずっと探していたんだ。何が起きたのか、だれも知らない。"),
    ("zh-CN", ["GBK"], "你在哪里？我到处找你。没有人知道发生了什么，我们要走了。"),
    ("zh-TW", ["BIG5"], "你在哪裡？我到處找你。沒有人知道發生了什麼，我們要走了。"),
    ("ko", ["CP949"], "어디에 있었어? 너를 찾고 있었다. 아무도 무슨 일이 있었는지 모른다."),
    ("fr", ["CP1252"], "Où étais-tu ? Je t’ai cherché partout, ça m’a inquiété. Œuvre à côté – “déjà”."),
    ("de", ["CP1252"], "Wo warst du? Ich habe dich überall gesucht. Größe, Äpfel, Öl und Übung."),
    ("es", ["CP1252"], "¿Dónde estabas? Te busqué por todas partes. ¡Qué niño más pequeño!"),
    ("sv", ["CP1252"], "Var var du? Jag letade efter dig överallt. Så är det, räksmörgås på båten."),
  ]

  private static func bytes(_ text: String, _ encoding: String) throws -> [UInt8] {
    let converter = iconv_open(encoding, "UTF-8")
    defer { iconv_close(converter) }
    var source = Array(text.utf8)
    var result = [UInt8](repeating: 0, count: source.count * 4)
    let count = source.withUnsafeMutableBytes { source in
      result.withUnsafeMutableBytes { result in
        var (from, to) = (source.bindMemory(to: CChar.self).baseAddress, result.bindMemory(to: CChar.self).baseAddress)
        var (left, room) = (source.count, result.count)
        guard iconv(converter, &from, &left, &to, &room) == 0 else { return 0 }
        return result.count - room
      }
    }
    try #require(count > 0, "\(encoding) has no way to write \(text)")
    return Array(result[..<count])
  }

  private static func read(_ bytes: [UInt8], encoding: String? = nil, language: String? = nil) throws -> String {
    let hint = Subtitles.Hint(encoding: encoding, language: language)
    return String(decoding: try Subtitles.webVTT(bytes, hint), as: UTF8.self)
  }

  @Test("Each is read with its language known, unknown, or taken for English", arguments: texts.indices)
  func guessed(index: Int) throws {
    let (language, encodings, text) = Self.texts[index]
    for encoding in encodings {
      let bytes = try Self.bytes(text, encoding)
      for known in [language, nil, "en"] {
        #expect(try Self.read(bytes, language: known).contains(text), "\(encoding), \(known ?? "unknown")")
      }
    }
  }

  @Test(
    "A line or two is enough where the language is known",
    arguments: [
      ("pl", "CP1250", "Tak, już idę."), ("cs", "CP1250", "Už jdu."), ("ru", "KOI8-R", "Да."), ("ja", "CP932", "はい。"),
    ])
  func short(language: String, encoding: String, text: String) throws {
    #expect(try Self.read(try Self.bytes(text, encoding), language: language).contains(text))
  }

  @Test("What a person says counts, a mark counts more, and what it cannot be is an error")
  func explicit() throws {
    let text = "Ã€ la carte"
    #expect(try Self.read(Array("À la carte".utf8), encoding: "cp1252").contains(text), "UTF-8 read as another")
    #expect(try Self.read([0xEF, 0xBB, 0xBF] + Array("À".utf8), encoding: "koi8-r").contains("À"))
    #expect(try Self.read(try Self.bytes("ź", "ISO-8859-2"), encoding: "ISO_8859-2").contains("ź"))
    #expect(try Self.read(try Self.bytes("あ", "CP932"), encoding: "Shift_JIS").contains("あ"))
    #expect(throws: MediaFile.Failure.self) { try Self.read([0x41], encoding: "klingon") }
    #expect(throws: MediaFile.Failure.self) { try Self.read([0x41], encoding: "UTF-8//IGNORE") }
    #expect(throws: MediaFile.Failure.self) { try Self.read([0xFF, 0xFF], encoding: "euc-jp") }
  }

  @Test(
    "The last letter is there, also in encodings where an accent could follow it",
    arguments: [
      ("windows-1258", [0x42, 0x61, 0xF2, 0x6E], "Bạn"), ("windows-1258", [0x61], "a"),
      ("windows-1255", [0xF9, 0xEC, 0xE5, 0xED], "שלום"), ("windows-1258", [0x61, 0xF2], "ạ"),
    ] as [(String, [UInt8], String)])
  func last(encoding: String, bytes: [UInt8], text: String) throws {
    #expect(TextEncoding(encoding)?.text(of: bytes) == text)
  }

  private static func lines(_ text: String, _ encoding: String, atLeast count: Int) throws -> [UInt8] {
    let line = try bytes(text, encoding) + [0x0A]
    return Array(repeating: line, count: count / line.count + 1).flatMap(\.self)
  }

  @Test("The first 64 KiB beyond ASCII say what a long text is in, whatever comes before and after")
  func long() throws {
    let polish = try Self.lines("Zażółć gęślą jaźń, już wiedział", "CP1250", atLeast: EncodingGuess.sampled)
    let french = try Self.lines(
      "Où étais-tu, ça m’a inquiété, déjà à côté", "CP1252", atLeast: 2 * EncodingGuess.sampled)
    let english = try Self.lines("Where were you?", "CP1252", atLeast: EncodingGuess.sampled + 99)
    let text = try #require(EncodingGuess.text(of: english + polish + french, language: nil))
    #expect(text.contains("\nZażółć gęślą jaźń, już wiedział\n") && text.utf8.count > polish.count + french.count)
    #expect(text.hasPrefix("Where were you?\n"))
  }

  static let wide = texts.filter { ["ja", "zh-CN", "zh-TW", "ko"].contains($0.language) }
    .flatMap { text in text.encodings.map { (text.language, $0, text.text) } }

  @Test("A long text is not cut in the middle of a character to find its encoding", arguments: wide)
  func cuts(language: String, encoding: String, text: String) throws {
    // The line does not divide 64 KiB; one of two places is in the middle of a character.
    for start in [[], [0x61]] as [[UInt8]] {
      let bytes = start + (try Self.lines(text, encoding, atLeast: EncodingGuess.sampled + 9_000))
      let found = try #require(EncodingGuess.text(of: bytes, language: language))
      #expect(found.contains(text + "\n" + text) && found.hasSuffix(text + "\n"), "\(encoding)")
    }
  }

  @Test("An encoding that the rest of a long text cannot be in is not the one")
  func rest() throws {
    let greek = try Self.lines("Πού ήσουν; Σε έψαχνα παντού.", "ISO-8859-7", atLeast: EncodingGuess.sampled)
    // Neither Greek encoding has it.
    let text = try Subtitles.text(of: greek + [0xD2], Subtitles.Hint(language: "el"))
    #expect(text.count == greek.count + 1 && !text.contains("Σε"))
  }

  @Test("Every encoding that is offered is one that this computer has", arguments: TextEncoding.known)
  func known(name: String) throws {
    #expect(TextEncoding(name)?.text(of: Array("00".utf8)) != nil)
  }

  @Test("Any bytes are some text, and never harm")
  func anything() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      for name in [nil] + TextEncoding.known.map(Optional.some) { _ = try? Self.read(bytes, encoding: name) }
      #expect(throws: Never.self) { try Self.read(bytes) }
    }
  }
}
