/// Why a file that a document names cannot be had.
package enum FileProblem: Error, Hashable, Sendable {
  case notFound
  /// It lies outside the project; the folder that files may come from.
  case outside(root: String)
  /// A link, which could lead anywhere.
  case symbolicLink
  /// What it is instead of a file: `a folder`, `a device`.
  case notRegular(String)
  /// Larger than this many bytes.
  case tooLarge(Int)
  case empty
  /// What the system said.
  case unreadable(String)
}
