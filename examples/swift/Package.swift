// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// Small programs that sign in, get tokens, say why, list accounts, take over older sign-ins and sign out, in Swift.

import PackageDescription

/// The programs; each is one file that reads its options with the shared target.
let programs = [
  "sign_in", "sign_in_browser", "get_token", "explain", "accounts", "broker_accounts", "migrate",
  "sign_out",
]
let tessera: Target.Dependency = .product(name: "Tessera", package: "Tessera")

let package = Package(
  name: "tessera-examples",
  platforms: [.macOS(.v15)],
  // A program of your own writes .package(url: …, from: "0.1.0") here.
  dependencies: [.package(name: "Tessera", path: "../..")],
  targets: [.target(name: "ExampleSupport", dependencies: [tessera])]
    + programs.map { .executableTarget(name: $0, dependencies: [tessera, "ExampleSupport"]) }
)
