import LanguagePages

/// The page of every code, in the order of the code index (docs/language/codes.md "Codes"); each family has a file in
/// `Sources/LanguagePages`.
package enum CodePages {
  package static let all: [CodePage] = Code.Family.allCases.flatMap(pages)

  /// The page of a code, in capitals or not.
  package static func page(_ code: String) -> CodePage? { Code(rawValue: code.uppercased()).flatMap(page) }

  /// The page of a code: only its family's file is read.
  package static func page(_ code: Code) -> CodePage? { pages(of: code.family).first { $0.code == code } }

  private static func pages(of family: Code.Family) -> [CodePage] {
    PageSection.all(in: family.file).compactMap(CodePage.init)
  }
}

extension Code.Family {
  var file: PageFile {
    switch self {
    case .keys: .keys
    case .types: .types
    case .yaml: .yaml
    case .names: .names
    case .cast: .cast
    case .plan: .plan
    case .run: .run
    case .addresses: .addresses
    }
  }
}

extension CodePage {
  /// A page from its section; `nil` where something is missing.
  ///
  /// The paragraphs are why and cure, then perhaps `Found by: run`. A block ``yaml wrong`` or ``yaml right`` is an
  /// example; `sh` blocks and files, such as ``yaml brand.yaml``, belong to the example in front of them.
  init?(_ section: PageSection) {
    let heading = section.heading.split(separator: ":", maxSplits: 1)
    guard heading.count == 2, let code = Code(rawValue: String(heading[0])), section.paragraphs.count >= 2 else {
      return nil
    }
    var source = Source.document
    if section.paragraphs.count > 2 {
      guard let found = Source(rawValue: String(section.paragraphs[2].dropFirst("Found by: ".count))) else {
        return nil
      }
      source = found
    }
    var examples: [(name: String, example: Example)] = []
    for (words, text) in section.blocks {
      if words == ["yaml", "wrong"] || words == ["yaml", "right"] {
        examples.append((words[1], Example(text: text)))
      } else if examples.isEmpty {
        return nil
      } else if words == ["sh"] {
        for line in text.split(separator: "\n") {
          let pair = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1).map(String.init)
          guard line.hasPrefix("export "), pair.count == 2 else { return nil }
          examples[examples.count - 1].example.environment.append((pair[0], pair[1]))
        }
      } else if words.count == 2 {
        examples[examples.count - 1].example.files.append((words[1], text + "\n"))
      } else {
        return nil
      }
    }
    guard let right = examples.last, right.name == "right" else { return nil }
    self.code = code
    title = String(heading[1].dropFirst())
    why = section.paragraphs[0]
    cure = section.paragraphs[1]
    self.source = source
    wrong = examples.first { $0.name == "wrong" }?.example
    self.right = right.example
  }
}
