// swift-tools-version: 6.2
import PackageDescription

// `make lint test` and CI set this; a stranger with a newer compiler is not stopped by its new warnings.
let warningsAreErrors = Context.environment["SHOWCALLER_STRICT"] == "1"

let package = Package(
  name: "showcaller",
  products: [.executable(name: "showcaller", targets: ["showcaller"])],
  // Many sites on an MQTT broker need a fourth system package, so only whoever wants them has it: `make build FLEET=1`.
  traits: [.trait(name: "Fleet", description: "Speak to MQTT brokers, through libmosquitto.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    // Without its default traits the runtime needs only FoundationEssentials: 1.6 ms less at start-up.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    // No pkgConfig: avahi's entry carries a flag that SwiftPM warns about on every build.
    .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),

    .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),

    .target(
      name: "CastProtocol",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      exclude: ["Messages/cast_channel.proto", "Messages/revocation.proto"]),
    .target(
      name: "CastTransport",
      dependencies: [
        "COpenSSL", "CDNSSD",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .target(
      name: "CastClient",
      dependencies: ["CastProtocol", "CastTransport", .product(name: "Logging", package: "swift-log")]),
    .target(name: "CastReceiver", dependencies: ["CastProtocol", "CastTransport"]),
    // Receiver pages in a browser, behind virtual receivers.
    .target(name: "ReceiverPages", dependencies: ["CastReceiver", "CastProtocol"]),
    // The pages of `explain`, which need the C compiler's `#embed`: as array literals of Swift they cost 20 s.
    .target(
      name: "LanguagePages",
      exclude: [
        "addresses.md", "cast.md", "keys.md", "names.md", "plan.md", "run.md", "topics.md", "types.md", "yaml.md",
      ]),
    .target(name: "ScenarioLanguage", dependencies: ["CastProtocol", "CYAML", "LanguagePages"]),
    // The scenarios of `conform`, embedded as the pages are.
    .target(name: "ConformanceScenarios", exclude: ["checks"]),
    // What a suite of checks came to on devices: the matrix, and what changed since.
    .target(
      name: "Conformance", dependencies: ["ConformanceScenarios", "RunReporting", "ScenarioLanguage", "CastProtocol"]),
    .target(name: "Workspace", dependencies: ["Conformance", "RunReporting", "ScenarioLanguage", "CastProtocol"]),
    // What editors and agents ask on standard streams: the rules of their protocols, and no stream.
    .target(name: "ToolServers", dependencies: ["RunReporting", "ScenarioLanguage", "CastProtocol"]),
    // What a shell may offer, whatever the commands are.
    .target(
      name: "Completions",
      dependencies: ["Workspace", "Conformance", "RunReporting", "ScenarioLanguage", "CastProtocol"]),
    // The one HTTP client: preflight, calendars, feeds, webhooks.
    .target(
      name: "WebClient",
      dependencies: [
        "CastTransport", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // What a receiver would stumble over at an address.
    .target(name: "Preflight", dependencies: ["WebClient", "ScenarioLanguage", "CastProtocol"]),
    // A web server with limits; what it answers is the business of the targets above it.
    .target(
      name: "WebServer",
      dependencies: [
        "CastTransport", "CastProtocol",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // Files of this computer, for receivers.
    .target(name: "MediaServer", dependencies: ["WebServer"]),
    // What virtual receivers show, on a page that can also be their player.
    .target(name: "ReceiverScreen", dependencies: ["CastReceiver", "WebServer", "CastProtocol"]),
    // The page of those who look after screens, its API, metrics and health.
    .target(
      name: "ControlPage",
      dependencies: ["Signage", "WebServer", "ScenarioLanguage", "CastTransport", "CastProtocol"]),
    // What a playlist shows when, the screens that it is shown on, and the ledger of what was shown.
    .target(
      name: "Signage",
      dependencies: ["DeviceControl", "RunReporting", "ScenarioLanguage", "CastTransport", "CastProtocol"]),
    // What sites, operators and labs say to each other on a broker: topics, messages, and what is signed.
    .target(name: "FleetMessages", dependencies: ["CastTransport", "CastProtocol"]),
    // The one MQTT client; without the trait `Fleet` it has no library to speak with, and says so.
    .target(
      name: "BrokerClient",
      dependencies: [
        "FleetMessages", "COpenSSL", "CastProtocol",
        .target(name: "CMosquitto", condition: .when(traits: ["Fleet"])),
      ]),
    // A site on a broker: what it tells, and what it takes from whom.
    .target(
      name: "FleetAgent",
      dependencies: [
        "FleetMessages", "Signage", "RunReporting", "ScenarioLanguage", "CastTransport", "CastProtocol",
      ]),
    // What an operator sees of all sites, and how a document reaches them.
    .target(
      name: "FleetControl", dependencies: ["FleetMessages", "ScenarioLanguage", "CastTransport", "CastProtocol"]),
    // Runs that are sent to agents with devices.
    .target(
      name: "FleetJobs",
      dependencies: ["FleetMessages", "RunReporting", "ScenarioLanguage", "CastTransport", "CastProtocol"]),
    .target(name: "RunReporting", dependencies: ["ScenarioLanguage", "CastProtocol"]),
    .target(
      name: "DeviceControl",
      dependencies: ["RunReporting", "ScenarioLanguage", "CastClient", "CastProtocol", "CastTransport"]),
    .target(
      name: "ScenarioRunner",
      dependencies: ["DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient", "CastProtocol"]),
    .target(
      name: "Simulation",
      dependencies: [
        "FleetMessages", "ScenarioRunner", "Signage", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient",
        "CastReceiver",
        "CastProtocol", "CastTransport",
      ]),
    .executableTarget(
      name: "showcaller",
      dependencies: [
        "Simulation", "ScenarioRunner", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient",
        "CastReceiver",
        "CastProtocol", "CastTransport", "Workspace", "Completions", "Signage", "MediaServer", "WebServer",
        "ControlPage", "WebClient", "Preflight", "ReceiverPages", "ReceiverScreen", "ToolServers", "Conformance",
        "FleetMessages", "BrokerClient", "FleetAgent", "FleetControl", "FleetJobs",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),

    // The library is the judge of our own codec.
    .testTarget(
      name: "CastProtocolTests",
      dependencies: ["CastProtocol", .product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    .testTarget(
      name: "CastTransportTests",
      dependencies: [
        "CastTransport", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "CastClientTests",
      dependencies: ["CastClient", "CastReceiver", "CastProtocol", "CastTransport", "Simulation", "TestSupport"]),
    .testTarget(
      name: "CastReceiverTests", dependencies: ["CastReceiver", "CastProtocol", "CastTransport", "Simulation"]),
    .testTarget(
      name: "ScenarioLanguageTests", dependencies: ["ScenarioLanguage", "CastProtocol", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "WorkspaceTests",
      dependencies: ["Workspace", "Conformance", "RunReporting", "ScenarioLanguage", "CastProtocol", "TestSupport"]),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Conformance", "RunReporting", "ScenarioLanguage", "CastProtocol"]),
    .testTarget(
      name: "CompletionsTests",
      dependencies: ["Completions", "Workspace", "ScenarioLanguage", "CastProtocol"]),
    .testTarget(
      name: "ToolServersTests", dependencies: ["ToolServers", "RunReporting", "ScenarioLanguage", "CastProtocol"]),
    .testTarget(
      name: "ControlPageTests",
      dependencies: ["ControlPage", "Signage", "WebServer", "ScenarioLanguage", "RunReporting", "CastProtocol"]),
    .testTarget(name: "FleetMessagesTests", dependencies: ["FleetMessages", "CastTransport", "CastProtocol"]),
    // Against a real Mosquitto, where the trait `Fleet` gives a client.
    .testTarget(
      name: "BrokerClientTests",
      dependencies: ["BrokerClient", "FleetMessages", "CastTransport", "CastProtocol", "TestSupport"]),
    .testTarget(
      name: "FleetAgentTests",
      dependencies: [
        "FleetAgent", "FleetMessages", "Signage", "RunReporting", "ScenarioLanguage", "CastTransport", "CastProtocol",
        "TestSupport",
      ]),
    .testTarget(
      name: "FleetControlTests",
      dependencies: [
        "FleetControl", "FleetMessages", "ScenarioLanguage", "CastTransport", "CastProtocol", "TestSupport",
      ]),
    .testTarget(
      name: "FleetJobsTests",
      dependencies: [
        "FleetJobs", "FleetMessages", "RunReporting", "ScenarioLanguage", "CastTransport", "CastProtocol",
        "TestSupport",
      ]),
    .testTarget(name: "ReceiverPagesTests", dependencies: ["ReceiverPages", "CastReceiver", "CastProtocol"]),
    .testTarget(name: "WebClientTests", dependencies: ["WebClient"]),
    .testTarget(name: "PreflightTests", dependencies: ["Preflight", "WebClient", "ScenarioLanguage", "CastProtocol"]),
    .testTarget(
      name: "ReceiverScreenTests", dependencies: ["ReceiverScreen", "CastReceiver", "WebServer", "CastProtocol"]),
    .testTarget(name: "WebServerTests", dependencies: ["WebServer"]),
    .testTarget(name: "MediaServerTests", dependencies: ["MediaServer", "WebServer"]),
    .testTarget(
      name: "SignageTests",
      dependencies: [
        "Signage", "Simulation", "Workspace", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient",
        "CastReceiver", "CastProtocol", "CastTransport", "TestSupport",
      ]),
    // What tests of several targets play with and judge by.
    .target(
      name: "TestSupport", dependencies: ["RunReporting", "CastProtocol", "CastTransport"], path: "Tests/TestSupport"),
    .testTarget(
      name: "RunReportingTests", dependencies: ["RunReporting", "ScenarioLanguage", "CastProtocol", "TestSupport"]),
    .testTarget(
      name: "DeviceControlTests",
      dependencies: [
        "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient", "CastReceiver", "CastProtocol",
        "CastTransport", "Simulation", "TestSupport",
      ]),
    .testTarget(
      name: "ScenarioRunnerTests",
      dependencies: [
        "ScenarioRunner", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient", "CastReceiver",
        "CastProtocol", "CastTransport", "Simulation", "TestSupport",
      ]),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Simulation", "ScenarioRunner", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient",
        "CastReceiver", "CastProtocol", "CastTransport", "Signage", "TestSupport", "FaultSearching", "FleetMessages",
      ]),
    // Runs the built binary, which the dependency makes sure is there.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "showcaller", "BrokerClient", "Conformance", "FleetAgent", "FleetMessages", "Signage", "ScenarioLanguage",
        "CastProtocol", "CastTransport", "TestSupport",
      ],
      exclude: ["Peers"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "RunReporting", "ScenarioLanguage", "CastClient", "CastReceiver", "CastProtocol", "CastTransport", "COpenSSL",
        "BrokerClient", "FleetAgent", "FleetMessages", "Signage",
      ],
      path: "Tests/Benchmarks"),
    // Broken input for all that reads what strangers wrote: `make fuzz`.
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "FleetAgent", "FleetMessages", "Conformance", "ToolServers", "ControlPage", "ReceiverScreen", "Signage",
        "WebServer", "ScenarioRunner", "DeviceControl", "RunReporting", "ScenarioLanguage", "CastClient",
        "CastReceiver", "CastProtocol",
        "CastTransport",
      ],
      path: "Tests/Fuzzing"),
    // Runs under faults drawn by seeds, and what must not happen in them.
    .target(
      name: "FaultSearching",
      dependencies: [
        "Simulation", "Signage", "ScenarioRunner", "DeviceControl", "RunReporting", "Workspace", "ScenarioLanguage",
        "CastReceiver", "CastProtocol", "CastTransport", "FleetMessages", "FleetAgent",
      ],
      path: "Tests/FaultSearching"),
    // `make search`.
    .executableTarget(
      name: "FaultSearch", dependencies: ["FaultSearching", .product(name: "Logging", package: "swift-log")],
      path: "Tests/FaultSearch"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  if warningsAreErrors { settings.append(.treatAllWarnings(as: .error)) }
  target.swiftSettings = settings
}
