import CastProtocol

/// What a document defines for its steps and rules to use.
struct Definitions: Sendable {
  var media = SymbolTable<CompiledMedia>()
  /// Media that are there but cannot be used; their problems are known.
  var brokenMedia: Set<String> = []
  var textStyles = SymbolTable<TextTrackStyle>()
  /// App ids by name.
  var apps = SymbolTable<String>()
  var inventory = SymbolTable<InventoryEntry>()
  var roles = SymbolTable<Plan.DeviceSelector>()
  private var taggedEntries: [String: [Plan.DeviceSelector]] = [:]
  var likes: LikeResolver
  let fileExists: @Sendable (String) -> Bool
  let receiversAreHere: Bool

  /// One known device (docs/language/devices.md "Inventory").
  struct InventoryEntry: Sendable {
    var name: String?
    var id: String?
    var host: HostAndPort?
    var model: String?
    var tags: [String] = []
    var requirements = Plan.DeviceRequirements()
    /// What other systems call the device.
    var foreignIDs: [String: String]?

    init(_ map: FieldMap, reportingTo problems: DiagnosticCollector) {
      name = map.text("name")
      id = map.text("id")
      host = map.host("host")
      model = map.text("model")
      tags = map.texts("tags")
      foreignIDs = map.has("ids") ? map.texts(by: "ids") : nil
      requirements.features = map.texts("expect")
      requirements.featuresSpan = map.keySpan("expect")
      requirements.authentication = map.choice("auth", as: Plan.DeviceRequirements.Authentication.self) ?? .report
      requirements.allowsLegacyTLS = map.text("tls") == "legacy"
      requirements.page = map.node("receiver").flatMap { node in
        node.webAddress(reportingTo: problems) { _ in "such as `http://localhost:3000/`" }
      }
      requirements.pageSpan = requirements.page == nil ? nil : map.keySpan("receiver")
    }

    /// The id or address decides where there is one; a name may have changed.
    func selector(named inventoryID: String, at span: SourceSpan) -> Plan.DeviceSelector {
      var selector = Plan.DeviceSelector(span: span)
      selector.inventoryID = inventoryID
      selector.name = id == nil && host == nil ? name : nil
      selector.id = id
      selector.host = host
      selector.model = name == nil && id == nil && host == nil ? model : nil
      // A page needs no other name.
      if requirements.page != nil, id == nil, host == nil, name == nil { selector.name = inventoryID }
      selector.requirements = requirements
      selector.foreignIDs = foreignIDs
      return selector
    }
  }

  /// Reads the definitions of a document of any kind.
  init(
    _ root: FieldMap, names: DefinedNames, fileExists: @escaping @Sendable (String) -> Bool,
    receiversAreHere: Bool = false,
    reportingTo problems: DiagnosticCollector
  ) {
    self.fileExists = fileExists
    self.receiversAreHere = receiversAreHere
    likes = LikeResolver(root)
    media.isIncomplete = names[.media].isIncomplete
    textStyles.isIncomplete = names[.textStyle].isIncomplete
    apps.isIncomplete = names[.app].isIncomplete
    for entry in root.entries("text_styles") where !problems.budget.isSpent {
      guard let map = entry.map else { continue }
      textStyles.define(
        entry.key,
        TextStyleCompiler.style(likes.resolved(map, .textStyle, reportingTo: problems), reportingTo: problems))
    }
    for entry in root.entries("apps") where !problems.budget.isSpent {
      // One without an id is an error by itself; its uses need no second message.
      apps.define(entry.key, appID(entry, reportingTo: problems) ?? StepCompiler.defaultMediaReceiver)
    }
    for base in root.entries("apps").compactMap({ $0.map?.text("like") }) { _ = apps.use(base) }
    for entry in root.entries("inventory") where !problems.budget.isSpent {
      guard let map = entry.map else { continue }
      // A `host` inherited through `like` is no mistake.
      if let receiver = map.keySpan("receiver"), let host = map.keySpan("host") {
        problems.report(
          .error, .k107, "`host` has no effect beside `receiver`", at: .init(host, "leave it out"),
          related: [.init(receiver, "this page is shown in place of a device")],
          footers: [.help("without `receiver` the entry is the device at that address")])
      }
      inventory.define(
        entry.key,
        InventoryEntry(likes.resolved(map, .inventory, reportingTo: problems), reportingTo: problems))
    }
    if root.spec.contains("roles") {
      for entry in root.entries("roles") {
        if let selector = selector(entry.node, map: entry.map) { roles.define(entry.key, selector) }
      }
    }
    // One compiler for all: each would copy what it knows of `like`.
    var compiler = MediaCompiler(
      styles: textStyles, likes: likes, fileExists: fileExists, receiversAreHere: receiversAreHere, problems: problems)
    for entry in root.entries("media") where !problems.budget.isSpent {
      guard let map = entry.map else {
        brokenMedia.insert(entry.key.text)
        continue
      }
      media.define(entry.key, compiler.media(map, id: entry.key.text))
    }
    textStyles = compiler.styles
    likes = compiler.likes
    for base in root.entries("media").compactMap({ $0.map?.text("like") }) { _ = media.use(base) }
    for base in root.entries("text_styles").compactMap({ $0.map?.text("like") }) { _ = textStyles.use(base) }
    if apps["default"] == nil {
      apps.define(YAMLNode.Key(text: "default", span: root.span), StepCompiler.defaultMediaReceiver)
      _ = apps.use("default")
    }
  }

  /// The id of an app: written as one value, in a map, or by the app that it starts from.
  private mutating func appID(_ entry: FieldMap.Entry, reportingTo problems: DiagnosticCollector) -> String? {
    guard let map = entry.map else { return entry.node.text }
    let resolved = likes.resolved(map, .app, reportingTo: problems)
    if let id = resolved.text("id") { return id }
    // The app it starts from may be written as one value.
    return likes.lastText(from: map, .app)
  }

  // MARK: Media

  /// Runs a part of the media compiler with what is defined.
  mutating func withMedia<Result>(
    reportingTo problems: DiagnosticCollector, _ body: (inout MediaCompiler) -> Result
  ) -> Result {
    var compiler = MediaCompiler(
      styles: textStyles, likes: likes, fileExists: fileExists, receiversAreHere: receiversAreHere, problems: problems)
    // Two owners would make every change a copy.
    textStyles = SymbolTable()
    let result = body(&compiler)
    textStyles = compiler.styles
    likes = compiler.likes
    return result
  }

  /// A media by its id, or at a URL; `nil` after a report.
  /// - Parameter key: What stands before it.
  mutating func media(
    at node: YAMLNode, after key: String, reportingTo problems: DiagnosticCollector
  ) -> CompiledMedia? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if let media = media.use(name) { return media }
    if URLScalar.looksLikeURL(name) { return withMedia(reportingTo: problems) { $0.media(at: node, after: key) } }
    // A media that is there but wrong was reported where it is defined.
    if !brokenMedia.contains(name) { media.report(unknown: name, kind: "media", at: node, reportingTo: problems) }
    return nil
  }

  // MARK: Devices

  /// A device selector: a text is an inventory id first, else a friendly name.
  mutating func selector(_ node: YAMLNode, map: FieldMap?) -> Plan.DeviceSelector? {
    var selector = Plan.DeviceSelector(span: node.place)
    if let map {
      selector.name = map.text("name")
      selector.nameLike = map.text("name_like")
      selector.id = map.text("id")
      selector.host = map.host("host")
      selector.model = map.text("model")
      selector.modelLike = map.text("model_like")
      selector.kind = map.choice("kind", as: Plan.DeviceSelector.Kind.self) ?? .any
      if let tag = map.text("tag") {
        selector.tag = tag
        selector.tagged = tagged(tag, at: selector.span)
      }
      if let node = map.node("not"), node.pairs != nil, let inner = self.selector(node, map: map.map("not")) {
        selector.excluded = [inner]
      }
      return selector
    }
    guard let text = node.text, !node.isEmpty else { return nil }
    guard let known = inventory.use(text) else {
      selector.name = text
      return selector
    }
    return known.selector(named: text, at: selector.span)
  }

  /// The entries of the inventory that have a tag, made once for all that ask for it.
  private mutating func tagged(_ tag: String, at span: SourceSpan) -> [Plan.DeviceSelector] {
    if let known = taggedEntries[tag] { return known }
    let found = inventory.names.compactMap { name -> Plan.DeviceSelector? in
      guard let entry = inventory[name], entry.tags.contains(tag) else { return nil }
      return entry.selector(named: name, at: span)
    }
    taggedEntries[tag] = found
    return found
  }

  /// Every known device by its inventory id, for a command line that names one.
  func inventorySelectors(at span: SourceSpan) -> [String: Plan.DeviceSelector] {
    var selectors: [String: Plan.DeviceSelector] = [:]
    for name in inventory.names { selectors[name] = inventory[name]?.selector(named: name, at: span) }
    return selectors
  }
}
