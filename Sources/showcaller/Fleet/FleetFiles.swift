import FleetMessages
import ScenarioLanguage
import Workspace

/// A playlist and what it includes, as it goes to sites.
enum FleetFiles {
  /// The files, named from the folder of the document.
  /// - Throws: Where one lies elsewhere, or they are more than sites take.
  static func of(_ loaded: LoadedPlaylist, at path: String) throws -> [FleetDocument.File] {
    let sources = loaded.sources.filter { !$0.bytes.isEmpty }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var files: [FleetDocument.File] = []
    for (index, source) in sources.enumerated() {
      // Standard input has a name that no file can have.
      let name = index == 0 && path == "-" ? "\(loaded.plan.id).yaml" : relative(source.name, to: folder)
      guard let name, let text = String(validating: source.bytes, as: UTF8.self) else {
        throw CommandFailure(
          .documentInvalid, "\(source.name) lies outside of the folder of \(path), and sites get that folder only",
          help: "move it below that folder")
      }
      if files.contains(where: { $0.name == name }) { continue }
      files.append(FleetDocument.File(name: name, text: text))
    }
    guard files.count <= FleetDocument.mostFiles else {
      throw CommandFailure(
        .documentInvalid, "\(path) has \(files.count) files, and sites take \(FleetDocument.mostFiles)")
    }
    let body = FleetDocument(id: loaded.plan.id, edition: .max, issued: .max, files: files).body
    // Room for the line with the signature, and for what a roll-out adds.
    guard let body, body.count <= SignedEnvelope.byteLimit - 1_000 else {
      throw CommandFailure(
        .documentInvalid, "\(path) and its files are larger than \(SignedEnvelope.byteLimit >> 20) MiB",
        help: "leave out what the playlist does not need: `only:` of an include does not make a file smaller")
    }
    return files
  }

  private static func relative(_ name: String, to folder: String) -> String? {
    // The names of sources are as short as people would write them, and so is the folder's.
    let parts = name.split(separator: "/"), base = folder.split(separator: "/").filter { $0 != "." }
    let own = parts.filter { $0 != "." }
    guard own.starts(with: base), own.count > base.count, !own.dropFirst(base.count).contains(".."),
      name.hasPrefix("/") == folder.hasPrefix("/")
    else { return nil }
    return own.dropFirst(base.count).joined(separator: "/")
  }
}
