// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// The modules of Tessera. A target depends only on modules of lower layers (docs/architecture.md). The programs are another
// package, Sources/Programs, because packages that depend on this one resolve all of its dependencies.

import PackageDescription

/// The settings of every Swift target: warnings are errors, and all imports are explicit.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The modules whose public types `Tessera` exports.
///
/// A dependent package can leave out features. The release builds of the repository have all of them.
let exported =
  ["TesseraEngine", "TesseraWire"]
  + (Context.environment["TESSERA_TESTS"] == nil
    ? []
    : ["TesseraApple", "TesseraBroker", "TesseraLegacy", "TesseraMSALFile", "TesseraServices"])

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

// scripts/build-release sets this variable. Its products call the BoringSSL of swift-crypto without the Swift modules, which
// need Foundation. Only with the versions of scripts/versions.txt is it certain to have the same functions. All other builds
// use the public interface of swift-crypto. See docs/decisions/0028-boringssl-without-foundation.md.
let callsBoringSSL = Context.environment["TESSERA_CIPHER"] == "boringssl"
let cipher: [Target.Dependency] = callsBoringSSL ? ["CTesseraCipher"] : [crypto, cryptoExtras]

let package = Package(
  name: "Tessera",
  // The newest versions in the table of docs/architecture.md, "Apple platforms". They are unproven.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    // Includes the modules that it re-exports. Otherwise a change in one of them would not recompile a dependent
    // program.
    .library(name: "Tessera", targets: ["Tessera"] + exported),
    .library(name: "TesseraTesting", targets: ["TesseraTesting"]),
    // Installed as libtessera.so. It has a separate name so that no other product is dropped.
    .library(name: "tessera-c", type: .dynamic, targets: ["TesseraC"]),
  ],
  // The features. A trait has the name of its module, and is a condition (`#if`) in the other ones.
  traits: [
    .trait(
      name: "TesseraApple",
      description: "Microsoft Authenticator and the single sign-on extension of Apple systems."),
    .trait(name: "TesseraBroker", description: "The identity broker of Linux."),
    .trait(name: "TesseraLegacy", description: "Migration from ADAL and other older libraries."),
    .trait(name: "TesseraMSALFile", description: "The cache file of all MSAL libraries."),
    .trait(name: "TesseraServices", description: "Confidential clients."),
    .default(
      enabledTraits: [
        "TesseraApple", "TesseraBroker", "TesseraLegacy", "TesseraMSALFile", "TesseraServices",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
  ],
  targets: [
    .systemLibrary(name: "CTessera", path: "include"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CLibrary", swiftSettings: strict),
    .target(name: "CTesseraSystem"),
    .target(name: "CTesseraStore", dependencies: ["CSQLite", "CTesseraSystem"]),
    .target(
      name: "TesseraWire", dependencies: ["CLibrary"] + cipher, swiftSettings: strict),
    .target(name: "TesseraCache", dependencies: ["TesseraWire"], swiftSettings: strict),
    .target(
      name: "TesseraEngine", dependencies: ["CLibrary", "TesseraWire", "TesseraCache"],
      swiftSettings: strict),
    .target(
      name: "TesseraPlatform",
      dependencies: [
        "CLibrary", "TesseraWire", "TesseraCache", "TesseraEngine", "CTesseraSystem",
        "CTesseraStore", "CSQLite",
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraApple", dependencies: ["TesseraWire", "TesseraCache", "TesseraEngine"],
      swiftSettings: strict),
    .target(
      name: "TesseraBroker",
      dependencies: [
        "CLibrary", "TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform",
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraLegacy",
      dependencies: [
        "TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform", "CTesseraSystem",
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraMSALFile",
      dependencies: [
        "CLibrary", "TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform",
        "CTesseraSystem", "CTesseraStore",
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraServices",
      dependencies: ["TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform"],
      swiftSettings: strict),
    .target(
      name: "Tessera",
      dependencies: [
        "TesseraWire", "TesseraEngine", "TesseraPlatform",
        .target(name: "TesseraApple", condition: .when(traits: ["TesseraApple"])),
        .target(name: "TesseraBroker", condition: .when(traits: ["TesseraBroker"])),
        .target(name: "TesseraLegacy", condition: .when(traits: ["TesseraLegacy"])),
        .target(name: "TesseraMSALFile", condition: .when(traits: ["TesseraMSALFile"])),
        .target(name: "TesseraServices", condition: .when(traits: ["TesseraServices"])),
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraTesting",
      dependencies: [
        "Tessera", "TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform", crypto,
        cryptoExtras,
      ],
      swiftSettings: strict),
    .target(
      name: "TesseraC",
      dependencies: [
        "CLibrary", "CTessera", "Tessera", "TesseraWire", "TesseraEngine", "TesseraPlatform",
        .target(name: "TesseraApple", condition: .when(traits: ["TesseraApple"])),
        .target(name: "TesseraBroker", condition: .when(traits: ["TesseraBroker"])),
        .target(name: "TesseraLegacy", condition: .when(traits: ["TesseraLegacy"])),
        .target(name: "TesseraMSALFile", condition: .when(traits: ["TesseraMSALFile"])),
        .target(name: "TesseraServices", condition: .when(traits: ["TesseraServices"])),
      ],
      exclude: ["tessera.map", "Link"], swiftSettings: strict),
    // The programs of the tests and benchmarks. None is installed.
    .executableTarget(
      name: "tessera-bench",
      dependencies: [
        "CLibrary", "Tessera", "TesseraWire", "TesseraCache", "TesseraEngine", "TesseraPlatform",
        "TesseraLegacy", "TesseraMSALFile", "CSQLite", crypto,
      ],
      path: "Benchmarks/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-soak",
      dependencies: [
        "CLibrary", "Tessera", "TesseraTesting", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire",
      ],
      path: "Tests/Soak/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-locks",
      dependencies: [
        "CLibrary", "TesseraTesting", "TesseraMSALFile", "TesseraPlatform", "TesseraEngine",
        "TesseraCache", "TesseraWire",
      ],
      path: "Tests/Locks/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-older-caches",
      dependencies: ["CLibrary", "TestVectors", "TesseraLegacy", "TesseraCache", "TesseraWire"],
      path: "Tests/Migration/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-fixtures",
      dependencies: [
        "TestVectors", "TesseraTesting", "TesseraPlatform", "TesseraEngine", "TesseraCache",
      ],
      path: "Tests/Accounts/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-ciphers",
      dependencies: ["TesseraWire", "TestVectors", crypto, cryptoExtras],
      path: "Tests/Ciphers/Swift", swiftSettings: strict),
    .executableTarget(
      name: "tessera-errors",
      dependencies: ["CLibrary", "Tessera", "TesseraLegacy", "TesseraEngine", "TesseraWire"],
      path: "Tests/Errors/Swift", swiftSettings: strict),
    .testTarget(
      name: "TesseraWireTests", dependencies: ["TesseraWire", "TestVectors"],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraCacheTests",
      dependencies: ["TesseraCache", "TesseraWire", "TestVectors"],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraEngineTests",
      dependencies: [
        "CLibrary", "TesseraEngine", "TesseraPlatform", "TesseraCache", "TesseraWire",
        "TesseraTesting", "TestSupport", "TestVectors",
        .target(name: "TesseraLegacy", condition: .when(traits: ["TesseraLegacy"])),
        .target(name: "TesseraMSALFile", condition: .when(traits: ["TesseraMSALFile"])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraTestingTests",
      dependencies: [
        "TesseraTesting", "TesseraEngine", "TesseraWire", "TestVectors", crypto, cryptoExtras,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraPlatformTests",
      dependencies: [
        "CLibrary", "CSQLite", "Tessera", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire",
        "TesseraTesting", "TestSupport", "TestVectors",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraAppleTests",
      dependencies: [
        "Tessera", "TesseraApple", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire", "TesseraTesting", "TestSupport", "TestVectors", crypto,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraBrokerTests",
      dependencies: [
        "CLibrary", "TesseraBroker", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire", "TesseraTesting", "TestSupport", "TestVectors",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraLegacyTests",
      dependencies: [
        "CLibrary", "TesseraLegacy", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire", "TesseraTesting", "TestSupport", "TestVectors", crypto,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraMSALFileTests",
      dependencies: [
        "CLibrary", "Tessera", "TesseraMSALFile", "TesseraPlatform", "TesseraEngine",
        "TesseraCache", "TesseraWire", "TesseraTesting", "TestSupport", "TestVectors",
        "CTesseraStore", crypto,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraServicesTests",
      dependencies: [
        "CLibrary", "TesseraServices", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire", "TesseraTesting", "TestSupport", "TestVectors",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TesseraCTests",
      dependencies: [
        "CTessera", "TesseraC", "TesseraEngine", "TesseraCache", "TesseraWire", "TestVectors",
      ],
      swiftSettings: strict),
    // The fuzz targets of `make fuzz`. The tests run their seeds.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CSQLite", "CTesseraStore", "CTessera", "TesseraC", "TesseraTesting", "TesseraApple",
        "TesseraBroker", "TesseraLegacy", "TesseraMSALFile", "TesseraPlatform", "TesseraEngine",
        "TesseraCache",
        "TesseraWire",
        crypto, cryptoExtras,
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzSeedTests", dependencies: ["CLibrary", "FuzzTargets"], path: "Tests/Fuzz/Tests",
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "CLibrary", "TesseraTesting", "TesseraPlatform", "TesseraEngine", "TesseraCache",
        "TesseraWire",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "TestVectors", dependencies: ["CLibrary", "TesseraCache", "TesseraWire"],
      path: "Tests/TestVectors",
      swiftSettings: strict),
  ]
)

if callsBoringSSL {
  package.targets.append(.target(name: "CTesseraCipher", dependencies: [crypto]))
}

// SwiftPM creates products for executable targets of the root package only. The release builds of the repository have another root package (scripts/build-release). Packages that depend on Tessera do not see the programs of
// its tests.
if Context.environment["TESSERA_TESTS"] != nil {
  let programs = [
    "tessera-bench", "tessera-ciphers", "tessera-errors", "tessera-fixtures", "tessera-locks",
    "tessera-older-caches", "tessera-soak",
  ]
  package.products += programs.map { .executable(name: $0, targets: [$0]) }
}

// Built only by `make fuzz`, because it is linked with libFuzzer.
if Context.environment["TESSERA_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "tessera-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program",
      swiftSettings: strict))
}
