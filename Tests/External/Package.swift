// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// A program that uses every public type of Tessera, from a package that imports only the public products.

import PackageDescription

let package = Package(
  name: "tessera-external",
  platforms: [.macOS(.v15)],
  // The release builds of the repository have another root package, which builds this product.
  products: [.executable(name: "public-interface", targets: ["public-interface"])],
  dependencies: [.package(name: "Tessera", path: "../..")],
  targets: [
    .executableTarget(
      name: "public-interface",
      dependencies: [
        .product(name: "Tessera", package: "Tessera"),
        .product(name: "TesseraTesting", package: "Tessera"),
      ])
  ]
)
