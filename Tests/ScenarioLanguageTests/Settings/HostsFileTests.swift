import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct HostsFileTests {
  private static func read(_ text: String) -> (entries: [String], problems: [String]) {
    let (hosts, problems) = HostsFile.read(SourceFile(text, name: "hosts"))
    return (
      hosts.entries.map { "\($0.span.line) \($0.address.text) \($0.name)" },
      problems.map { "\($0.code) \($0.primary.span.line):\($0.primary.span.column)" }
    )
  }

  @Test("An address and a name a line; comments and empty lines count for nothing")
  func lines() {
    let text = """
      # the bar
      192.0.2.14 Bar left
      192.0.2.15:8010\tBar right   # next to the door

        tv.example.com   TV #1
      [fe80::1%eth0]:8009 Küche
      2001:db8::1\r
      """
    let (entries, problems) = Self.read(text)
    #expect(problems == [])
    #expect(
      entries == [
        "2 192.0.2.14:8009 Bar left", "3 192.0.2.15:8010 Bar right", "5 tv.example.com:8009 TV",
        "6 [fe80::1%eth0]:8009 Küche", "7 [2001:db8::1]:8009 2001:db8::1",
      ])
  }

  @Test("A line that is there twice is one device; another name or port is another")
  func twice() {
    let text = "127.0.0.1 TV\n127.0.0.1:8009   TV\n127.0.0.1 Bar\n127.0.0.1:8010 TV\n127.0.0.1 TV # again\n"
    #expect(
      Self.read(text).entries == ["1 127.0.0.1:8009 TV", "3 127.0.0.1:8009 Bar", "4 127.0.0.1:8010 TV"])
  }

  @Test("A # inside a word is part of the name")
  func hash() { #expect(Self.read("192.0.2.14 Studio#2\n").entries == ["1 192.0.2.14:8009 Studio#2"]) }

  @Test("A wrong line is told and passed over, the others count")
  func wrong() {
    let (entries, problems) = Self.read("192.0.2.14:99999 A\nBar 192.0.2.1\n  tv/x B\n192.0.2.2 C\n")
    // `Bar` is a host's name, too.
    #expect(entries == ["2 Bar:8009 192.0.2.1", "4 192.0.2.2:8009 C"])
    #expect(problems == ["T222 1:1", "T222 3:3"])
  }

  @Test("No more than a thousand lines count, and what is no text counts for nothing")
  func limits() {
    let many = Self.read((1...2_000).map { "192.0.2.1 A\($0)\n" }.joined())
    #expect(many.entries.count == HostsFile.entryLimit && many.problems == ["T213 1001:1"])
    let (hosts, problems) = HostsFile.read(SourceFile(name: "hosts", bytes: [0x31, 0xFF, 0x0A]))
    #expect(hosts.entries.isEmpty && problems.map(\.code.rawValue) == ["Y308"])
  }
}
