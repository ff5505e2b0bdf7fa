// SPDX-License-Identifier: MIT
// Which addresses of a bus are tried.

import Testing

@testable import TesseraPlatform

@Suite struct BusAddressTests {
  @Test(arguments: [
    ("unix:path=/a", "unix:path=/a"), ("unix:abstract=/a,guid=0", "unix:abstract=/a,guid=0"),
    ("unix:guid=0,path=/a", "unix:guid=0,path=/a"),
    ("unix:path=/a;unix:path=/b", "unix:path=/a;unix:path=/b"),
    ("tcp:host=a;unix:path=/a;unixexec:path=/a;unix:path=/b", "unix:path=/a;unix:path=/b"),
  ])
  func `all sockets of this machine are tried, in their order`(_ list: String, _ tried: String) {
    #expect(BusAddress.local(in: list) == tried)
  }

  @Test(arguments: [
    "", ";", "a", "unix:", "unix:tmpdir=/a", "tcp:host=a,path=/a", "unixexec:path=/a",
    "autolaunch:",
  ])
  func `what leads elsewhere, or starts a program, is none`(_ list: String) {
    #expect(BusAddress.local(in: list) == nil)
  }

  @Test func `a list without an end has one`() {
    let list = String(repeating: "unix:path=/a;", count: 10_000)
    #expect(BusAddress.local(in: list)?.split(separator: ";").count == 8)
  }
}
