import CastProtocol
import DeviceControl
import Glibc
import MediaServer
import RunReporting
import ScenarioLanguage
import Workspace

extension LocalMedia {
  /// Files that a document names, relative to it and inside its project (docs/design.md 10).
  /// - Parameter document: Its file as it is now.
  static func files(of document: @escaping @Sendable @autoclosure () -> String, by server: MediaServer) -> LocalMedia {
    serving(by: server) { content, host throws(WorkspaceError) in
      let (document, written) = (document(), String(content.url.dropFirst("file:".count)))
      let path = try ProjectFiles(of: document, allowing: []).path(of: written, namedIn: document)
      return try await server.address(of: path, isReal: true, content, for: host)
    }
  }

  /// A file that a person named on the command line, relative to the working directory.
  static func file(by server: MediaServer) -> LocalMedia {
    serving(by: server) { content, host throws(WorkspaceError) in
      try await server.address(of: String(content.url.dropFirst("file:".count)), isReal: false, content, for: host)
    }
  }

  private static func serving(
    by server: MediaServer, _ address: @escaping @Sendable (Content, String) async throws(WorkspaceError) -> String
  ) -> LocalMedia {
    LocalMedia(
      address: { content, host throws(StepFailure) in
        do throws(WorkspaceError) {
          return content.url == black
            ? try await server.blackAddress(for: host) : try await address(content, host)
        } catch {
          let what = content.url == black ? "the black picture" : "`\(content.url)`"
          throw StepFailure(.loadFailed, "\(what) cannot be served: \(error.message)", help: error.help)
        }
      }, fetches: { Fetches(await server.fetches(of: $0, by: $1)) })
  }
}

extension LocalMedia.Fetches {
  fileprivate init(_ fetches: MediaServer.Fetches) {
    let refusals = fetches.refusals
    let refusal =
      if let host = refusals.wrongHost {
        "a request for it came that calls this computer `\(TerminalText.escaped(host))`"
      } else {
        "a request for it came from \(refusals.peer), which is not the device's address "
          + fetches.peers.joined(separator: " or ")
      }
    self.init(count: fetches.count, refused: refusals.count, refusal: refusals.count > 0 ? refusal : nil)
  }
}

extension MediaServer {
  private static let sweepInterval = Duration.seconds(600)

  /// Lets go now and then what nobody used for long, until the task is cancelled.
  func follow(on clock: TimeSource) async {
    while (try? await clock.sleep(for: Self.sweepInterval)) != nil { await sweep() }
  }

  fileprivate func blackAddress(for host: String) async throws(WorkspaceError) -> String {
    do {
      return try await address(ofBlackPictureFor: host)
    } catch {
      throw WorkspaceError(.notReadable, error.message, help: error.help)
    }
  }

  fileprivate func address(
    of path: String, isReal: Bool, _ content: LocalMedia.Content, for host: String
  ) async throws(WorkspaceError) -> String {
    do {
      let hint = Subtitles.Hint(encoding: content.encoding, language: content.language)
      return try await address(ofFile: path, isReal: isReal, hint: hint, for: host)
    } catch {
      throw WorkspaceError(.notReadable, error.message, help: error.help)
    }
  }
}
