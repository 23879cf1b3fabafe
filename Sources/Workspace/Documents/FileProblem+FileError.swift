import Glibc
import ScenarioLanguage

extension FileProblem {
  /// A failure to read a file, as documents are told of it.
  init(_ error: FileError) {
    self =
      switch error {
      case .tooLarge(let limit): .tooLarge(limit)
      case .irregular(.link): .symbolicLink
      case .irregular(let kind): .notRegular(kind.rawValue)
      default:
        switch error.code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
        case ELOOP: .symbolicLink
        default: .unreadable(error.message)
        }
      }
  }
}
