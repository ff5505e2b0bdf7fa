// SPDX-License-Identifier: MIT
// The limits of every exchange, whatever the server does. The tolerances allow for a busy machine.

import Foundation
import Synchronization
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct DeadlineTests {
  private func outcome(
    of server: LoopbackServer, timeout: Int64? = nil, cancellation: Cancellation? = nil,
    _ settings: NetworkSettings = NetworkSettings(), spends: Bool = false
  ) -> (milliseconds: Double, error: TesseraError?) {
    let limits = CallLimits(
      timeoutMilliseconds: timeout, cancellation: cancellation, time: SystemTime())
    var request = HTTPRequest.get(server.url())
    request.spendsCredential = spends
    return timed { _ = try CurlTransport(settings).send(request, within: limits) }
  }

  /// Returns a server that sends the last byte of its response after a pause.
  ///
  /// - Parameter first: The part of the response that it sends at once.
  private func pausing(
    after first: String, milliseconds: UInt32, then: @escaping @Sendable () -> Void = {}
  ) throws -> LoopbackServer {
    try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write(first)
      then()
      usleep(milliseconds * 1000)
      connection.write("}")
      connection.readUntilClosed()
    }
  }

  private static let allButLastByte = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"

  @Test(arguments: [allButLastByte, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"])
  func `a response to a spent credential that has begun at the deadline is received`(
    _ first: String
  ) throws {
    let server = try pausing(after: first, milliseconds: 700)
    let (milliseconds, error) = outcome(of: server, timeout: 200, spends: true)
    #expect(error == nil)
    #expect(milliseconds >= 600)
  }

  @Test func `a response to a spent credential that has begun at the cancellation is received`()
    throws
  {
    let cancellation = Cancellation()
    let server = try pausing(after: Self.allButLastByte, milliseconds: 700) {
      usleep(200_000)
      cancellation.cancel()
    }
    let (_, error) = outcome(of: server, cancellation: cancellation, spends: true)
    #expect(error == nil)
  }

  @Test func `a response that has begun at the network timeout is received`() throws {
    var settings = NetworkSettings()
    settings.totalTimeoutMilliseconds = 200
    let server = try pausing(after: Self.allButLastByte, milliseconds: 700)
    #expect(outcome(of: server, settings, spends: true).error == nil)
  }

  @Test func `a response that has begun delays a call by at most two seconds`() throws {
    let server = try pausing(after: Self.allButLastByte, milliseconds: 6000)
    let (milliseconds, error) = outcome(of: server, timeout: 200, spends: true)
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 2200)
  }

  @Test(arguments: [
    ("", true), ("HTTP/1.1 103 Early Hints\r\n\r\n", true), (allButLastByte, false),
  ])
  func `any other response does not delay a call beyond its deadline`(
    _ first: String, _ spends: Bool
  ) throws {
    let server = try pausing(after: first, milliseconds: 3000)
    let (milliseconds, error) = outcome(of: server, timeout: 200, spends: spends)
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 200)
  }

  @Test func `a silent server does not delay a call beyond its deadline`() throws {
    let (milliseconds, error) = outcome(of: try .silent(), timeout: 200)
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 200)
  }

  @Test func `an error states whether the server may have received the request`() throws {
    let silent = try LoopbackServer.silent()
    #expect(outcome(of: silent, timeout: 200).error?.isUnsent == false)
    #expect(outcome(of: try .resetting(), timeout: 10_000).error?.isUnsent == false)
    #expect(outcome(of: silent, timeout: 0).error?.isUnsent == true)
    let limits = CallLimits(timeoutMilliseconds: 200, time: SystemTime())
    for url in [
      "https://127.0.0.1:\(silent.port)/", "http://127.0.0.1:\(try LoopbackServer.unusedPort())/",
    ] {
      let error = timed { _ = try CurlTransport().send(.get(url), within: limits) }.error
      #expect(error?.isUnsent == true, "\(url)")
    }
  }

  @Test func `a server that sends single bytes does not delay a call beyond its deadline`() throws {
    let (milliseconds, error) = outcome(of: try .dripping(), timeout: 200)
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 200)
  }

  @Test func `a cancellation from another thread ends an exchange`() throws {
    let cancellation = Cancellation()
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      cancellation.cancel()
      connection.readUntilClosed()
    }
    let error = outcome(of: server, timeout: 10_000, cancellation: cancellation).error
    #expect(error?.code == .cancelled)
  }

  @Test func `signals of the host application neither end nor prolong an exchange`() throws {
    let hits = Handled.count.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Handled.count.add(1, ordering: .relaxed) }
    sigaction(SIGUSR2, &action, nil)
    // The signal is blocked on the threads that run tests.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    defer { pthread_sigmask(SIG_BLOCK, &signals, nil) }
    let caller = pthread_self()
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      for _ in 0..<20 {
        usleep(5_000)
        pthread_kill(caller, SIGUSR2)
      }
      connection.readUntilClosed()
    }
    let (milliseconds, error) = outcome(of: server, timeout: 300)
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 300)
    #expect(Handled.count.load(ordering: .relaxed) > hits)
  }

  @Test func `a call that is already cancelled sends no request`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let seen = Recorder<String>()
    let server = try LoopbackServer { seen.add($0.readRequest()) }
    #expect(outcome(of: server, cancellation: cancellation).error?.code == .cancelled)
    #expect(seen.elements.isEmpty)
  }

  @Test func `without a deadline the network timeout ends a call with network_failed`() throws {
    var settings = NetworkSettings()
    settings.totalTimeoutMilliseconds = 200
    let (milliseconds, error) = outcome(of: try .silent(), settings)
    #expect(error?.remedy == .retryLater)
    #expect(error?.code == .networkFailed)
    #expect(milliseconds >= 200)
  }

  @Test func `a stalled TLS handshake is reported as no connection`() throws {
    var settings = NetworkSettings()
    settings.connectTimeoutMilliseconds = 200
    let server = try LoopbackServer.silent()
    let (milliseconds, error) = timed {
      _ = try CurlTransport(settings).send(.get("https://127.0.0.1:\(server.port)/"), within: .none)
    }
    #expect(error?.message.contains("No connection") == true)
    #expect(milliseconds >= 200)
  }

  @Test func `a connection reset ends the call at once`() throws {
    let error = outcome(of: try .resetting(), timeout: 10_000).error
    #expect(error?.code == .networkFailed)
  }
}

/// The number of signals that the handler has received.
private enum Handled {
  static let count = Atomic(0)
}
