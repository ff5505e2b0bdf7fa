// SPDX-License-Identifier: MIT
// Measures how late calls end after a deadline or a cancellation. Run by Tests/Network/deadlines.sh.

import Foundation
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

private let environment = ProcessInfo.processInfo.environment

@Suite(
  .serialized,
  .enabled(if: environment["TESSERA_FIGURES"] != nil, "run Tests/Network/deadlines.sh"))
struct DeadlineFigures {
  private static let hasSilentNames = environment["TESSERA_SILENT_NAMES"] != nil
  private static let allowed = 100.0

  /// Prints the delays after the limit, and fails if one is too long.
  private func measure(
    _ name: String, after milliseconds: Int64, times: Int = 20, code: TesseraError.Code, url: String
  ) {
    let transport = CurlTransport()
    let overshoots = (0..<times).map { _ in
      let cancellation = Cancellation()
      if code == .cancelled {
        Thread.detachNewThread {
          usleep(UInt32(milliseconds) * 1000)
          cancellation.cancel()
        }
      }
      let limits = CallLimits(
        timeoutMilliseconds: code == .deadlineExceeded ? milliseconds : 60_000,
        cancellation: cancellation, time: SystemTime())
      let (taken, error) = timed { _ = try transport.send(.get(url), within: limits) }
      #expect(error?.code == code)
      return taken - Double(milliseconds)
    }.sorted()
    let figures = [overshoots[0], overshoots[times / 2], overshoots[times - 1]]
      .map { String(format: "%7.2f", $0) }.joined()
    print("\(name.padding(toLength: 56, withPad: " ", startingAt: 0))\(figures) ms")
    #expect(overshoots[times - 1] < DeadlineFigures.allowed)
  }

  @Test func `deadlines`() throws {
    let silent = try LoopbackServer.silent()
    let full = try FullServer()
    let dripping = try LoopbackServer.dripping()
    print("late by (least, median, most)")
    measure("silent server, deadline", after: 300, code: .deadlineExceeded, url: silent.url())
    measure(
      "silent handshake, deadline", after: 300, code: .deadlineExceeded,
      url: "https://127.0.0.1:\(silent.port)/")
    measure("silent host, deadline", after: 300, code: .deadlineExceeded, url: full.url)
    measure("dripping server, deadline", after: 300, code: .deadlineExceeded, url: dripping.url())
  }

  @Test func `a server that resets`() throws {
    let server = try LoopbackServer.resetting()
    measure("resetting server", after: 0, code: .networkFailed, url: server.url())
  }

  @Test func `cancellations`() throws {
    let silent = try LoopbackServer.silent()
    let dripping = try LoopbackServer.dripping()
    for (name, url) in [("silent", silent.url()), ("dripping", dripping.url())] {
      measure(
        "\(name) server, cancelled after 3 s", after: 3000, times: 3, code: .cancelled, url: url)
    }
  }

  @Test(.enabled(if: hasSilentNames, "it needs a name server that never answers"))
  func `a name server that never answers`() throws {
    let url = "http://login.example.com/"
    measure("silent name server, deadline", after: 300, code: .deadlineExceeded, url: url)
    measure(
      "silent name server, cancelled after 3 s", after: 3000, times: 3, code: .cancelled, url: url)
  }
}

/// A server that does not complete connections, because its backlog is full and it never accepts.
private final class FullServer {
  private var descriptors: [Int32] = []
  private var address = sockaddr_in()

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors = [listener]
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withAddress { pointer in
      _ = bind(listener, pointer, length)
      _ = listen(listener, 0)
      _ = getsockname(listener, pointer, &length)
    }
    for _ in 0..<4 {
      let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let client = socket(AF_INET, flags, 0)
      descriptors.append(client)
      withAddress { _ = connect(client, $0, length) }
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  var url: String { "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/" }

  private func withAddress(_ body: (UnsafeMutablePointer<sockaddr>) -> Void) {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}
