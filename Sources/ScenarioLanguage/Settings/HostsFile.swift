package import CastProtocol

/// The file of devices that need no discovery: one `address[:port] [name]` a line, `#` begins a comment
/// (docs/design.md 10.4).
package struct HostsFile: Hashable, Sendable {
  package static let entryLimit = 1_000

  package struct Entry: Hashable, Sendable {
    package var address: HostAndPort
    /// The address where the line gives no name.
    package var name: String
    package var span: SourceSpan
  }

  /// In the file's order.
  package var entries: [Entry] = []

  package init() {}

  /// Reads a hosts file. A line that is wrong is told and passed over: the others count.
  package static func read(_ source: SourceFile) -> (hosts: HostsFile, problems: [Diagnostic]) {
    let problems = DiagnosticCollector()
    var hosts = HostsFile()
    guard EncodingCheck.check(source, reportingTo: problems) else {
      return (hosts, problems.finished(file: source.name, in: [source]))
    }
    let scalars = String(decoding: source.bytes, as: UTF8.self).unicodeScalars
    for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      hosts.read(Array(line), number: index + 1, of: source.name, reportingTo: problems)
    }
    return (hosts, problems.finished(file: source.name, in: [source]))
  }

  private mutating func read(
    _ line: [Unicode.Scalar], number: Int, of file: String, reportingTo problems: DiagnosticCollector
  ) {
    var scalars = line
    if number == 1, scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\r" }
    // As in YAML, `#` begins a comment at the start of a word: names may hold one.
    let comment = scalars.indices.first { scalars[$0] == "#" && ($0 == 0 || isBlank(scalars[$0 - 1])) }
    if let comment { scalars.removeSubrange(comment...) }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    guard let start = scalars.firstIndex(where: { !isBlank($0) }) else { return }
    let end = scalars[start...].firstIndex(where: isBlank) ?? scalars.endIndex
    let span = SourceSpan(file: file, line: number, column: start + 1, endLine: number, endColumn: end + 1)
    guard entries.count < Self.entryLimit else {
      if !problems.hasErrors {
        problems.report(.error, .t213, "more than \(Self.entryLimit) devices", at: .init(span))
      }
      return
    }
    let written = Self.text(scalars[start..<end])
    let name = Self.text(scalars[end...].drop(while: isBlank))
    do {
      let address = try NameScalar.host(written)
      let entry = Entry(address: address, name: name.isEmpty ? written : name, span: span)
      // A line that is there twice, as `echo >>` leaves it, is one device.
      if entries.contains(where: { $0.address == entry.address && $0.name == entry.name }) { return }
      entries.append(entry)
    } catch {
      problems.report(.error, error.code, error.message, at: .init(span, error.label), footers: error.footers)
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
