import DeviceControl
import Glibc
import MediaServer
import RunReporting
import ScenarioLanguage
import Workspace

extension LocalMedia {
  /// Files that a document names, relative to it and inside its project (docs/design.md 10).
  static func files(of document: String, by server: MediaServer) -> LocalMedia {
    LocalMedia(
      address: { url, host throws(StepFailure) in
        let written = String(url.dropFirst("file:".count))
        do throws(WorkspaceError) {
          if url == black { return try await server.blackAddress(for: host) }
          let path = try ProjectFiles(of: document, allowing: []).path(of: written, namedIn: document)
          return try await server.address(of: path, for: host)
        } catch {
          let what = url == black ? "the black picture" : "`\(url)`"
          throw StepFailure(.loadFailed, "\(what) cannot be served: \(error.message)", help: error.help)
        }
      }, wasFetched: { await server.wasFetched($0) })
  }

  /// A file that a person named on the command line, relative to the working directory.
  static func file(by server: MediaServer) -> LocalMedia {
    LocalMedia(
      address: { url, host throws(StepFailure) in
        do throws(WorkspaceError) {
          return try await server.address(of: String(url.dropFirst("file:".count)), for: host)
        } catch {
          throw StepFailure(.loadFailed, "`\(url)` cannot be served: \(error.message)", help: error.help)
        }
      }, wasFetched: { await server.wasFetched($0) })
  }
}

extension MediaServer {
  fileprivate func blackAddress(for host: String) async throws(WorkspaceError) -> String {
    do {
      return try await address(ofBlackPictureFor: host)
    } catch {
      throw WorkspaceError(.notReadable, error.message, help: error.help)
    }
  }

  fileprivate func address(of path: String, for host: String) async throws(WorkspaceError) -> String {
    do {
      return try await address(ofFile: path, for: host)
    } catch {
      throw WorkspaceError(.notReadable, error.message, help: error.help)
    }
  }
}
