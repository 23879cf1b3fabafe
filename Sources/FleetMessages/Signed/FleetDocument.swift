import CastProtocol
import CastTransport

/// A document for one site, or that there is none any more, as the operator signed it.
package struct FleetDocument: Codable, Hashable, Sendable {
  package struct File: Codable, Hashable, Sendable {
    /// A path below the folder of the document: `cafe.yaml`, `lib/menu.yaml`.
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  /// More and larger ones are not taken (docs/security.md 4.7).
  package static let mostFiles = 100
  package static let fileByteLimit = 1 << 20

  /// What it is called in topics: the id of the playlist.
  package var id: String
  /// Each is larger than the one before it: an old document that somebody sends again counts for nothing.
  package var edition: Int
  /// Unix time at which it was signed.
  package var issued: Int
  /// The document first, then what it includes; none: the site is to show the document no more, unless it says what it
  /// takes back.
  package var files: [File]
  /// The edition whose files these are, where it brings back an older one.
  package var restores: Int?
  /// The edition that is taken back: the site shows again what it had before it, by what it has on its own disk, and
  /// takes the document off only where there was none.
  package var undoes: Int?
  /// The id of the roll-out that it is a part of.
  package var rollout: String?

  package init(id: String, edition: Int, issued: Int, files: [File]) {
    self.id = id
    self.edition = edition
    self.issued = issued
    self.files = files
  }

  /// Whether the site is to show it no more.
  package var isRemoval: Bool { files.isEmpty && undoes == nil }

  /// What tells its files from those of others, as 64 hexadecimal digits.
  package var digest: String {
    let text = files.map { "\($0.name.utf8.count) \($0.text.utf8.count)\n\($0.name)\($0.text)" }.joined()
    return Digest.sha256(Array(text.utf8)) ?? ""
  }

  package enum Problem: Error, Hashable, Sendable {
    case malformed(String)

    package var message: String {
      switch self {
      case .malformed(let why): "it is no document: \(why)"
      }
    }
  }

  /// Reads what was signed.
  package init(signed envelope: SignedEnvelope) throws(Problem) {
    do {
      self = try JSONValue(parsing: envelope.body, limits: .init(depth: 8, length: SignedEnvelope.byteLimit)).decoded()
    } catch let error as JSONDecodingError {
      throw .malformed("\(error.path.isEmpty ? "" : "\(error.path): ")\(error.message)")
    } catch {
      throw .malformed("\(error)")
    }
    guard files.count <= Self.mostFiles else { throw .malformed("more than \(Self.mostFiles) files") }
    for file in files {
      guard file.text.utf8.count <= Self.fileByteLimit else { throw .malformed("`\(file.name)` is larger than 1 MiB") }
      guard Self.isBelow(file.name) else { throw .malformed("`\(file.name)` is no name of a file") }
    }
    guard Set(files.map(\.name)).count == files.count else { throw .malformed("a file is there twice") }
    guard !id.isEmpty, id.utf8.count <= 200 else { throw .malformed("`id` is empty or too long") }
    guard undoes == nil || files.isEmpty else { throw .malformed("it takes something back, and has files") }
    guard edition > 0 else { throw .malformed("`edition` is not above 0") }
  }

  /// Whether a path leads to a file below its folder, and nowhere else.
  package static func isBelow(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 500
      && parts.allSatisfy { part in
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      }
  }

  /// What is signed.
  package var body: [UInt8]? { (try? JSONValue(encoding: self)).map { Array($0.serialized().utf8) } }
}
