// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// The driver of the Swift package for the cases of all runtimes.

import PackageDescription

let package = Package(
  name: "tessera-runtimes",
  platforms: [.macOS(.v15)],
  // The release builds of the repository have another root package, which builds this product.
  products: [.executable(name: "driver-swift", targets: ["driver-swift"])],
  dependencies: [.package(name: "Tessera", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "driver-swift", dependencies: [.product(name: "Tessera", package: "Tessera")],
      path: "Sources")
  ]
)
