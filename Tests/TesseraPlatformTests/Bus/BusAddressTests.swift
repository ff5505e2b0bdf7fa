// SPDX-License-Identifier: MIT
// The selection of D-Bus addresses.

import Testing

@testable import TesseraPlatform

@Suite struct BusAddressTests {
  @Test(arguments: [
    ("unix:path=/a", "unix:path=/a"), ("unix:abstract=/a,guid=0", "unix:abstract=/a,guid=0"),
    ("unix:guid=0,path=/a", "unix:guid=0,path=/a"),
    ("unix:path=/a;unix:path=/b", "unix:path=/a;unix:path=/b"),
    ("tcp:host=a;unix:path=/a;unixexec:path=/a;unix:path=/b", "unix:path=/a;unix:path=/b"),
  ])
  func `local socket addresses are tried in order`(_ list: String, _ tried: String) {
    #expect(BusAddress.local(in: list) == tried)
  }

  @Test(arguments: [
    "", ";", "a", "unix:", "unix:tmpdir=/a", "tcp:host=a,path=/a", "unixexec:path=/a",
    "autolaunch:",
  ])
  func `remote addresses and those that start a program are ignored`(_ list: String) {
    #expect(BusAddress.local(in: list) == nil)
  }

  @Test func `only the first eight addresses are tried`() {
    let list = String(repeating: "unix:path=/a;", count: 10_000)
    #expect(BusAddress.local(in: list)?.split(separator: ";").count == 8)
  }
}
