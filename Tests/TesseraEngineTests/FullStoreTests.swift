// SPDX-License-Identifier: MIT
// A store that cannot be written: tokens are returned, queued in memory and written later.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct FullStoreTests {
  /// A store that rejects commits while it is full.
  private final class FullableStore: WrappingStore {
    let store: any CredentialStore
    private let full = Mutex(false)

    init(time: any TimeSource) {
      store = MemoryStore(time: time)
    }

    var isFull: Bool {
      get { full.withLock { $0 } }
      set { full.withLock { $0 = newValue } }
    }

    func checkWritable(within limits: CallLimits) throws(TesseraError) {
      if isFull { throw TesseraError(.fixStorage, .storeFull, "There is no room.") }
    }

    func commit(
      _ change: CacheChange, within limits: CallLimits
    ) throws(TesseraError) -> CommitOutcome {
      if isFull { throw TesseraError(.fixStorage, .storeFull, "There is no room.") }
      return try store.commit(change, within: limits)
    }

    func withLock<Value>(
      on credential: CredentialLock, within limits: CallLimits,
      _ body: () throws(TesseraError) -> Value
    ) throws(TesseraError) -> Value {
      if isFull { throw TesseraError(.fixStorage, .storeFull, "There is no room.") }
      return try store.withLock(on: credential, within: limits, body)
    }
  }

  private let store: FullableStore
  private let bench: TestBench

  init() {
    let clock = VirtualClock()
    store = FullableStore(time: clock)
    bench = TestBench(clock: clock, store: store)
  }

  @Test func `a token that cannot be stored is returned with a warning`() throws {
    store.isFull = true
    let result = try bench.signIn(try bench.application())
    #expect(!result.isPersisted)
    #expect(result.warnings == ["There is no room."])
  }

  #if TesseraLegacy
    @Test func `tokens from a redeemed ADAL token are queued, used, and written later`()
      throws
    {
      try bench.importItems(bench.legacyItem())
      let application = try bench.application()
      let account = try #require(try application.accounts().first)
      let byName = SilentRequest(account: account, scopes: ["user.read"])
      store.isFull = true
      let first = try application.acquireTokenSilent(byName)
      #expect(!first.isPersisted && first.source == .network)
      for request in [byName, SilentRequest(account: first.account, scopes: ["user.read"])] {
        let again = try application.acquireTokenSilent(request)
        #expect(again.accessToken == first.accessToken && !again.isPersisted)
      }
      #expect(bench.refreshes == 1)
      store.isFull = false
      _ = try application.accounts()
      let other = try bench.application()
      let stored = try other.acquireTokenSilent(byName)
      #expect(stored.accessToken == first.accessToken && bench.refreshes == 1)
    }
  #endif

  @Test func `a rotated refresh token is queued, used, and written later`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    store.isFull = true
    for _ in 0..<3 {
      bench.clock.advance(seconds: 4000)
      let result = try application.acquireTokenSilent(request)
      #expect(result.source == .network)
      #expect(!result.isPersisted)
      let again = try application.acquireTokenSilent(request)
      #expect(again.accessToken == result.accessToken)
      #expect(!again.isPersisted)
      #expect(again.warnings == ["There is no room."])
    }
    #expect(try application.acquireTokenSilent(request).source == .cache)
    #expect(bench.refreshes == 3)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
    store.isFull = false
    #expect(try application.acquireTokenSilent(request).isPersisted)
    bench.clock.advance(seconds: 4000)
    #expect(try application.acquireTokenSilent(request).isPersisted)
    bench.clock.advance(seconds: 4000)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `queued tokens are removed by a sign-out`() throws {
    let application = try bench.application()
    store.isFull = true
    let account = try bench.signIn(application).account
    #expect(try application.accounts() == [account])
    store.isFull = false
    try application.removeAccount(account)
    #expect(try application.accounts().isEmpty)
    #expect(try bench.application().accounts().isEmpty)
  }

  @Test func `queued tokens are written by the next call`() throws {
    let application = try bench.application()
    store.isFull = true
    let account = try bench.signIn(application).account
    store.isFull = false
    #expect(try application.accounts() == [account])
    #expect(try bench.application().accounts() == [account])
  }

  @Test func `a queued sign-in does not replace a later one of another process`() throws {
    let application = try bench.application()
    store.isFull = true
    let early = try bench.signIn(application)
    store.isFull = false
    let other = try bench.application()
    let late = try bench.signIn(other)
    let request = SilentRequest(account: late.account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).accessToken == late.accessToken)
    #expect(early.accessToken != late.accessToken)
    #expect(try other.acquireTokenSilent(request).accessToken == late.accessToken)
  }

  @Test func `a queued sign-in replaces an earlier one`() throws {
    let application = try bench.application()
    let first = try bench.signIn(application)
    store.isFull = true
    let second = try bench.signIn(application)
    store.isFull = false
    let request = SilentRequest(account: first.account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).accessToken == second.accessToken)
    #expect(
      try bench.application().acquireTokenSilent(request).accessToken == second.accessToken)
  }

  @Test func `the later one of two queued sign-ins is written`() throws {
    let application = try bench.application()
    store.isFull = true
    let early = try bench.signIn(application)
    let late = try bench.signIn(application)
    store.isFull = false
    #expect(try application.accounts() == [late.account])
    let request = SilentRequest(account: late.account, scopes: ["user.read"])
    #expect(early.accessToken != late.accessToken)
    #expect(try bench.application().acquireTokenSilent(request).accessToken == late.accessToken)
    bench.clock.advance(seconds: 4000)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `a queued refresh does not replace a later one of another process`() throws {
    try bench.provider.perform(.set([.rotation(false)]))
    let application = try bench.application()
    var request = SilentRequest(
      account: try bench.signIn(application).account, scopes: ["user.read"])
    request.forcesRefresh = true
    store.isFull = true
    let early = try application.acquireTokenSilent(request)
    store.isFull = false
    let other = try bench.application()
    let late = try other.acquireTokenSilent(request)
    #expect(!early.isPersisted && late.isPersisted)
    _ = try application.accounts()
    request.forcesRefresh = false
    #expect(early.accessToken != late.accessToken)
    #expect(try other.acquireTokenSilent(request).accessToken == late.accessToken)
    #expect(try application.acquireTokenSilent(request).accessToken == late.accessToken)
  }

  @Test func `a sign-in after a superseded refresh in the queue is persisted`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    store.isFull = true
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try !application.acquireTokenSilent(request).isPersisted)
    store.isFull = false
    try bench.application().removeAccount(account)
    let result = try bench.signIn(application)
    #expect(result.isPersisted && result.warnings.isEmpty)
    #expect(try bench.application().acquireTokenSilent(request).source == .cache)
  }

  @Test func `a failed removal of an account throws and keeps the account`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    store.isFull = true
    expect(.storeFull) { try application.removeAccount(account) }
    #expect(try application.accounts() == [account])
  }
}
