/// Finds the encoding of a text that does not tell it, as people who write subtitles use them.
///
/// Reads the bytes in every encoding. The reading with the largest share of one language's usual letters wins; of equal
/// ones the first, so Western ones stand first.
enum EncodingGuess {
  private struct LanguageProfile {
    /// BCP 47.
    let language: String
    let encodings: [TextEncoding]
    /// What is usual in a text beyond ASCII.
    let letters: Set<Unicode.Scalar>
    /// Share of the characters beyond ASCII that these letters usually make up.
    let share: Double
    /// Whether letters of ASCII are of its script.
    let isLatin: Bool

    init(_ language: String, _ encodings: [String], _ letters: String, isLatin: Bool = true, share: Double = 1) {
      self.language = language
      self.encodings = encodings.compactMap { TextEncoding($0) }
      self.letters = Set(letters.unicodeScalars)
      self.share = share
      self.isLatin = isLatin
    }
  }

  private static let punctuation = Set("“”„‘’‚«»‹›–—…¿¡°♪€£§ºª·\u{A0}".unicodeScalars)

  private static let western = ["windows-1252"]
  private static let central = ["windows-1250", "iso-8859-2"]
  private static let cyrillic = ["windows-1251", "koi8-r", "ibm866", "iso-8859-5"]

  private static let profiles: [LanguageProfile] = [
    .init("fr", western, "àâçéèêëîïôœùûüÿÀÂÇÉÈÊËÎÏÔŒÙÛÜæ"), .init("de", western, "äöüßÄÖÜé"),
    .init("es", western, "áéíñóúüÁÉÍÑÓÚÜ"), .init("pt", western, "áâãàçéêíóôõúüÁÂÃÀÇÉÊÍÓÔÕÚ"),
    .init("it", western, "àèéìíòóùÀÈÉÌÒÙ"), .init("nl", western, "éëïèöüáóí"), .init("sv", western, "åäöéÅÄÖÉ"),
    .init("da", western, "æøåéÆØÅÉ"), .init("nb", western, "æøåéòôÆØÅ"), .init("fi", western, "äöåÄÖÅ"),
    .init("ca", western, "àçèéíïòóúüÀÇÈÉÍÏÒÓÚ"),
    .init("pl", central, "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"), .init("cs", central, "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
    .init("sk", central, "áäčďéíĺľňóôŕšťúýžÁÄČĎÉÍĽŇÓÔŠŤÚÝŽ"), .init("hu", central, "áéíóöőúüűÁÉÍÓÖŐÚÜŰ"),
    .init("hr", central, "čćđšžČĆĐŠŽ"), .init("sl", central, "čšžČŠŽ"),
    .init("ro", central + ["iso-8859-16"], "ăâîșțşţĂÂÎȘȚŞŢ"),
    .init("tr", ["windows-1254", "iso-8859-9"], "çğıöşüâîÇĞİÖŞÜ"),
    // After Turkish: its text read as windows-1252 has Icelandic letters, and of equal scores the first counts.
    .init("is", western, "áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ"),
    .init("ru", cyrillic, "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", isLatin: false),
    .init("uk", ["windows-1251", "koi8-u", "iso-8859-5"], "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", isLatin: false),
    .init("bg", cyrillic, "абвгдежзийклмнопрстуфхцчшщъьюя", isLatin: false),
    .init("sr", ["windows-1251"], "абвгдђежзијклљмнњопрстћуфхцчџш", isLatin: false),
    .init("el", ["windows-1253", "iso-8859-7"], "αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ", isLatin: false),
    .init("he", ["windows-1255", "iso-8859-8"], "אבגדהוזחטיךכלםמןנסעףפץצקרשת", isLatin: false),
    .init("ar", ["windows-1256", "iso-8859-6"], "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ،؟", isLatin: false),
    .init("th", ["windows-874"], "กขคงจชซดตถทธนบปผพฟภมยรลวศษสหอะาำิีึืุูเแโใไ็่้์ั", isLatin: false),
    .init("lt", ["windows-1257", "iso-8859-13"], "ąčęėįšųūžĄČĘĖĮŠŲŪŽ"),
    .init("lv", ["windows-1257", "iso-8859-13"], "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽ"),
    .init("et", ["windows-1257", "iso-8859-13"], "äöõüšžÄÖÕÜŠŽ"),
    .init("vi", ["windows-1258"], "ăâđêôơưàáãạảèéẹẻẽìíĩỉịòóõọỏùúũụủýỳỵỷỹấầẩẫậắằẳẵặếềểễệốồổỗộớờởỡợứừửữự"),
    // The most frequent of many.
    .init(
      "ja", ["shift-jis", "euc-jp"], "あいうえおかがきくけこごさしじすせそただちってでとどなにねのはばひまみめもやよらりるれろわをん、。ー", isLatin: false, share: 0.45),
    .init("zh-hans", ["gb18030"], "的一是不了在人有我他这个们来到时大地为子你说道那要就下出会可也得里后自以过去没好么吗，。", isLatin: false, share: 0.25),
    .init("zh-hant", ["big5"], "的一是不了在人有我他這個們來到時大地為子你說道那要就下出會可也得裡後自以過去沒好麼嗎，。", isLatin: false, share: 0.25),
    .init("ko", ["euc-kr"], "이가는은을를다에의도지고로하나니있그어아사기시자해서네요인거게", isLatin: false, share: 0.3),
  ]

  /// More bytes are not needed to know a language.
  static let sampled = 64 << 10

  /// The text of bytes beyond ASCII that are no UTF-8.
  /// - Parameter language: A BCP 47 tag.
  static func text(of bytes: [UInt8], language: String?) -> String? {
    let sample = sample(of: bytes)
    var readings: [TextEncoding: String?] = [:]
    /// The likeliest in which all the bytes can be read, of those that are more than `least` likely.
    func best(_ profiles: [LanguageProfile], _ least: Double) -> String? {
      var found: [(score: Double, encoding: TextEncoding)] = []
      for profile in profiles {
        for encoding in profile.encodings {
          let text = readings[encoding] ?? encoding.text(of: sample)
          readings[encoding] = .some(text)
          guard let text else { continue }
          let score = share(of: profile, in: text) / profile.share
          guard score > least else { continue }
          // Before those that are less likely, after equal ones.
          found.insert((score, encoding), at: found.firstIndex { $0.score < score } ?? found.count)
        }
      }
      var tried: Set<TextEncoding> = []
      for (_, encoding) in found where tried.insert(encoding).inserted {
        if let text = sample.count == bytes.count ? readings[encoding] ?? nil : encoding.text(of: bytes) { return text }
      }
      return nil
    }
    // What a document says of the language is right more often than letters are.
    return best(profiles(of: language), 0.8) ?? best(profiles, 0.5)
  }

  /// Whole lines, from the first with a byte beyond ASCII on: no encoding has a character that a line cuts.
  private static func sample(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > sampled else { return bytes }
    let first = bytes.firstIndex { $0 >= 0x80 } ?? 0
    let start = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    // A line that is longer than what is looked at is none.
    let piece = bytes[(first - start < sampled / 2 ? start : first)...].prefix(sampled)
    // No second byte of a character is as low as a blank (GB 18030 has digits).
    let end = piece.endIndex == bytes.count ? nil : piece.lastIndex { $0 <= 0x20 }
    return Array(end.map { piece[...$0] } ?? piece)
  }

  private static func profiles(of language: String?) -> [LanguageProfile] {
    guard let language = language?.lowercased(), let first = language.split(separator: "-").first else { return [] }
    if first == "zh" {
      let isTraditional = ["tw", "hk", "mo", "hant"].contains { language.split(separator: "-").contains($0[...]) }
      return profiles.filter { $0.language == (isTraditional ? "zh-hant" : "zh-hans") }
    }
    return profiles.filter { $0.language == first }
  }

  /// The share of a language's letters among the characters beyond ASCII, or among all letters where its script is not
  /// Latin.
  ///
  /// A capital inside a word counts less: wrong readings, such as of KOI8, are full of them.
  private static func share(of profile: LanguageProfile, in text: String) -> Double {
    var (all, usual) = (0.0, 0.0)
    var isInside = false
    for scalar in text.unicodeScalars {
      defer { isInside = scalar.properties.isAlphabetic }
      if scalar.isASCII {
        if !profile.isLatin, scalar.properties.isAlphabetic { all += 1 }
        continue
      }
      if punctuation.contains(scalar) { continue }
      all += 1
      if profile.letters.contains(scalar) {
        usual += scalar.properties.isUppercase && isInside ? 0.3 : 1
      } else if scalar.properties.isUppercase, !isInside,
        scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy(profile.letters.contains)
      {
        usual += 1
      }
    }
    return all == 0 ? 0 : usual / all
  }
}
