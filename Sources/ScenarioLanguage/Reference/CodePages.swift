/// The page of every code, in the order of the code index (docs/language/codes.md "Codes").
package enum CodePages {
  package static let all: [CodePage] = keys + types + yaml + names + cast + plan + run + addresses

  /// The page of a code, in capitals or not.
  package static func page(_ code: String) -> CodePage? {
    let wanted = code.uppercased()
    return all.first { $0.code == wanted }
  }

  /// What the first letter of a code stands for.
  package static let families: [(letter: Character, title: String)] = [
    ("K", "keys and steps"), ("T", "values and their types"), ("Y", "YAML"), ("N", "names"), ("C", "Cast"),
    ("P", "the plan"), ("R", "the run"), ("A", "addresses on the web"),
  ]
}
