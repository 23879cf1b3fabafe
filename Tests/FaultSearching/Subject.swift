import Foundation
package import ScenarioLanguage
package import Signage
import Workspace

/// A document that is searched: a scenario that is run, or a playlist that is served.
package struct Subject: Sendable {
  package enum Content: Sendable {
    case scenario(RunnableDocument)
    case playlist(Program)
  }

  /// Below the root of the repository, such as `examples/ads.yaml`.
  package var name: String
  package var content: Content

  package init(name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  package struct Unreadable: Error, CustomStringConvertible {
    package var description: String
  }

  /// Reads a document.
  package init(reading name: String, in root: String) throws {
    let surroundings = Surroundings(environment: [:]) { 1_767_225_600 }
    let loader = DocumentLoader("\(root)/\(name)", inputs: GivenInputs(), in: surroundings)
    self.name = name
    if let playlist = try? loader.loadPlaylist() {
      content = .playlist(Program(playlist.plan, in: try playlist.clocks()))
      return
    }
    do {
      content = .scenario(try loader.runnable(to: "searched", row: [], allowsPrograms: true))
    } catch {
      throw Unreadable(description: "cannot read \(name): \(error)")
    }
  }

  /// All documents of `examples/` and `playlists/` that can be run or served, by name.
  package static func all(in root: String) throws -> [Subject] {
    var subjects: [Subject] = []
    for folder in ["examples", "playlists"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      for file in files.sorted() where file.hasSuffix(".yaml") && file != "lab.yaml" {
        subjects.append(try Subject(reading: "\(folder)/\(file)", in: root))
      }
    }
    return subjects
  }
}
