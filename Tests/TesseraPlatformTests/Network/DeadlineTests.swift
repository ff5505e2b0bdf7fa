// SPDX-License-Identifier: MIT
// Every exchange ends at its limits, whatever the server does; the slack is for machines with other work.

import Foundation
import Synchronization
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct DeadlineTests {
  private func outcome(
    of server: LoopbackServer, timeout: Int64? = nil, cancellation: Cancellation? = nil,
    _ settings: NetworkSettings = NetworkSettings()
  ) -> (milliseconds: Double, error: TesseraError?) {
    let limits = CallLimits(
      timeoutMilliseconds: timeout, cancellation: cancellation, time: SystemTime())
    return timed { _ = try CurlTransport(settings).send(.get(server.url()), within: limits) }
  }

  @Test func `a silent server does not hold a call beyond its deadline`() throws {
    let (milliseconds, error) = outcome(of: try .silent(), timeout: 200)
    #expect(error?.code == .deadlineExceeded)
    #expect((200..<1200).contains(milliseconds))
  }

  @Test func `a server that drips does not hold a call beyond its deadline`() throws {
    let (milliseconds, error) = outcome(of: try .dripping(), timeout: 200)
    #expect(error?.code == .deadlineExceeded)
    #expect((200..<1200).contains(milliseconds))
  }

  @Test func `a cancellation ends an exchange from another thread`() throws {
    let cancellation = Cancellation()
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      cancellation.cancel()
      connection.readUntilClosed()
    }
    let (milliseconds, error) = outcome(of: server, timeout: 10_000, cancellation: cancellation)
    #expect(error?.code == .cancelled)
    #expect(milliseconds < 1000)
  }

  @Test func `signals of the host neither end an exchange nor keep it`() throws {
    let hits = Handled.count.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Handled.count.add(1, ordering: .relaxed) }
    sigaction(SIGUSR2, &action, nil)
    // The threads on which tests run block it.
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
    #expect((300..<1300).contains(milliseconds))
    #expect(Handled.count.load(ordering: .relaxed) > hits)
  }

  @Test func `a call that is cancelled before it begins sends nothing`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let seen = Recorder<String>()
    let server = try LoopbackServer { seen.add($0.readRequest()) }
    #expect(outcome(of: server, cancellation: cancellation).error?.code == .cancelled)
    #expect(seen.elements.isEmpty)
  }

  @Test func `without a deadline patience ends too, as a failure of the network`() throws {
    var settings = NetworkSettings()
    settings.totalTimeoutMilliseconds = 200
    let (milliseconds, error) = outcome(of: try .silent(), settings)
    #expect(error?.remedy == .retryLater)
    #expect(error?.code == .networkFailed)
    #expect((200..<1200).contains(milliseconds))
  }

  @Test func `a handshake that stands still is no connection`() throws {
    var settings = NetworkSettings()
    settings.connectTimeoutMilliseconds = 200
    let server = try LoopbackServer.silent()
    let (milliseconds, error) = timed {
      _ = try CurlTransport(settings).send(.get("https://127.0.0.1:\(server.port)/"), within: .none)
    }
    #expect(error?.message.contains("no connection") == true)
    #expect((200..<1200).contains(milliseconds))
  }

  @Test func `a server that resets is noticed at once`() throws {
    let (milliseconds, error) = outcome(of: try .resetting(), timeout: 10_000)
    #expect(error?.code == .networkFailed)
    #expect(milliseconds < 1000)
  }
}

/// How many signals the handler of a test has seen.
private enum Handled {
  static let count = Atomic(0)
}
