/// Finds the encoding of a text that does not tell it, as people who write subtitles use them.
///
/// Reads the bytes in every encoding. The reading with the largest share of one language's usual letters wins; of equal
/// ones the first, so Western ones stand first.
enum EncodingGuess {
  private struct Habit {
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

  private static let habits: [Habit] = [
    Habit("fr", western, "àâçéèêëîïôœùûüÿÀÂÇÉÈÊËÎÏÔŒÙÛÜæ"), Habit("de", western, "äöüßÄÖÜé"),
    Habit("es", western, "áéíñóúüÁÉÍÑÓÚÜ"), Habit("pt", western, "áâãàçéêíóôõúüÁÂÃÀÇÉÊÍÓÔÕÚ"),
    Habit("it", western, "àèéìíòóùÀÈÉÌÒÙ"), Habit("nl", western, "éëïèöüáóí"), Habit("sv", western, "åäöéÅÄÖÉ"),
    Habit("da", western, "æøåéÆØÅÉ"), Habit("nb", western, "æøåéòôÆØÅ"), Habit("fi", western, "äöåÄÖÅ"),
    Habit("ca", western, "àçèéíïòóúüÀÇÈÉÍÏÒÓÚ"),
    Habit("pl", central, "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"), Habit("cs", central, "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
    Habit("sk", central, "áäčďéíĺľňóôŕšťúýžÁÄČĎÉÍĽŇÓÔŠŤÚÝŽ"), Habit("hu", central, "áéíóöőúüűÁÉÍÓÖŐÚÜŰ"),
    Habit("hr", central, "čćđšžČĆĐŠŽ"), Habit("sl", central, "čšžČŠŽ"),
    Habit("ro", central + ["iso-8859-16"], "ăâîșțşţĂÂÎȘȚŞŢ"),
    Habit("tr", ["windows-1254", "iso-8859-9"], "çğıöşüâîÇĞİÖŞÜ"),
    // After Turkish: its text read as windows-1252 has Icelandic letters, and of equal scores the first counts.
    Habit("is", western, "áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ"),
    Habit("ru", cyrillic, "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", isLatin: false),
    Habit("uk", ["windows-1251", "koi8-u", "iso-8859-5"], "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", isLatin: false),
    Habit("bg", cyrillic, "абвгдежзийклмнопрстуфхцчшщъьюя", isLatin: false),
    Habit("sr", ["windows-1251"], "абвгдђежзијклљмнњопрстћуфхцчџш", isLatin: false),
    Habit("el", ["windows-1253", "iso-8859-7"], "αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ", isLatin: false),
    Habit("he", ["windows-1255", "iso-8859-8"], "אבגדהוזחטיךכלםמןנסעףפץצקרשת", isLatin: false),
    Habit("ar", ["windows-1256", "iso-8859-6"], "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ،؟", isLatin: false),
    Habit("th", ["windows-874"], "กขคงจชซดตถทธนบปผพฟภมยรลวศษสหอะาำิีึืุูเแโใไ็่้์ั", isLatin: false),
    Habit("lt", ["windows-1257", "iso-8859-13"], "ąčęėįšųūžĄČĘĖĮŠŲŪŽ"),
    Habit("lv", ["windows-1257", "iso-8859-13"], "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽ"),
    Habit("et", ["windows-1257", "iso-8859-13"], "äöõüšžÄÖÕÜŠŽ"),
    Habit("vi", ["windows-1258"], "ăâđêôơưàáèéìíòóùúý\u{300}\u{301}\u{303}\u{309}\u{323}"),
    // The most frequent of many.
    Habit(
      "ja", ["shift-jis", "euc-jp"], "あいうえおかがきくけこごさしじすせそただちってでとどなにねのはばひまみめもやよらりるれろわをん、。ー", isLatin: false, share: 0.45),
    Habit("zh-hans", ["gb18030"], "的一是不了在人有我他这个们来到时大地为子你说道那要就下出会可也得里后自以过去没好么吗，。", isLatin: false, share: 0.25),
    Habit("zh-hant", ["big5"], "的一是不了在人有我他這個們來到時大地為子你說道那要就下出會可也得裡後自以過去沒好麼嗎，。", isLatin: false, share: 0.25),
    Habit("ko", ["euc-kr"], "이가는은을를다에의도지고로하나니있그어아사기시자해서네요인거게", isLatin: false, share: 0.3),
  ]

  /// The text of bytes beyond ASCII that are no UTF-8.
  /// - Parameter language: A BCP 47 tag.
  static func text(of bytes: [UInt8], language: String?) -> String? {
    var readings: [TextEncoding: String?] = [:]
    func best(_ habits: [Habit]) -> (score: Double, text: String)? {
      var best: (score: Double, text: String)?
      for habit in habits {
        for encoding in habit.encodings {
          let text = readings[encoding] ?? encoding.text(of: bytes)
          readings[encoding] = .some(text)
          guard let text else { continue }
          let score = share(of: habit, in: text) / habit.share
          if score > best?.score ?? 0 { best = (score, text) }
        }
      }
      return best
    }
    // What a document says of the language is right more often than letters are.
    let own = habits(of: language)
    if let found = best(own), found.score > 0.8 { return found.text }
    guard let found = best(habits), found.score > 0.5 else { return nil }
    return found.text
  }

  private static func habits(of language: String?) -> [Habit] {
    guard let language = language?.lowercased(), let first = language.split(separator: "-").first else { return [] }
    if first == "zh" {
      let isTraditional = ["tw", "hk", "mo", "hant"].contains { language.split(separator: "-").contains($0[...]) }
      return habits.filter { $0.language == (isTraditional ? "zh-hant" : "zh-hans") }
    }
    return habits.filter { $0.language == first }
  }

  /// The share of a language's letters among the characters beyond ASCII, or among all letters where its script is not
  /// Latin.
  ///
  /// A capital inside a word counts less: wrong readings, such as of KOI8, are full of them.
  private static func share(of habit: Habit, in text: String) -> Double {
    var (all, usual) = (0.0, 0.0)
    var isInside = false
    for scalar in text.unicodeScalars {
      defer { isInside = scalar.properties.isAlphabetic }
      if scalar.isASCII {
        if !habit.isLatin, scalar.properties.isAlphabetic { all += 1 }
        continue
      }
      if punctuation.contains(scalar) { continue }
      all += 1
      if habit.letters.contains(scalar) {
        usual += scalar.properties.isUppercase && isInside ? 0.3 : 1
      } else if scalar.properties.isUppercase, !isInside,
        scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy(habit.letters.contains)
      {
        usual += 1
      }
    }
    return all == 0 ? 0 : usual / all
  }
}
