import CYAML

/// Builds the tree of a document from libyaml's events: text, style and place of every node, no types.
///
/// The parser keeps pointers into itself and into the text, so it lives on the heap and the text stays where it is
/// until it is deleted.
package struct YAMLParser {
  /// Parses a document; `nil` when its text cannot be read, which `diagnostics` then says.
  package static func parse(
    _ file: SourceFile, reportingTo diagnostics: DiagnosticCollector
  ) -> YAMLDocument? {
    guard file.bytes.count <= YAMLDocument.Limit.bytes else {
      let span = SourceSpan(file: file.name, line: 1, column: 1, endLine: 1, endColumn: 2)
      diagnostics.report(
        Diagnostic(
          .error, .y311, "this document is larger than 1 MiB", at: .init(span),
          footers: [.help("split it: definitions can live in a `library:`")]))
      return nil
    }
    guard EncodingCheck.check(file, reportingTo: diagnostics) else { return nil }
    let text = SourceText(file)
    var bytes = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.bytes.dropFirst(3)) : file.bytes
    var broken: Set<YAMLDocument.Place> = []
    // `${x}` in a flow collection ends the parse; with brackets in place of the braces the rest can still be read.
    var repairs = max(1, min(20, 2 * YAMLDocument.Limit.bytes / (bytes.count + 1)))
    while true {
      let attempt = DiagnosticCollector()
      let (root, failure) = parse(&bytes, text, reportingTo: attempt)
      if let failure {
        if let place = FlowSubstitution(failure, in: text) {
          var problem = place.diagnostic
          if repairs == 0 { problem.footers.append(.note("what follows it was not looked at")) }
          diagnostics.report(problem)
          repairs -= 1
          if repairs >= 0, place.repair(&bytes) {
            broken.insert(YAMLDocument.Place(line: place.span.line, column: place.span.column))
            continue
          }
          return nil
        }
        diagnostics.report(attempt)
        // A failure in the line of another message follows from it.
        let isKnown = diagnostics.diagnostics.contains {
          $0.severity == .error && $0.primary.span.file == file.name && $0.primary.span.line == failure.place.line
        }
        if !failure.isReported, !isKnown { diagnostics.report(YAMLSyntaxError.diagnostic(failure, in: text)) }
        return nil
      }
      diagnostics.report(attempt)
      return root.map { YAMLDocument(root: $0.root, broken: broken.union($0.broken), isCut: $0.isCut) }
    }
  }

  private static func parse(
    _ bytes: inout [UInt8], _ text: SourceText, reportingTo diagnostics: DiagnosticCollector
  ) -> (YAMLDocument?, YAMLFailure?) {
    let pointer = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { pointer.deallocate() }
    guard yaml_parser_initialize(pointer) == 1 else { return (nil, .outOfMemory) }
    defer { yaml_parser_delete(pointer) }
    return bytes.withUnsafeBufferPointer { buffer -> (YAMLDocument?, YAMLFailure?) in
      // An empty array may have no address; libyaml wants one.
      let none: [UInt8] = [0x0A]
      return none.withUnsafeBufferPointer { fallback -> (YAMLDocument?, YAMLFailure?) in
        let input = buffer.isEmpty ? fallback : buffer
        yaml_parser_set_input_string(pointer, input.baseAddress, input.count)
        var composer = YAMLComposer(pointer, text, diagnostics)
        do throws(YAMLFailure) { return (try composer.document(), nil) } catch { return (nil, error) }
      }
    }
  }
}
