/// A document's text and the name to report it under.
package struct SourceFile: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The text alone, without a mark in front of it.
  var text: [UInt8] { bytes.markLength == 0 ? bytes : Array(bytes.dropFirst(bytes.markLength)) }
}

extension Collection<UInt8> {
  /// How many bytes the mark takes with which some programs begin a UTF-8 file.
  var markLength: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
