// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// Example programs in Swift: sign-in, tokens, explanations, accounts, migration, sign-out, faked results and ports.

import PackageDescription

/// The programs, each with one file that uses the shared target.
let programs = [
  "sign_in", "sign_in_browser", "get_token", "explain", "accounts", "broker_accounts", "migrate",
  "sign_out", "fake_results", "host_ports", "me", "own_browser",
]
let tessera: Target.Dependency = .product(name: "Tessera", package: "Tessera")

let package = Package(
  name: "tessera-examples",
  platforms: [.macOS(.v15)],
  // The release builds of the repository have another root package, which builds these products.
  products: programs.map { .executable(name: $0, targets: [$0]) },
  // Your own package uses .package(url: …, from: "0.1.0") here.
  dependencies: [.package(name: "Tessera", path: "../..")],
  targets: [.target(name: "ExampleSupport", dependencies: [tessera])]
    + programs.map { .executableTarget(name: $0, dependencies: [tessera, "ExampleSupport"]) }
)

// `make test-docs` adds a program with the Swift blocks of the pages.
if Context.environment["TESSERA_DOCS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "docs-blocks",
      dependencies: [tessera, .product(name: "TesseraTesting", package: "Tessera")],
      path: ".build/docs-blocks"))
  package.products.append(.executable(name: "docs-blocks", targets: ["docs-blocks"]))
}
