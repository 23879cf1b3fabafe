import Testing

@testable import Workspace

@Suite struct SurroundingsTests {
  private static let folders:
    [(name: String, variable: String, usual: String, path: @Sendable (Surroundings) -> String?)] = [
      ("settings", "XDG_CONFIG_HOME", ".config", { $0.settingsFolder }),
      ("cache", "XDG_CACHE_HOME", ".cache", { $0.cacheFolder }),
      ("state", "XDG_STATE_HOME", ".local/state", { $0.stateFolder }),
    ]

  @Test("Folders are where XDG says, else below the home folder; a relative path counts for nothing")
  func folders() {
    for (name, variable, usual, path) in Self.folders {
      let cases: [([String], String?)] = [
        ([], nil), (["HOME="], nil), (["HOME=me"], nil), (["HOME=/me"], "/me/\(usual)/showcaller"),
        (["HOME=/me", "\(variable)=/x"], "/x/showcaller"), (["\(variable)=/x"], "/x/showcaller"),
        (["HOME=/me", "\(variable)=x"], "/me/\(usual)/showcaller"),
        (["HOME=/me", "\(variable)="], "/me/\(usual)/showcaller"), (["\(variable)=x"], nil),
      ]
      for (variables, expected) in cases {
        let surroundings = Surroundings(environment: Environment(entries: variables), unixTime: { 0 })
        #expect(path(surroundings) == expected, "\(name) of \(variables)")
      }
    }
  }

  @Test("A variable is found by its whole name, the first of two counts, and a value may hold anything")
  func environment() {
    let environment = Environment(entries: ["AB=1", "A=2", "A=3", "E=", "S=a=b", "broken", "Ü=ü"])
    let cases: [(String, String?)] = [
      ("A", "2"), ("AB", "1"), ("E", ""), ("S", "a=b"), ("broken", nil), ("B", nil), ("Ü", "ü"), ("a", nil), ("", nil),
    ]
    for (name, value) in cases { #expect(environment[name] == value, "\(name)") }
  }

  @Test("The program of a step gets what every program needs, and no secret")
  func programs() {
    let environment: Environment = [
      "TOKEN": "secret", "TZ": "UTC", "PATH": "/bin", "HOME": "/me", "LC_SECRET": "x", "SHOWCALLER_DEVICE": "TV",
    ]
    #expect(environment.ofPrograms == ["PATH=/bin", "HOME=/me", "TZ=UTC"])
  }
}
