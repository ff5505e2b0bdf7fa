// SPDX-License-Identifier: MIT
// The rules of the store contract.

import TesseraCache
import TesseraEngine
import TesseraWire

extension StoreRule {
  /// All rules.
  package static let all: [StoreRule] = records + identifiers + ChangeRules.all + versions + locks

  private static let records = [
    StoreRule("a new store is empty") { context in
      try context.require(try context.seen(of: "home").isEmpty, "a new store has records")
    },
    StoreRule("another instance reads the committed records") { context in
      try context.commit(
        .put(.credential(.sample(.refreshToken, "r"))),
        .put(.credential(.sample(.accessToken, "a"))))
      try context.require(try context.seen(of: "home").secrets == ["r", "a"], "tokens are missing")
      try context.require(
        try context.seen(of: "nobody").isEmpty, "tokens of another account are returned")
    },
    StoreRule("unknown members are preserved, including the digits of numbers") { context in
      var members = CredentialRecord.sample(.refreshToken, "r").members
      members["from_the_future"] = .array([.number("1.50"), .null, .string("ü\u{0}")])
      guard let record = CredentialRecord(members: members) else {
        throw StoreViolation(description: "the record does not load")
      }
      try context.commit(.put(.credential(record)))
      guard case .credential(let seen)? = try context.seen(of: "home").first else {
        throw StoreViolation(description: "the record is missing")
      }
      try context.require(seen.members == members, "members were changed")
    },
    StoreRule("access tokens are found by scope, and all without one") { context in
      try context.commit(
        .put(.credential(.sample(.accessToken, "a", target: "openid Mail.Read mail.send"))),
        .put(.credential(.sample(.accessToken, "b", target: "files.read"))))
      try context.require(
        try context.seen(of: "home", scope: "mail.read").secrets == ["a"], "not found by scope")
      try context.require(
        try context.seen(of: "home").secrets == ["a", "b"], "not found without it")
    },
    StoreRule("subjects that differ only in case are two accounts") { context in
      try context.commit(
        .put(.credential(.sample(.refreshToken, "upper", owner: "Sub"))),
        .put(.credential(.sample(.refreshToken, "lower", owner: "sub"))))
      try context.require(
        try context.seen(of: "Sub").secrets == ["upper"], "Sub receives the token of sub")
      try context.require(
        try context.seen(of: "sub").secrets == ["lower"], "sub receives the token of Sub")
    },
    StoreRule("all accounts are listed with the records that permit their use") { context in
      try context.commit(
        .mergeAccount(.sample(name: "A")), .put(.credential(.sample(.refreshToken, "r"))),
        .put(.credential(.sample(.idToken, "i"))), .put(.credential(.sample(.accessToken, "a"))))
      var selection = SnapshotSelection()
      selection.allAccounts = true
      let seen = try context.other.snapshot(selection, within: .none)
      try context.require(seen.accounts.count == 1, "the account is not listed")
      try context.require(seen.records.secrets == ["r", "i"], "other tokens are also listed")
    },
  ]

  /// Pairs of canonically equivalent Unicode texts, which Swift compares as equal.
  ///
  /// Their bytes differ. The texts of the last pair have the same number of bytes.
  private static let equivalentPairs = [
    ("caf\u{E9}", "cafe\u{301}"), ("K1", "\u{212A}1"), ("\u{8C48}", "\u{F900}"),
  ]

  private static let identifiers = [
    StoreRule("users with canonically equivalent identifiers are two users") { context in
      for (one, other) in equivalentPairs {
        try context.commit(.removeEverything)
        try context.commit(
          [one, other].flatMap { owner -> [CacheChange.Step] in
            let secret = "\(Array(owner.utf8))"
            return [
              .put(.credential(.sample(.refreshToken, "r" + secret, owner: owner))),
              .replaceAccessToken(.sample(.accessToken, "a" + secret, owner: owner)),
              .mergeAccount(.sample(owner: owner, name: owner)),
              .signIn(homeAccountID: owner, clientID: "client", requested: "x", result: "x"),
            ]
          })
        try context.requireSeparate(one, other, "after a commit")
        try context.commit(
          .removeIfUnchanged(.sample(.refreshToken, "r\(Array(other.utf8))", owner: one)))
        try context.requireSeparate(one, other, "after the removal of another token")
        try context.commit(
          .signOut(
            CacheChange.SignOut(
              homeAccountID: one, clientID: "client", environments: ["issuer.example"],
              isEntra: true)))
        let kept: Set = ["r\(Array(other.utf8))", "a\(Array(other.utf8))"]
        try context.require(try context.seen(of: one).secrets.isEmpty, "a token was not removed")
        try context.require(
          try context.seen(of: other).secrets == kept, "another token was removed")
      }
    },
    StoreRule("canonically equivalent clients, issuers and tenants are distinct") { context in
      for (one, other) in equivalentPairs {
        try context.commit(.removeEverything)
        let issuers = [one, other].map { text in
          CredentialRecord.sample(.refreshToken, "e\(Array(text.utf8))").at(text)
        }
        let clients = [one, other].map { text in
          CredentialRecord.sample(.refreshToken, "c\(Array(text.utf8))", client: text)
        }
        let tenants = [one, other].map { text in
          var token = CredentialRecord.sample(.accessToken, "t\(Array(text.utf8))")
          token.realm = text
          return token
        }
        let tokens = issuers + clients + tenants
        try context.commit(tokens.map { .put(.credential($0)) })
        for token in tokens {
          try context.commit(.put(.credential(token)))
          var selection = SnapshotSelection()
          selection.keys = [token.key]
          let seen = try context.other.snapshot(selection, within: .none).records.secrets
          try context.require(seen == [token.secret.reveal()], "a token was replaced by another")
        }
        let secrets = Set(tokens.map { $0.secret.reveal() })
        try context.require(try context.seen(of: "home").secrets == secrets, "tokens are missing")
      }
    },
    StoreRule("canonically equivalent scopes are two scopes") { context in
      for (one, other) in equivalentPairs {
        try context.commit(.removeEverything)
        try context.commit(
          .replaceAccessToken(.sample(.accessToken, "one", target: one)),
          .replaceAccessToken(.sample(.accessToken, "other", target: other)))
        let seen = try context.seen(of: "home", scope: one.normalised).secrets
        try context.require(seen == ["one"], "tokens without the scope are returned")
        let all = try context.seen(of: "home").secrets
        try context.require(all == ["one", "other"], "a token was replaced")
      }
    },
    StoreRule("failures and locks of canonically equivalent users are separate") { context in
      for (one, other) in equivalentPairs {
        try context.commit(.removeEverything)
        let clocks = Clocks(now: context.time.now, bootTime: nil)
        for owner in [one, other] {
          let record = ThrottleRecord(
            name: "\(Array(owner.utf8))", homeAccountID: owner, clientID: "client", at: clocks,
            blockedForSeconds: 60, backoffForSeconds: 60, failures: 1, error: JSONObject())
          try context.commit(.throttle(record, at: clocks))
        }
        try context.commit(.removeThrottles(homeAccountID: one, clientID: "client", names: nil))
        try context.require(try context.seen(of: one).isEmpty, "the failure was not removed")
        try context.require(try context.seen(of: other).count == 1, "another failure was removed")
        let limits = CallLimits(timeoutMilliseconds: 50, time: context.time)
        let locks = [one, other].map {
          CredentialLock(environment: "e", owner: "c", homeAccountID: $0)
        }
        try context.one.withLock(on: locks[0], within: .none) { () throws(TesseraError) in
          try context.other.withLock(on: locks[1], within: limits) {}
        }
      }
    },
  ]

  private static let versions = [
    StoreRule("the version reports commits") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "1"))))
      _ = try context.seen(of: "home")
      let (own, all) = (try context.version(of: "home"), try context.version(of: nil))
      guard let own, let all else {
        return try context.require(!context.reportsVersions, "the version is missing")
      }
      for version in [own, all] {
        try context.require(
          context.other.isCurrent(version), "the version changes without a commit")
      }
      // A refresh need not change the version of the account list, but a sign-in does.
      try context.commit(
        .put(.credential(.sample(.refreshToken, "2"))),
        .put(.credential(.sample(.refreshToken, "3", client: "c2"))))
      for version in [own, all] {
        try context.require(
          !context.other.isCurrent(version), "a commit does not change the version")
        try context.require(
          context.other.revalidated(version) == nil, "a changed version is revalidated")
      }
    },
    StoreRule("a removal invalidates the version of the owner") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "1"))))
      _ = try context.seen(of: "home")
      guard let own = try context.version(of: "home") else {
        return try context.require(!context.reportsVersions, "the version is missing")
      }
      try context.commit(.removeIfUnchanged(.sample(.refreshToken, "1")))
      try context.require(!context.other.isCurrent(own), "a removal does not change the version")
      try context.require(
        context.other.revalidated(own) == nil, "the version is revalidated after a removal")
    },
    StoreRule("application metadata invalidates every version") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "1"))))
      _ = try context.seen(of: "home")
      guard let own = try context.version(of: "home") else {
        return try context.require(!context.reportsVersions, "the version is missing")
      }
      try context.commit(
        .put(.appMetadata(AppMetadataRecord(clientID: "c", environment: "e", familyID: "1"))))
      try context.require(!context.other.isCurrent(own), "a family ID does not change the version")
      try context.require(
        context.other.revalidated(own) == nil, "the version is revalidated after a new family ID")
    },
    StoreRule("an import invalidates the absence of imports") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "1"))))
      var selection = SnapshotSelection()
      selection.keys = [LegacySourcesRecord.key]
      _ = try context.other.snapshot(selection, within: .none)
      guard let none = try context.other.snapshot(selection, within: .none).version else {
        return try context.require(!context.reportsVersions, "the version is missing")
      }
      try context.commit(.recordImport("azure_cli", at: Instant(secondsSince1970: 1)))
      try context.require(!context.other.isCurrent(none), "an import does not change the version")
      let seen = try context.other.snapshot(selection, within: .none).records
      try context.require(seen.count == 1, "the import is not returned")
    },
    StoreRule("a snapshot contains its version") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "1"))))
      _ = try context.version(of: "home")
      let seen = try context.version(of: "home")
      try context.require(
        seen.map { context.other.isCurrent($0) } ?? !context.reportsVersions,
        "the version of the snapshot is different or missing")
    },
  ]

  private static let locks = [
    StoreRule("a credential lock is exclusive until it is released") { context in
      let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "h")
      let other = CredentialLock(environment: "e", owner: "c", homeAccountID: "h2")
      let limits = CallLimits(timeoutMilliseconds: 50, time: context.time)
      try context.one.withLock(on: lock, within: .none) { () throws(TesseraError) in
        try context.other.withLock(on: other, within: limits) {}
        do throws(TesseraError) {
          try context.other.withLock(on: lock, within: limits) {}
          throw TesseraError(.reportBug, .internalError, "the lock was taken twice")
        } catch {
          guard error.code == .storeBusy else { throw error }
        }
      }
      try context.other.withLock(
        on: lock, within: CallLimits(timeoutMilliseconds: 50, time: context.time)
      ) {}
    },
    StoreRule("a lock is released when its holder fails") { context in
      let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "h")
      try? context.one.withLock(on: lock, within: .none) { () throws(TesseraError) in
        throw TesseraError.cancelled()
      }
      try context.other.withLock(
        on: lock, within: CallLimits(timeoutMilliseconds: 50, time: context.time)
      ) {}
    },
  ]
}

/// The rules of changes.
private enum ChangeRules {
  fileprivate static let all = [
    StoreRule("a new access token replaces those with a scope in common") { context in
      try context.commit(
        .replaceAccessToken(.sample(.accessToken, "old", target: "openid mail.read")),
        .replaceAccessToken(.sample(.accessToken, "files", target: "openid files.read")),
        .replaceAccessToken(.sample(.accessToken, "stranger", client: "c2", target: "mail.read")))
      try context.commit(
        .replaceAccessToken(.sample(.accessToken, "new", target: "openid Mail.Read mail.send")))
      try context.require(
        try context.seen(of: "home").secrets == ["new", "files", "stranger"],
        "other tokens than the old one were replaced")
    },
    StoreRule("a token with declined scopes keeps those that cover a scope it lacks") { context in
      try context.commit(
        .replaceAccessToken(.sample(.accessToken, "part", target: "openid a.read")),
        .replaceAccessToken(.sample(.accessToken, "more", target: "openid b.read c.read")),
        .put(.credential(.sample(.accessToken, "all", target: "openid a.read b.read c.read"))))
      let granted = CredentialRecord.sample(.accessToken, "granted", target: "openid A.Read b.read")
      try context.commit(.replaceAccessToken(granted, hasDeclinedScopes: true))
      try context.require(
        try context.seen(of: "home").secrets == ["granted", "more", "all"],
        "the wrong tokens were replaced")
      try context.require(
        try context.seen(of: "home", scope: "c.read").secrets == ["more", "all"],
        "a kept token is not found")
      try context.commit(.replaceAccessToken(granted))
      try context.require(
        try context.seen(of: "home").secrets == ["granted"], "overlapping tokens were kept")
    },
    StoreRule("an account keeps members that a newer record lacks") { context in
      var first = AccountRecord.sample(name: "First")
      first["nickname"] = "kept"
      try context.commit(.mergeAccount(first))
      try context.commit(.mergeAccount(.sample(name: "Second")))
      guard case .account(let seen)? = try context.seen(of: "home").first else {
        throw StoreViolation(description: "the account is missing")
      }
      try context.require(seen.name == "Second" && seen["nickname"] == "kept", "members are lost")
    },
    StoreRule("a token that was refreshed in the meantime is not removed") { context in
      try context.commit(.put(.credential(.sample(.refreshToken, "new"))))
      try context.commit(.removeIfUnchanged(.sample(.refreshToken, "old")))
      try context.require(
        try context.seen(of: "home").secrets == ["new"], "the new token is missing")
      try context.commit(.removeIfUnchanged(.sample(.refreshToken, "new")))
      try context.require(try context.seen(of: "home").isEmpty, "the token was not removed")
    },
    StoreRule("a new refresh token replaces the redeemed one in every record") { context in
      let own = CredentialRecord.sample(.refreshToken, "old")
      var family = own
      family.familyID = "1"
      let other = CredentialRecord.sample(.refreshToken, "old", client: "c2")
      let unrelated = CredentialRecord.sample(.refreshToken, "own", client: "c3")
      let tokens = [own, family, other, unrelated]
      try context.commit(tokens.map { .put(.credential($0)) })
      var new = CredentialRecord.sample(.refreshToken, "new", client: "c4")
      new.familyID = "1"
      try context.commit(.renew(family, [.put(.credential(new))]))
      try context.require(
        try context.seen(of: "home").secrets == ["new", "own"], "the wrong tokens are stored")
    },
    StoreRule("a commit reports that the redeemed token was removed in the meantime") { context in
      let old = CredentialRecord.sample(.refreshToken, "old")
      let refresh = CacheChange.Step.renew(
        old,
        [.put(.credential(.sample(.refreshToken, "new"))), .mergeAccount(.sample(name: "A"))])
      try context.commit(.put(.credential(old)), .mergeAccount(.sample(name: "A")))
      try context.require(try context.commit(refresh) == .applied, "a refresh is not applied")
      try context.require(
        try context.commit(refresh) == .applied, "a refresh after another one is not applied")
      try context.commit(.removeIfUnchanged(.sample(.refreshToken, "new")))
      try context.require(
        try context.commit(refresh) == .superseded(.refreshToken), "the removal is not reported")
      try context.commit(.removeEverything)
      try context.require(
        try context.commit(refresh) == .superseded(.signOut), "the sign-out is not reported")
      try context.require(try context.seen(of: "home").isEmpty, "the result was stored")
    },
    StoreRule("a commit reports that an imported token was removed in the meantime") { context in
      var item = LegacyItem(
        environment: "issuer.example", realm: "tenant", clientID: "client", userID: "a@x.y")
      item.refreshToken = Secret("old")
      let upgrade = CacheChange.Step.upgrade(
        name: item.userID, Secret("old"), homeAccountID: "home",
        [.put(.credential(.sample(.refreshToken, "new")))], replacing: [])
      try context.require(
        try context.commit(upgrade) == .superseded(.importedToken), "the removal is not reported")
      try context.require(try context.seen(of: "home").isEmpty, "the result was stored")
      try context.commit(.legacy(name: item.userID, .merge([item])))
      try context.require(try context.commit(upgrade) == .applied, "the upgrade is not applied")
      try context.require(
        try context.seen(of: "home").secrets == ["new"], "the result was not stored")
    },
    StoreRule("a sign-out keeps the tokens of other applications and issuers") { context in
      try context.commit(
        .mergeAccount(.sample(name: "A")), .put(.credential(.sample(.refreshToken, "mine"))),
        .put(.credential(.sample(.accessToken, "mine too"))),
        .put(.credential(.sample(.refreshToken, "other client", client: "c2"))),
        .put(.credential(.sample(.refreshToken, "other issuer").at("b.example"))))
      try context.commit(
        .signOut(
          CacheChange.SignOut(
            homeAccountID: "home", clientID: "client", environments: ["issuer.example"],
            isEntra: false)))
      let seen = try context.seen(of: "home")
      try context.require(
        seen.secrets == ["other client", "other issuer"], "the wrong tokens were removed")
      try context.require(seen.count == 3, "the account is missing although it is still used")
    },
    StoreRule("the sign-in state is read with the account, and with all accounts") { context in
      let signOut = CacheChange.SignOut(
        homeAccountID: "b", clientID: "client", environments: ["issuer.example"],
        isEntra: true)
      try context.commit(
        .signIn(homeAccountID: "a", clientID: "client", requested: "x", result: "x"),
        .signIn(homeAccountID: "a", clientID: "c2", requested: "x", result: "x"),
        .signOut(signOut))
      let own = CacheSnapshot(records: try context.seen(of: "b"), version: nil)
      try context.require(
        own.signInStates(of: "client") == ["b": .signedOut],
        "the state of another account is returned")
      var selection = SnapshotSelection()
      selection.allAccounts = true
      let all = try context.other.snapshot(selection, within: .none)
      try context.require(
        all.signInStates(of: "client") == ["a": .signedIn, "b": .signedOut],
        "not all states are returned")
    },
    StoreRule("the first key of pending sign-ins and the completed ones are kept") { context in
      let now = Instant(secondsSince1970: 1)
      let key = SignInRecord(key: [UInt8](repeating: 1, count: SignInRecord.keyByteCount))
      let late = SignInRecord(key: [UInt8](repeating: 2, count: SignInRecord.keyByteCount))
      try context.commit(.signIns(.add(key)), .put(.credential(.sample(.refreshToken, "r"))))
      try context.commit(.signIns(.add(late)))
      for id in ["done", "released"] {
        try context.commit(.signIns(.use(id: id, until: now.adding(seconds: 9), at: now)))
      }
      try context.commit(.signIns(.release(id: "released")))
      var selection = SnapshotSelection()
      selection.keys = [SignInRecord.key]
      let seen = try context.other.snapshot(selection, within: .none).signIn
      try context.require(seen?.sealingKey == key.sealingKey, "the first key is not returned")
      try context.require(seen?.isCompleted("done") == true, "a completed sign-in is missing")
      try context.require(
        seen?.isCompleted("released") == false, "a released one is still completed")
      try context.require(try context.seen(of: "home").secrets == ["r"], "the token is missing")
      try context.commit(.removeEverything)
      let left = try context.other.snapshot(selection, within: .none).signIn
      try context.require(left == nil, "the key is still there")
    },
  ]
}
