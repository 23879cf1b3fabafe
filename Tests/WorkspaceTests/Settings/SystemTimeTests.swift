import Foundation
import RunReporting
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SystemTimeTests {
  private static func time(_ folder: TemporaryFolder, _ variables: [String] = [], at now: Double = 0) -> SystemTime {
    var surroundings = Surroundings.living(in: folder, at: now, variables)
    surroundings.zoneFolder = folder.path("zones/")
    surroundings.localTimeLink = folder.path("localtime")
    return SystemTime(surroundings)
  }

  @Test("The zone is what TZ says, else where the computer's link points")
  func zone() throws {
    let folder = try TemporaryFolder()
    try folder.write("zones/Europe/Berlin", "")
    try folder.link("localtime", to: "zones/Europe/Berlin")
    let cases: [([String], String?)] = [
      (["TZ=Asia/Tokyo"], "Asia/Tokyo"), (["TZ=:Asia/Tokyo"], "Asia/Tokyo"), (["TZ="], "Europe/Berlin"),
      ([], "Europe/Berlin"),
    ]
    for (variables, zone) in cases { #expect(Self.time(folder, variables).localZone == zone, "\(variables)") }
  }

  @Test("A link that leads nowhere, or elsewhere, names no zone")
  func noZone() throws {
    let folder = try TemporaryFolder()
    #expect(Self.time(folder).localZone == nil)
    try folder.write("elsewhere/Europe/Berlin", "")
    try folder.link("localtime", to: "elsewhere/Europe/Berlin")
    #expect(Self.time(folder).localZone == nil)
  }

  /// Puts a zone of the computer that tests run on at a path.
  private static func copy(_ zone: String, to name: String, in folder: TemporaryFolder) throws {
    try folder.folder(Files.folder(of: name))
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/\(zone)", toPath: folder.path(name))
  }

  @Test("A copy in place of the computer's link has no name, and still shows what its clock shows")
  func copiedZone() throws {
    let folder = try TemporaryFolder()
    try Self.copy("Asia/Kolkata", to: "localtime", in: folder)
    let time = Self.time(folder)
    #expect(time.localZone == nil && time.rules(ofZone: nil)?.offset(at: 1_800_000_000) == 19_800)
    var surroundings = Surroundings.living(in: folder)
    surroundings.localTimeLink = folder.path("localtime")
    let inputs = try GivenInputs().compilerInputs(
      for: SourceFile(name: folder.path("p.yaml"), bytes: []), in: surroundings)
    #expect(inputs.localClock() == time.rules(ofZone: nil))
  }

  @Test("Clocks that are not known are the computer's fault, not the command line's, and the cure is told")
  func unknownClocks() throws {
    let folder = try TemporaryFolder()
    let database = "`apt-get install --reinstall tzdata` brings the zones of the world"
    func failure(_ name: String?, _ variables: [String] = []) -> WorkspaceError? {
      #expect(throws: WorkspaceError.self) { try Self.time(folder, variables).clocks(ofZone: name) }
    }
    #expect(
      failure("Europe/Paris")
        == WorkspaceError(.documentInvalid, "the clocks of Europe/Paris are not known here", help: database))
    #expect(failure("Europe/Paris")?.exit == .documentInvalid)
    try folder.write("localtime", "no clocks")
    #expect(failure(nil)?.message == "the clocks of this computer's zone are not known here")
    #expect(failure(nil)?.help == database)
    try Self.copy("Etc/UTC", to: "zones/Etc/UTC", in: folder)
    try folder.write("zones/Europe/Paris", "damaged")
    #expect(failure("Europe/Paris")?.help == database)
    #expect(
      failure(nil, ["TZ=Mars/Phobos"])
        == WorkspaceError(
          .documentInvalid, "the clocks of this computer's zone, Mars/Phobos, are not known here",
          help: "write `timezone: Europe/Paris`, or another, into the playlist"))
    #expect(try Self.time(folder).clocks(ofZone: "Etc/UTC").offset(at: 0) == 0)
  }

  @Test(
    "The computer's clocks are a file of the database or a rule of its own; documents name files only",
    arguments: [("Place", 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", 3_600), ("<+0530>-5:30", 19_800), ("EST5", -18_000)])
  func clocks(name: String, offset: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("zones/Place", Self.zone)
    let time = Self.time(folder, ["TZ=\(name)"])
    #expect(time.rules(ofZone: nil)?.offset(at: 1_798_000_000) == offset)
    #expect((time.rules(ofZone: name) != nil) == (name == "Place"))
  }

  @Test(
    "A rule that does not say when clocks change, or names no clock, is none",
    arguments: ["CET-1CEST", "X", "CET-99", "Nowhere"])
  func noClocks(name: String) throws {
    let time = Self.time(try TemporaryFolder(), ["TZ=\(name)"])
    #expect(time.rules(ofZone: nil) == nil)
  }

  /// A file of the zone database: always two hours east of Greenwich.
  private static let zone =
    "TZif" + String(repeating: "\0", count: 16 + 16) + "\0\0\0\u{1}" + "\0\0\0\u{4}" + "\0\0\u{1C}\u{20}\0\0" + "+02\0"

  @Test("Zone data are read whole, up to a limit, and only of files")
  func data() throws {
    let folder = try TemporaryFolder()
    let limit = TimeZoneRules.byteLimit
    try folder.write("zones/Small", "TZif")
    try folder.write("zones/Largest", String(repeating: "x", count: limit))
    try folder.write("zones/Large", String(repeating: "x", count: limit + 1))
    try folder.pipe("zones/Pipe")
    let time = Self.time(folder)
    #expect(time.zoneData("Small") == Array("TZif".utf8))
    #expect(time.zoneData("Largest")?.count == limit)
    for name in ["Large", "Pipe", "Missing", "."] { #expect(time.zoneData(name) == nil, "\(name)") }
  }

  @Test("Today is the day of the clock that is handed in")
  func today() throws {
    let folder = try TemporaryFolder()
    // Noon, so that it is the same day in most zones.
    let day = try #require(Self.time(folder, at: 1_800_014_400).today)
    #expect(day.year == 2027 && day.month == 1 && (14...16).contains(day.day), "\(day)")
    #expect(Self.time(folder, at: 1_800_014_400 + 86_400).today != day)
  }
}
