/// Words of commands that are to be pasted.
package enum ShellWord {
  /// A word that a POSIX shell takes as it is.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { ScalarText.isLetterOrDigit($0) || "_@%+=:,./-".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
