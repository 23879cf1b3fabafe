/// `file:slides/`: the pictures of a folder, one after the other (docs/language/playlist.md "Slideshows").
extension PlaylistCompiler {
  /// More pictures are a photo archive, not a show.
  static let mostSlides = 500
  /// What receivers show of pictures.
  private static let endings = [".jpg", ".jpeg", ".png", ".gif", ".webp"]

  /// The same node once for each picture of the folder that it names, in the order of their names; `nil`: it names none.
  mutating func slides(_ node: YAMLNode) -> [YAMLNode]? {
    let media = node.pairs == nil ? node : node.pairs?.first { $0.key.text == "media" }?.value
    guard let media, let text = media.text, text.lowercased().hasPrefix("file:"), text.hasSuffix("/") else {
      return nil
    }
    let path = String(text.dropFirst(5))
    // Text order, and numbers by their value: `2.png` before `10.png`.
    let pictures = (folderFiles(path) ?? []).filter { name in
      !name.hasPrefix(".") && Self.endings.contains { name.lowercased().hasSuffix($0) }
    }.sorted { Self.sortKey($0).lexicographicallyPrecedes(Self.sortKey($1)) }
    let odd = pictures.filter { (try? URLScalar.read(text + $0)) == nil }
    if let first = odd.first {
      problems.report(
        .warning, .n409,
        "\(ScalarText.quoted(first))\(odd.count > 1 ? " and \(odd.count - 1) more" : "") cannot be shown", at: media,
        "names of pictures have no spaces", footers: [.help("give it another name")])
    }
    let all = pictures.filter { !odd.contains($0) }
    if all.isEmpty {
      problems.report(
        .error, .n409, "the folder \(ScalarText.quoted(path)) has no pictures", at: media,
        footers: [.help("put some there: names that end with \(Self.endings.joined(separator: ", "))")])
    }
    if all.count > Self.mostSlides {
      problems.report(
        .warning, .n409, "the folder \(ScalarText.quoted(path)) has \(all.count) pictures", at: media,
        "only the first \(Self.mostSlides) are shown")
    }
    return all.prefix(Self.mostSlides).map { Self.copy(of: node, media: media, text: text + $0) }
  }

  private static func copy(of node: YAMLNode, media: YAMLNode, text: String) -> YAMLNode {
    let picture = YAMLNode(
      .scalar(.init(text: text, style: .typed)), span: media.span, substitutedAt: media.substitutedAt)
    guard let pairs = node.pairs else { return picture }
    return YAMLNode(
      .mapping(pairs.map { $0.key.text == "media" ? .init(key: $0.key, value: picture) : $0 }), span: node.span,
      substitutedAt: node.substitutedAt)
  }

  private static func sortKey(_ name: String) -> [String] {
    var key: [String] = []
    for character in name.lowercased() {
      let isDigit = ("0"..."9").contains(character)
      if isDigit, let last = key.last, last.first.map({ ("0"..."9").contains($0) }) == true {
        key[key.count - 1].append(character)
      } else {
        key.append(String(character))
      }
    }
    return key.map { part in
      part.first.map { ("0"..."9").contains($0) } == true
        ? String(repeating: "0", count: max(0, 20 - part.count)) + part : part
    } + [name]
  }
}
