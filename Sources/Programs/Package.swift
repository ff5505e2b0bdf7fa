// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// The programs of Tessera: the command line and the local provider. They are a separate package, so that packages that
// depend on Tessera do not resolve the dependencies of the programs. All release builds have it as their root package
// (scripts/build-release); it depends on the packages of the examples and of tests only for that.

import PackageDescription

/// The settings of every target, as in the package of Tessera.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "tessera-programs",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "tessera-cli", targets: ["TesseraCommand"]),
    .executable(name: "tessera-provider", targets: ["tessera-provider"]),
  ],
  dependencies: [
    .package(name: "Tessera", path: "../.."),
    .package(name: "tessera-examples", path: "../../examples/swift"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    .executableTarget(
      name: "TesseraCommand",
      dependencies: [.product(name: "Tessera", package: "Tessera"), argumentParser],
      path: "TesseraCommand", swiftSettings: strict),
    .executableTarget(
      name: "tessera-provider",
      dependencies: [
        .product(name: "TesseraTesting", package: "Tessera"), "FlyingFox",
        .product(name: "FlyingSocks", package: "FlyingFox"), argumentParser,
      ],
      path: "tessera-provider", swiftSettings: strict),
  ]
)

// The programs of other packages: one uses every public type, the other one is a driver of the cases of all runtimes.
if Context.environment["TESSERA_TESTS"] != nil {
  package.dependencies += [
    .package(name: "tessera-external", path: "../../Tests/External"),
    .package(name: "tessera-runtimes", path: "../../Tests/Runtimes/Swift/driver-swift"),
  ]
}
