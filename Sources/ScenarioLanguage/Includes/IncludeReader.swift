/// Reads the libraries that a document includes, and those that they include, and adds their definitions to it
/// (docs/language/library.md "Include"). What comes out is one document; each node knows the file it stands in.
///
/// `include: [{ file: kit.yaml, as: b }]` of a library with `vars: { host: x }` and
/// `media: { a: { url: "https://${host}/a.mp4" } }` adds `vars: { b.host: x }` and
/// `media: { b.a: { url: "https://${b.host}/a.mp4" } }`.
struct IncludeReader {
  enum Limit {
    static let files = 32
    static let depth = 8
    /// Entries of all the `include:` together, as one file may be named often.
    static let entries = 128
    /// Of the document and all that it includes.
    static let bytes = 2 << 20
    /// Copied to give names a prefix.
    static let nodes = YAMLDocument.Limit.nodes
    static let definitions = 20_000
  }

  /// The document with its libraries' definitions.
  struct Merged {
    var root: YAMLNode
    /// The libraries, in the order read.
    var sources: [SourceFile] = []
    /// As ``YAMLDocument/alreadyReported``, of the libraries.
    var alreadyReported: Set<YAMLDocument.Place> = []
    /// Whether something could not be read, so that any name may be missing.
    var isIncomplete = false
  }

  /// An `include` on the way to the file that is being read.
  private struct Edge {
    var file: String
    var span: SourceSpan
  }

  private var merged: Merged
  private let diagnostics: DiagnosticCollector
  private let inputs: PlanCompiler.Inputs
  private var chain: [Edge] = []
  /// What each file gives away; one that was read once is not read again.
  private var exports: [String: [Definition]] = [:]
  private var bytes: Int
  private var nodes = 0
  private var opened = 0

  static func read(
    _ root: YAMLNode, of source: SourceFile, inputs: PlanCompiler.Inputs,
    reportingTo diagnostics: DiagnosticCollector
  ) -> Merged {
    let pairs = root.pairs ?? []
    guard pairs.contains(where: { $0.key.text == "include" }) else { return Merged(root: root) }
    var reader = IncludeReader(root, source, inputs, diagnostics)
    let brought = reader.definitions(includedBy: pairs, of: source.name)
    reader.merge(brought, into: pairs, span: root.span)
    return reader.merged
  }

  private init(
    _ root: YAMLNode, _ source: SourceFile, _ inputs: PlanCompiler.Inputs, _ diagnostics: DiagnosticCollector
  ) {
    merged = Merged(root: root)
    bytes = source.bytes.count
    self.inputs = inputs
    self.diagnostics = diagnostics
  }

  // MARK: Entries

  /// All that a file's `include` brings, in order, each definition once.
  private mutating func definitions(includedBy pairs: [YAMLNode.Pair], of file: String) -> [Definition] {
    var table = DefinitionTable()
    let variables = pairs.first { $0.key.text == "vars" }?.value.pairs ?? []
    for entry in IncludeEntry.entries(of: pairs) {
      if opened > Limit.entries || diagnostics.budget.isSpent { break }
      if let prefix = entry.prefix, !check(prefix, variables: variables) {
        merged.isIncomplete = true
        continue
      }
      for definition in definitions(of: entry, in: file) { table.addReporting(definition, to: diagnostics) }
      guard table.count <= Limit.definitions else {
        stop(.y311, "includes bring more than \(Limit.definitions) definitions", at: entry.path, "stopped here")
        break
      }
    }
    return table.definitions
  }

  /// What one entry brings, under the names that `as:` gives.
  private mutating func definitions(of entry: IncludeEntry, in file: String) -> [Definition] {
    guard let path = path(of: entry), let library = open(path, entry.path, in: file) else {
      merged.isIncomplete = true
      return []
    }
    guard let all = contents(of: library, by: entry.path, in: file) else {
      merged.isIncomplete = true
      return []
    }
    let chosen = entry.only.map { select($0, from: all, file: library.name) } ?? all
    guard let prefix = entry.prefix?.text else { return chosen }
    // Names are looked up among all of the library: what `only` leaves out is not referred to.
    var walker = ReferenceWalker(chosen, prefix: prefix + ".")
    var result: [Definition] = []
    for definition in chosen {
      result.append(walker.walk(definition))
      guard nodes + walker.visited <= Limit.nodes else {
        stop(.y302, "includes expand this document to more than \(Limit.nodes) nodes", at: entry.path, "stopped here")
        merged.isIncomplete = true
        break
      }
    }
    nodes += walker.visited
    return result
  }

  private mutating func path(of entry: IncludeEntry) -> String? {
    guard let path = entry.path.text else { return nil }
    if path.contains("${") {
      report(
        .t219, "the path of an include cannot come from a variable", at: entry.path,
        help: "paths are written out, so that all files of a document are known")
      return nil
    }
    if path.hasPrefix("/") {
      report(
        .n409, "the path of an include is relative to its file", at: entry.path, "begins with `/`",
        help: "write it from the folder of this document, such as `lib/brand.yaml`")
      return nil
    }
    if URLScalar.looksLikeURL(path.prefix { $0 != "/" }) || path.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      report(
        .n409, "\(ScalarText.quoted(path)) is not a path", at: entry.path,
        help: "includes are files of this project, such as `lib/brand.yaml`")
      return nil
    }
    return path
  }

  private mutating func check(_ prefix: YAMLNode, variables: [YAMLNode.Pair]) -> Bool {
    guard let name = prefix.text else { return false }
    do throws(ScalarProblem) { _ = try NameScalar.id(name, isVariable: true) } catch {
      diagnostics.report(Diagnostic(error, at: prefix))
      return false
    }
    if RunTimeNames.reserved.contains(name) {
      report(.n411, "`\(name)` is built in, an include cannot have its name", at: prefix, help: "call it `my_\(name)`")
      return false
    }
    if let variable = variables.first(where: { $0.key.text == name }) {
      diagnostics.report(
        .error, .n410, "`\(name)` is both a variable and the prefix of an include", at: .init(prefix.span),
        related: [.init(variable.key.span, "declared here")],
        footers: [.help("`${\(name).x}` could mean either; rename one of them")])
      return false
    }
    return true
  }

  /// `only:` with all that it needs.
  private mutating func select(_ names: [YAMLNode], from all: [Definition], file: String) -> [Definition] {
    var walker = ReferenceWalker(all)
    let places = walker.places
    let present = all.indices.reduce(into: Set<Definition.Key>()) { $0.insert(all[$1].key) }
    let keys = Definition.Key.allCases.filter(present.contains)
    func matches(_ name: String) -> [Int] { keys.compactMap { places[Definition.Target(key: $0, name: name)] } }
    var isWanted = [Bool](repeating: false, count: all.count)
    var waiting: [Int] = []
    func want(_ place: Int) {
      if !isWanted[place] { waiting.append(place) }
      isWanted[place] = true
    }
    for node in names {
      if diagnostics.budget.isSpent { break }
      guard let name = node.text else { continue }
      let found = matches(name)
      found.forEach(want)
      if found.isEmpty, !merged.isIncomplete {
        let suggestion =
          diagnostics.budget.allowsSuggestions ? Suggestions.nearest(to: name, among: all.prefix(500).map(\.name)) : nil
        let place = suggestion.flatMap { matches($0).min() }.map { all[$0].pair.key.span }
        diagnostics.report(
          .error, .n406, "`\(file)` defines nothing called \(ScalarText.quoted(name))", at: node,
          Suggestions.label(suggestion),
          related: place.map { [.init($0, "defined here")] } ?? [])
      }
    }
    while let next = waiting.popLast() {
      _ = walker.walk(all[next])
      for target in walker.found { if let place = places[target] { want(place) } }
    }
    return all.indices.filter { isWanted[$0] }.map { all[$0] }
  }

  // MARK: Files

  private mutating func open(_ path: String, _ node: YAMLNode, in file: String) -> SourceFile? {
    opened += 1
    guard opened <= Limit.entries else {
      stop(.y311, "this document has more than \(Limit.entries) includes", at: node, "stopped here")
      return nil
    }
    guard chain.count < Limit.depth else {
      report(
        .y311, "includes nest deeper than \(Limit.depth) files", at: node, "stopped here",
        help: "include what is needed directly")
      return nil
    }
    let source: SourceFile
    switch inputs.includedFile(path, file) {
    case .success(let found): source = found
    case .failure(let problem):
      diagnostics.report(problem.diagnostic(of: path, as: .library, at: node))
      return nil
    }
    if let first = chain.firstIndex(where: { $0.file == source.name }) ?? (source.name == file ? chain.count : nil) {
      reportCircle(from: first, closing: Edge(file: file, span: node.span), name: source.name)
      return nil
    }
    if exports[source.name] != nil { return source }
    guard merged.sources.count < Limit.files else {
      report(.y311, "this document includes more than \(Limit.files) files", at: node, "stopped here")
      return nil
    }
    bytes += source.bytes.count
    guard bytes <= Limit.bytes else {
      stop(.y311, "this document and what it includes are larger than 2 MiB", at: node, "stopped here")
      return nil
    }
    return source
  }

  /// What a library gives away: its includes' definitions and its own.
  private mutating func contents(of source: SourceFile, by node: YAMLNode, in file: String) -> [Definition]? {
    if let known = exports[source.name] { return known }
    merged.sources.append(source)
    exports[source.name] = []
    guard let yaml = YAMLParser.parse(source, reportingTo: diagnostics) else { return nil }
    merged.alreadyReported.formUnion(
      yaml.alreadyReported.map { .init(line: $0.line, column: $0.column, file: source.name) })
    guard let pairs = yaml.root.pairs else {
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.reportShape(yaml.root, expected: "a map of keys such as `library: title`", .init(name: "document"))
      return nil
    }
    guard DocumentReader.readLanguage(pairs, reportingTo: diagnostics),
      let (kind, kindKey) = DocumentReader.readKind(pairs, yaml.root.span, reportingTo: diagnostics)
    else { return nil }
    guard kind == .library else {
      diagnostics.report(
        .error, .k103, "`\(source.name)` is a \(kind.rawValue): only libraries can be included",
        at: .init(node.span), related: [.init(kindKey.span, "the first key makes it a \(kind.rawValue)")],
        footers: [.help("move what both need to a file that begins with `library: title`")])
      return nil
    }
    checkRest(of: pairs, yaml.root.span, kindKey, source)
    chain.append(Edge(file: file, span: node.span))
    let brought = definitions(includedBy: pairs, of: source.name)
    chain.removeLast()
    exports[source.name] = joined(brought, Self.own(pairs))
    return exports[source.name]
  }

  /// A library's own definitions behind those that it includes. The names of its own are all different.
  private func joined(_ brought: [Definition], _ own: [Definition]) -> [Definition] {
    if brought.isEmpty { return own }
    var table = DefinitionTable()
    for definition in brought { _ = table.add(definition) }
    table.addOwn(own, reportingTo: diagnostics)
    return table.definitions
  }

  /// Checks what is no definition; definitions are checked once they are part of the document.
  private mutating func checkRest(
    of pairs: [YAMLNode.Pair], _ span: SourceSpan, _ kindKey: YAMLNode.Key, _ source: SourceFile
  ) {
    let rest = pairs.filter { Definition.Key(rawValue: $0.key.text) == nil || $0.value.pairs == nil }
    var fieldReader = FieldReader(diagnostics: diagnostics, text: SourceText(source), kind: .library)
    var root = YAMLNode(.mapping(rest), span: span)
    fieldReader.readDocument(&root, .library, kindKey)
  }

  private static func own(_ pairs: [YAMLNode.Pair]) -> [Definition] {
    var own: [Definition] = []
    for key in Definition.Key.allCases {
      guard let index = pairs.index(of: key.rawValue), let entries = pairs[index].value.pairs else { continue }
      own.reserveCapacity(own.count + entries.count)
      for var pair in entries {
        pair.key.isImported = true
        own.append(Definition(key: key, pair: pair))
      }
    }
    return own
  }

  // MARK: Joining

  private mutating func merge(_ brought: [Definition], into pairs: [YAMLNode.Pair], span: SourceSpan) {
    var pairs = pairs
    let isLibrary = pairs.first?.key.text == DocumentKind.library.rawValue
    let includeSpan = pairs.first { $0.key.text == "include" }?.key.span ?? span
    var byKey: [Definition.Key: [Definition]] = [:]
    for definition in brought where isLibrary || !definition.isForReceiversAlone {
      byKey[definition.key, default: []].append(definition)
    }
    for key in Definition.Key.allCases {
      guard let imported = byKey[key] else { continue }
      guard let index = pairs.firstIndex(where: { $0.key.text == key.rawValue }) else {
        let node = YAMLNode(.mapping(imported.map(\.pair)), span: includeSpan)
        pairs.append(YAMLNode.Pair(key: YAMLNode.Key(text: key.rawValue, span: includeSpan), value: node))
        continue
      }
      let value = pairs[index].value
      // Nothing behind the key counts as an empty map.
      guard let own = value.pairs ?? (value.isEmpty ? [] : nil) else { continue }
      var table = DefinitionTable()
      for definition in imported { _ = table.add(definition) }
      table.addOwn(own.map { Definition(key: key, pair: $0) }, reportingTo: diagnostics)
      let all = table.definitions
      // Variables may use those above them; everything else is listed with the document's own first.
      let ordered = key == .vars ? all : all.filter { !$0.pair.key.isImported } + all.filter(\.pair.key.isImported)
      pairs[index].value = YAMLNode(.mapping(ordered.map(\.pair)), span: value.span)
    }
    merged.root = YAMLNode(.mapping(pairs), span: span)
  }

  // MARK: Messages

  private mutating func reportCircle(from first: Int, closing: Edge, name: String) {
    let edges = chain + [closing]
    let way = edges.map { "\($0.file):\($0.span.line) → " }.joined() + name
    diagnostics.report(
      .error, .n404, "includes go in a circle", at: .init(edges[first].span, "closes the circle"),
      footers: [.note(way), .help("move the shared definitions to a third file")])
  }

  private mutating func stop(_ code: Code, _ message: String, at node: YAMLNode, _ label: String) {
    diagnostics.reportAndStop(Diagnostic(.error, code, message, at: .init(node.span, label)))
  }

  private mutating func report(
    _ code: Code, _ message: String, at node: YAMLNode, _ label: String = "", help: String? = nil
  ) {
    diagnostics.report(
      .error, code, message, at: .init(node.span, label), footers: help.map { [.help($0)] } ?? [])
  }
}
