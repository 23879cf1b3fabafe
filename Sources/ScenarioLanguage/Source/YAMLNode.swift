/// One node of a document, as written: text, style and place, never a guessed type.
package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case scalar(Scalar)
    case sequence([YAMLNode])
    /// Keys are scalars by construction (Y307 otherwise), in the order written.
    case mapping([Pair])
  }

  package struct Scalar: Hashable, Sendable {
    package enum Style: Hashable, Sendable {
      case plain, singleQuoted, doubleQuoted, literal, folded
      /// A word of a command line or of a list: without quotes, and a text whatever it looks like.
      case typed

      /// How many characters stand around the text on each side.
      var quotes: Int { self == .plain || self == .typed ? 0 : 1 }
    }
    package var text: String
    /// What few scalars have, as a list of at most one: there may be 200 000 scalars.
    private var rare: [Rare] = []
    /// What the text says, once it was read as what its field asks for and is sound.
    var value: ScalarValue?
    package var style: Style

    private struct Rare: Hashable, Sendable {
      var deferred: Template?
      var filledFrom: [SourceSpan] = []
      var isRefused = false
    }

    /// Set where the text has placeholders that are not filled yet (`${p0}`, `${attempt}`); `text` is then as written.
    package var deferred: Template? {
      get { rare.first?.deferred }
      set { setRare { $0.deferred = newValue } }
    }
    /// Where parts of the text come from that unrolling put in: arguments, items, values of the matrix.
    package var filledFrom: [SourceSpan] {
      get { rare.first?.filledFrom ?? [] }
      set { setRare { $0.filledFrom = newValue } }
    }
    /// A refused tag stands before it: what the text would have become nobody knows.
    var isRefused: Bool {
      get { rare.first?.isRefused ?? false }
      set { setRare { $0.isRefused = newValue } }
    }

    private mutating func setRare(_ change: (inout Rare) -> Void) {
      var all = rare.first ?? Rare()
      change(&all)
      rare = all == Rare() ? [] : [all]
    }

    package init(text: String, style: Style, deferred: Template? = nil) {
      self.text = text
      self.style = style
      if let deferred { rare = [Rare(deferred: deferred)] }
    }
  }

  package struct Pair: Hashable, Sendable {
    package var key: Key
    package var value: YAMLNode

    package init(key: Key, value: YAMLNode) {
      self.key = key
      self.value = value
    }
  }

  package struct Key: Hashable, Sendable {
    package var text: String
    package var span: SourceSpan
    /// Whether a library brought it.
    package var isImported = false
    private var storedPrefixLength: UInt16 = 0
    /// How many characters of ``text`` an include put in front: `brand.` of `brand.logo`.
    package var prefixLength: Int {
      get { Int(storedPrefixLength) }
      set { storedPrefixLength = UInt16(clamping: newValue) }
    }

    package init(text: String, span: SourceSpan) {
      self.text = text
      self.span = span
    }

    /// The name as written where it is defined.
    package var ownName: String { prefixLength == 0 ? text : String(text.dropFirst(prefixLength)) }
  }

  package var content: Content
  /// Whether the node and all that is in it was read by its type, with nothing to report or to wait for. A changed copy
  /// is a new node, without the mark.
  var isRead = false
  /// The node's own characters; for an alias the place where it is used.
  package var span: SourceSpan
  /// Where substitution took the node from: the `${x}` that stands in the document; `nil` if written here.
  package var substitutedAt: SourceSpan? {
    get { substitution.first }
    set { substitution = newValue.map { [$0] } ?? [] }
  }
  /// ``substitutedAt`` as a list of at most one: an empty list takes 8 bytes, no span 32, and there may be
  /// 200 000 nodes.
  private var substitution: [SourceSpan] = []
  /// Where the document has the value: the `${x}` that brought it, else its own characters.
  package var place: SourceSpan { substitutedAt ?? span }

  package init(_ content: Content, span: SourceSpan, substitutedAt: SourceSpan? = nil) {
    self.content = content
    self.span = span
    if let substitutedAt { substitution = [substitutedAt] }
  }

  /// The text of a scalar that is known now.
  package var text: String? {
    if case .scalar(let scalar) = content, scalar.deferred == nil { scalar.text } else { nil }
  }

  /// What a scalar says, once it was read by its type and is sound.
  var value: ScalarValue? {
    get { if case .scalar(let scalar) = content { scalar.value } else { nil } }
    set {
      guard case .scalar(var scalar) = content else { return }
      content = .sequence([])
      scalar.value = newValue
      content = .scalar(scalar)
    }
  }

  /// Whether it is a word of a command line or of a list.
  var isTyped: Bool { if case .scalar(let scalar) = content { scalar.style == .typed } else { false } }

  /// The entries of a list.
  package var items: [YAMLNode]? { if case .sequence(let items) = content { items } else { nil } }

  /// One entry of a list, which there must be; changed in place.
  subscript(item index: Int) -> YAMLNode {
    get { (items ?? [])[index] }
    _modify {
      guard case .sequence(var items) = content else { preconditionFailure("no list") }
      content = .sequence([])
      defer { content = .sequence(items) }
      yield &items[index]
    }
  }

  /// The value of one entry of a map, which there must be; changed in place.
  subscript(value index: Int) -> YAMLNode {
    get { (pairs ?? [])[index].value }
    _modify {
      guard case .mapping(var pairs) = content else { preconditionFailure("no map") }
      content = .mapping([])
      defer { content = .mapping(pairs) }
      yield &pairs[index].value
    }
  }

  /// Where the entry under `key` stands in a map.
  func index(of key: String) -> Int? { pairs?.index(of: key) }

  /// The entries of a map.
  package var pairs: [Pair]? { if case .mapping(let pairs) = content { pairs } else { nil } }

  /// Whether a refused tag stands before it or before anything inside it.
  var hasRefused: Bool {
    switch content {
    case .scalar(let scalar): scalar.isRefused
    case .sequence(let items): items.contains { $0.hasRefused }
    case .mapping(let pairs): pairs.contains { $0.value.hasRefused }
    }
  }

  /// Whether nothing stands where a value could: `key:` and no more.
  package var isEmpty: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.style == .plain && scalar.text.isEmpty && scalar.deferred == nil
  }

  /// The text with its placeholders; a text without any is one part.
  package var planText: Template? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.deferred ?? Template([.text(scalar.text)])
  }

  /// The name when the whole scalar is one value that only the run knows, such as `${p0}`.
  package var savedName: String? {
    if case .scalar(let scalar) = content { scalar.deferred?.onlyName } else { nil }
  }

  /// The place of a part of a scalar's text, in Unicode scalars; all of it where escapes or folding hide the place.
  ///
  /// - Parameter length: Of the text in Unicode scalars, where the caller has counted them.
  package func span(of range: Range<Int>?, length known: Int? = nil) -> SourceSpan {
    guard let range, case .scalar(let scalar) = content, span.line == span.endLine else { return span }
    let length = known ?? scalar.text.unicodeScalars.count
    let quotes = scalar.style.quotes
    guard span.endColumn - span.column == length + 2 * quotes, range.upperBound <= length else { return span }
    var part = span
    part.column = span.column + quotes + range.lowerBound
    part.endColumn = span.column + quotes + max(range.upperBound, range.lowerBound + 1)
    return part
  }
}

extension [YAMLNode.Pair] {
  /// Where the entry under `key` stands. Closures would be handed a copy of each entry.
  func index(of key: String) -> Int? {
    var index = 0
    while index < count {
      if self[index].key.text == key { return index }
      index += 1
    }
    return nil
  }
}
