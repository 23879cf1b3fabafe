import Workspace

/// Why a playlist is not served as it was read.
enum PlaylistRefusal: Error {
  /// A secret of this file has no value; which and why was told.
  case secretMissing(String)
  /// A signal came, or serving ends.
  case stopped(any Error)
  case other(WorkspaceError)

  /// What there is to say; `nil`: it ends, and there is nobody to tell.
  var reason: WorkspaceError? {
    switch self {
    case .secretMissing(let file): WorkspaceError(.told, "\(file) has a secret without a value")
    case .stopped: nil
    case .other(let error): error
    }
  }
}
