import CastProtocol
import Foundation
import Testing

/// docs/editors.md: what it shows starts what it says.
@Suite(.serialized) struct EditorsPageTests {
  private static let blocks = DocumentedBlock.all(of: "docs/editors.md")

  /// The words that a block has an editor start.
  private static func command(of block: DocumentedBlock) throws -> [String] {
    switch block.kind {
    case "json":
      let json = try JSONValue(parsing: block.text)
      if let server = json["mcpServers"]?["showcaller"] {
        return [server["command"]?.string ?? ""] + (server["args"]?.array ?? []).compactMap(\.string)
      }
      return [json["glspc.server.command"]?.string ?? ""]
        + (json["glspc.server.commandArguments"]?.array ?? []).compactMap(\.string)
    case "lua":
      let list = try #require(block.text.firstMatch(of: /cmd = \{([^}]*)\}/)?.1)
      return list.matches(of: /"([^"]*)"/).map { String($0.1) }
    default:
      let command = try #require(block.text.firstMatch(of: /command = "([^"]*)"/)?.1)
      let list = try #require(block.text.firstMatch(of: /args = \[([^\]]*)\]/)?.1)
      return [String(command)] + list.matches(of: /"([^"]*)"/).map { String($0.1) }
    }
  }

  @Test("Each setting of an editor or a client starts a server that answers", arguments: blocks)
  func settings(block: DocumentedBlock) async throws {
    let folder = try TemporaryFolder()
    var words = try Self.command(of: block)
    #expect(words.removeFirst() == "showcaller")
    if let place = words.firstIndex(of: "--folder") { words[place + 1] = folder.url.path }
    let hello = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
    let isEditor = words.first == "lsp"
    let running = try Showcaller.start(words, in: folder.url)
    running.send(isEditor ? "Content-Length: \(hello.utf8.count)\r\n\r\n\(hello)" : hello + "\n")
    try await running.waitFor("serverInfo")
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
  }

  @Test("The table of tools names those that there are, each with all that it takes")
  func tools() async throws {
    #expect(Self.blocks.map(\.kind) == ["json", "lua", "toml", "json"])
    let input =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"# + "\n"
      + #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"# + "\n"
    let finished = try await Showcaller.run("mcp", input: input)
    let answer = try JSONValue(parsing: String(try #require(finished.output.split(separator: "\n").last)))
    let tools = try #require(answer["result"]?["tools"]?.array)
    let page = try String(contentsOf: Showcaller.root.appending(path: "docs/editors.md"), encoding: .utf8)
    let rows =
      page.components(separatedBy: "## Agents\n").last?.split(separator: "\n").filter { $0.hasPrefix("| `") } ?? []
    #expect(rows.count == tools.count)
    for (row, tool) in zip(rows, tools) {
      #expect(row.hasPrefix("| `\(tool["name"]?.string ?? "?")` |"), "\(row)")
      for name in tool["inputSchema"]?["properties"]?.object?.members.map(\.name) ?? [] {
        #expect(row.contains("`\(name)`"), "\(name): \(row)")
      }
    }
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] { #expect(page.contains(revision)) }
  }
}
