// SPDX-License-Identifier: MIT
// Concurrent refreshes of a credential: later callers use the result, unless it is too old for their request.

import Dispatch
import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RefreshOrderTests {
  private let clock = VirtualClock()
  private let store: WatchedStore
  private let bench: TestBench

  init() {
    store = WatchedStore(MemoryStore(time: clock))
    bench = TestBench(clock: clock, store: store)
  }

  private func request(_ account: Account, forces: Bool = false) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = forces
    return request
  }

  @Test(arguments: [(0, 2), (1, 1)])
  func `a forced refresh uses the result of another one that began after it`(
    _ later: Int64, _ refreshes: Int
  ) throws {
    let one = try bench.application()
    let other = try bench.application()
    let request = request(try bench.signIn(one).account, forces: true)
    // While the call waits for the lock, another application refreshes: at the same time, or later.
    store.beforeNextLock { [clock] in
      clock.advance(seconds: later)
      _ = try? other.acquireTokenSilent(request)
    }
    _ = try one.acquireTokenSilent(request)
    #expect(bench.refreshes == refreshes)
  }

  @Test func `a claims challenge never uses the result of another refresh`() throws {
    let one = try bench.application()
    let other = try bench.application()
    var request = request(try bench.signIn(one).account, forces: true)
    request.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    store.beforeNextLock { [clock, request] in
      clock.advance(seconds: 1)
      _ = try? other.acquireTokenSilent(request)
    }
    _ = try one.acquireTokenSilent(request)
    #expect(bench.refreshes == 2)
  }

  @Test func `a forced refresh does not use the result of one that began before it`() throws {
    let isSent = DispatchSemaphore(value: 0)
    let isWaitedFor = DispatchSemaphore(value: 0)
    let time = WatchedTime { isWaitedFor.signal() }
    let bench = TestBench(
      clock: VirtualClock(startingAt: time.now), store: MemoryStore(time: time))
    let request = request(try bench.signIn(bench.application()).account, forces: true)
    let slow = WatchedTransport(network: bench.transport) { _ in
      isSent.signal()
      isWaitedFor.wait()
    }
    let first = try bench.application(transport: slow, time: SystemTime())
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = try? first.acquireTokenSilent(request)
      done.signal()
    }
    isSent.wait()
    _ = try bench.application(time: SystemTime()).acquireTokenSilent(request)
    done.wait()
    #expect(bench.refreshes == 2)
  }

  @Test func `an ordinary call uses the result of the refresh that it waited for`() throws {
    let one = try bench.application()
    let other = try bench.application()
    let request = request(try bench.signIn(one).account)
    clock.advance(seconds: 4000)
    store.beforeNextLock { _ = try? other.acquireTokenSilent(request) }
    #expect(try one.acquireTokenSilent(request).source == .cache)
    #expect(bench.refreshes == 1)
  }

  @Test func `a rejection after a concurrent rotation returns the new token`() throws {
    let account = try bench.signIn(bench.application(issuer: "main")).account
    clock.advance(seconds: 4000)
    let request = request(account)
    // An application without locks refreshes while the request is running. The old token is then rejected.
    let lockless = try bench.application(
      issuer: "main", store: WatchedStore(store, isLocking: false))
    let isFirst = Atomic(true)
    let racing = WatchedTransport(network: bench.transport) { [bench] _ in
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      _ = try? lockless.acquireTokenSilent(request)
      try? bench.provider.perform(
        .failTokenRequests(requests: 1, status: 400, body: #"{"error":"invalid_grant"}"#))
    }
    let loser = try bench.application(issuer: "main", transport: racing)
    let result = try loser.acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(try lockless.acquireTokenSilent(request).accessToken == result.accessToken)
    clock.advance(seconds: 4000)
    #expect(try lockless.acquireTokenSilent(request).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a member of a family redeems all its tokens under the lock of the family`() throws {
    try bench.provider.perform(.set([.familyClients(["office", "teams"])]))
    let account = try bench.signIn(bench.application(client: "teams")).account
    try bench.signIn(bench.application(client: "office"))
    let errorBody = #"{"error":"invalid_grant","suberror":"bad_token"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: errorBody))
    let locks = Mutex<[[String]]>([])
    let watching = WatchedTransport(network: bench.transport) { [store] _ in
      locks.withLock { $0.append(store.locks) }
    }
    let teams = try bench.application(client: "teams", transport: watching)
    #expect(try teams.acquireTokenSilent(request(account, forces: true)).source == .network)
    let owners = locks.withLock { $0 }.map { $0.map { $0.split(separator: "\n")[1] } }
    #expect(owners == [["family 1"], ["family 1"]])
  }

  @Test func `a sign-out and a new sign-in by another process invalidate cached results`() throws {
    let one = try bench.application()
    let alice = try bench.signIn(one).account
    #expect(try one.acquireTokenSilent(request(alice)).source == .cache)
    let other = try bench.application()
    try other.removeAccount(alice)
    let bob = try bench.signIn(other, as: .bob).account
    #expect(try one.accounts() == [bob])
    expect(.interactionRequired) { _ = try one.acquireTokenSilent(request(alice)) }
    #expect(try one.acquireTokenSilent(request(bob)).source == .cache)
  }
}
