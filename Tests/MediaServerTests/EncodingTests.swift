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
