// SPDX-License-Identifier: MIT
// Cancellation of the calls that only access the store.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

#if TesseraLegacy
  import TesseraLegacy
#endif
#if TesseraMSALFile
  import TesseraMSALFile
#endif

@Suite struct CancelledCallTests {
  /// A blocking call without network access.
  enum Call: CaseIterable {
    case accounts, matchingAccounts, account, accountWithID, accountWithName, currentAccount
    case removeAccount, explain, copy
    #if TesseraLegacy
      case exportSignIns, migrate
    #endif
    #if TesseraMSALFile
      case readCache, writeCache
    #endif
  }

  /// A store that cancels the call during its first access.
  private struct BusyStore: WrappingStore {
    let store: any CredentialStore
    let time: VirtualClock
    let cancellation: Cancellation

    func snapshot(
      _ selection: SnapshotSelection, within limits: CallLimits
    ) throws(TesseraError) -> CacheSnapshot {
      try wait(limits)
      return try store.snapshot(selection, within: limits)
    }

    func commit(
      _ change: CacheChange, within limits: CallLimits
    ) throws(TesseraError) -> CommitOutcome {
      try wait(limits)
      return try store.commit(change, within: limits)
    }

    private func wait(_ limits: CallLimits) throws(TesseraError) {
      cancellation.cancel()
      try limits.check(time)
    }
  }

  private let bench = TestBench()

  private func run(
    _ call: Call, on application: PublicClientApplication, _ cancellation: Cancellation
  ) throws {
    let account = Account(
      homeAccountID: "uid.utid", environment: "login.microsoftonline.com",
      username: "alice@contoso.com")
    switch call {
    case .accounts: _ = try application.accounts(cancellation: cancellation)
    case .matchingAccounts:
      _ = try application.accounts(AccountsRequest(), cancellation: cancellation)
    case .account: _ = try application.account(AccountsRequest(), cancellation: cancellation)
    case .accountWithID:
      _ = try application.account(homeAccountID: "uid.utid", cancellation: cancellation)
    case .accountWithName:
      _ = try application.account(username: "alice@contoso.com", cancellation: cancellation)
    case .currentAccount: _ = try application.currentAccount(cancellation: cancellation)
    case .removeAccount: try application.removeAccount(account, cancellation: cancellation)
    case .explain:
      let request = SilentRequest(account: account, scopes: ["user.read"])
      _ = try application.explain(request, cancellation: cancellation)
    #if TesseraMSALFile
      case .readCache: _ = try application.readCache(cancellation: cancellation)
      case .writeCache:
        let after = try bench.application().readCache()
        try application.writeCache(before: "{}", after: after, cancellation: cancellation)
    #endif
    case .copy: try application.copy(from: application, cancellation: cancellation)
    #if TesseraLegacy
      case .exportSignIns:
        let request = ExportRequest(format: .appleKeychain)
        _ = try application.exportSignIns(request, cancellation: cancellation)
      case .migrate:
        let request = MigrationRequest(data: Array("[]".utf8), format: .adalPython)
        _ = try application.migrate(request, cancellation: cancellation)
    #endif
    }
  }

  @Test(arguments: Call.allCases)
  func `a call that is already cancelled does not start`(_ call: Call) throws {
    try bench.signIn(bench.application())
    let cancellation = Cancellation()
    cancellation.cancel()
    expect(.cancelled) { try run(call, on: try bench.application(), cancellation) }
  }

  @Test(arguments: Call.allCases)
  func `a call is cancelled while it waits for the store`(_ call: Call) throws {
    try bench.signIn(bench.application())
    let cancellation = Cancellation()
    let busy = BusyStore(store: bench.store, time: bench.clock, cancellation: cancellation)
    expect(.cancelled) { try run(call, on: try bench.application(store: busy), cancellation) }
  }

  @Test func `a cancelled rotation of the key does not start`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    expect(.cancelled) {
      try bench.application().rotateStoreKey(cancellation: cancellation)
    }
  }
}
