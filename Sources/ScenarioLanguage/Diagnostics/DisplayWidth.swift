/// How many cells of a terminal text takes: carets stand under what they mean even behind Chinese or emoji.
package enum DisplayWidth {
  /// 0 for marks that combine with what is before them, 2 for East Asian wide characters and emoji, else 1.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.value {
    // Vowels and finals of Korean syllables that are written letter by letter.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    // Letters of flags are narrow: two make one wide flag.
    case 0x1F1E6...0x1F1FF: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  package static func of(_ scalars: some Sequence<Unicode.Scalar>) -> Int { scalars.reduce(0) { $0 + of($1) } }

  /// East Asian Width W and F, but for emoji.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
