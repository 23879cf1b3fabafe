/// The page of every code, in the order of the code index (docs/language/codes.md "Codes").
package enum CodePages {
  package static let all: [CodePage] = keys + types + yaml + names + cast + plan + run + addresses

  /// The page of a code, in capitals or not.
  package static func page(_ code: String) -> CodePage? {
    guard let code = Code(rawValue: code.uppercased()) else { return nil }
    return all.first { $0.code == code }
  }
}
