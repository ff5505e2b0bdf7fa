// SPDX-License-Identifier: MIT
// The rules of the store contract.

import TesseraCache
import TesseraEngine
import TesseraWire

extension StoreRule {
  /// All rules.
  package static let all: [StoreRule] = records + identifiers + changes + versions + locks

  private static let records = [
    StoreRule("a new store is empty") { trial in
      try trial.require(try trial.seen(of: "home").isEmpty, "a new store has records")
    },
    StoreRule("another instance reads the committed records") { trial in
      try trial.commit(
        .put(.credential(.trial(.refreshToken, "r"))), .put(.credential(.trial(.accessToken, "a"))))
      try trial.require(try trial.seen(of: "home").secrets == ["r", "a"], "tokens are missing")
      try trial.require(
        try trial.seen(of: "nobody").isEmpty, "tokens of another account are returned")
    },
    StoreRule("unknown members are preserved, including the digits of numbers") { trial in
      var members = CredentialRecord.trial(.refreshToken, "r").members
      members["from_the_future"] = .array([.number("1.50"), .null, .string("ü\u{0}")])
      guard let record = CredentialRecord(members: members) else {
        throw StoreViolation(description: "the record does not load")
      }
      try trial.commit(.put(.credential(record)))
      guard case .credential(let seen)? = try trial.seen(of: "home").first else {
        throw StoreViolation(description: "the record is missing")
      }
      try trial.require(seen.members == members, "members were changed")
    },
    StoreRule("access tokens are found by scope, and all without one") { trial in
      try trial.commit(
        .put(.credential(.trial(.accessToken, "a", target: "openid Mail.Read mail.send"))),
        .put(.credential(.trial(.accessToken, "b", target: "files.read"))))
      try trial.require(
        try trial.seen(of: "home", scope: "mail.read").secrets == ["a"], "not found by scope")
      try trial.require(try trial.seen(of: "home").secrets == ["a", "b"], "not found without it")
    },
    StoreRule("subjects that differ only in case are two accounts") { trial in
      try trial.commit(
        .put(.credential(.trial(.refreshToken, "upper", owner: "Sub"))),
        .put(.credential(.trial(.refreshToken, "lower", owner: "sub"))))
      try trial.require(
        try trial.seen(of: "Sub").secrets == ["upper"], "Sub receives the token of sub")
      try trial.require(
        try trial.seen(of: "sub").secrets == ["lower"], "sub receives the token of Sub")
    },
    StoreRule("all accounts are listed with the records that permit their use") { trial in
      try trial.commit(
        .mergeAccount(.trial(name: "A")), .put(.credential(.trial(.refreshToken, "r"))),
        .put(.credential(.trial(.idToken, "i"))), .put(.credential(.trial(.accessToken, "a"))))
      var selection = SnapshotSelection()
      selection.allAccounts = true
      let seen = try trial.other.snapshot(selection, within: .none)
      try trial.require(seen.accounts.count == 1, "the account is not listed")
      try trial.require(seen.records.secrets == ["r", "i"], "other tokens are also listed")
    },
  ]

  /// Pairs of canonically equivalent Unicode texts, which Swift compares as equal.
  ///
  /// Their bytes differ. The texts of the last pair have the same number of bytes.
  private static let equivalentPairs = [
    ("caf\u{E9}", "cafe\u{301}"), ("K1", "\u{212A}1"), ("\u{8C48}", "\u{F900}"),
  ]

  private static let identifiers = [
    StoreRule("users with canonically equivalent identifiers are two users") { trial in
      for (one, other) in equivalentPairs {
        try trial.commit(.removeEverything)
        try trial.commit(
          [one, other].flatMap { owner -> [CacheChange.Step] in
            let secret = "\(Array(owner.utf8))"
            return [
              .put(.credential(.trial(.refreshToken, "r" + secret, owner: owner))),
              .replaceAccessToken(.trial(.accessToken, "a" + secret, owner: owner)),
              .mergeAccount(.trial(owner: owner, name: owner)),
              .signIn(homeAccountID: owner, clientID: "client", requested: "x", result: "x"),
            ]
          })
        try trial.requireSeparate(one, other, "after a commit")
        try trial.commit(
          .removeIfUnchanged(.trial(.refreshToken, "r\(Array(other.utf8))", owner: one)))
        try trial.requireSeparate(one, other, "after the removal of another token")
        try trial.commit(
          .signOut(
            CacheChange.SignOut(
              homeAccountID: one, clientID: "client", environments: ["issuer.example"],
              isEntra: true)))
        let kept: Set = ["r\(Array(other.utf8))", "a\(Array(other.utf8))"]
        try trial.require(try trial.seen(of: one).secrets.isEmpty, "a token was not removed")
        try trial.require(try trial.seen(of: other).secrets == kept, "another token was removed")
      }
    },
    StoreRule("canonically equivalent clients, issuers and tenants are distinct") { trial in
      for (one, other) in equivalentPairs {
        try trial.commit(.removeEverything)
        let issuers = [one, other].map { text in
          CredentialRecord.trial(.refreshToken, "e\(Array(text.utf8))").at(text)
        }
        let clients = [one, other].map { text in
          CredentialRecord.trial(.refreshToken, "c\(Array(text.utf8))", client: text)
        }
        let tenants = [one, other].map { text in
          var token = CredentialRecord.trial(.accessToken, "t\(Array(text.utf8))")
          token.realm = text
          return token
        }
        let tokens = issuers + clients + tenants
        try trial.commit(tokens.map { .put(.credential($0)) })
        for token in tokens {
          try trial.commit(.put(.credential(token)))
          var selection = SnapshotSelection()
          selection.keys = [token.key]
          let seen = try trial.other.snapshot(selection, within: .none).records.secrets
          try trial.require(seen == [token.secret.reveal()], "a token was replaced by another")
        }
        let secrets = Set(tokens.map { $0.secret.reveal() })
        try trial.require(try trial.seen(of: "home").secrets == secrets, "tokens are missing")
      }
    },
    StoreRule("canonically equivalent scopes are two scopes") { trial in
      for (one, other) in equivalentPairs {
        try trial.commit(.removeEverything)
        try trial.commit(
          .replaceAccessToken(.trial(.accessToken, "one", target: one)),
          .replaceAccessToken(.trial(.accessToken, "other", target: other)))
        let seen = try trial.seen(of: "home", scope: one.normalised).secrets
        try trial.require(seen == ["one"], "tokens without the scope are returned")
        let all = try trial.seen(of: "home").secrets
        try trial.require(all == ["one", "other"], "a token was replaced")
      }
    },
    StoreRule("failures and locks of canonically equivalent users are separate") { trial in
      for (one, other) in equivalentPairs {
        try trial.commit(.removeEverything)
        let clocks = Clocks(now: trial.time.now, bootTime: nil)
        for owner in [one, other] {
          let record = ThrottleRecord(
            name: "\(Array(owner.utf8))", homeAccountID: owner, clientID: "client", at: clocks,
            blockedForSeconds: 60, backoffForSeconds: 60, failures: 1, error: JSONObject())
          try trial.commit(.throttle(record, at: clocks))
        }
        try trial.commit(.removeThrottles(homeAccountID: one, clientID: "client", names: nil))
        try trial.require(try trial.seen(of: one).isEmpty, "the failure was not removed")
        try trial.require(try trial.seen(of: other).count == 1, "another failure was removed")
        let limits = CallLimits(timeoutMilliseconds: 50, time: trial.time)
        let locks = [one, other].map {
          CredentialLock(environment: "e", owner: "c", homeAccountID: $0)
        }
        try trial.one.withLock(on: locks[0], within: .none) { () throws(TesseraError) in
          try trial.other.withLock(on: locks[1], within: limits) {}
        }
      }
    },
  ]

  private static let changes = [
    StoreRule("a new access token replaces those with a scope in common") { trial in
      try trial.commit(
        .replaceAccessToken(.trial(.accessToken, "old", target: "openid mail.read")),
        .replaceAccessToken(.trial(.accessToken, "files", target: "openid files.read")),
        .replaceAccessToken(.trial(.accessToken, "stranger", client: "c2", target: "mail.read")))
      try trial.commit(
        .replaceAccessToken(.trial(.accessToken, "new", target: "openid Mail.Read mail.send")))
      try trial.require(
        try trial.seen(of: "home").secrets == ["new", "files", "stranger"],
        "other tokens than the old one were replaced")
    },
    StoreRule("an account keeps members that a newer record lacks") { trial in
      var first = AccountRecord.trial(name: "First")
      first["nickname"] = "kept"
      try trial.commit(.mergeAccount(first))
      try trial.commit(.mergeAccount(.trial(name: "Second")))
      guard case .account(let seen)? = try trial.seen(of: "home").first else {
        throw StoreViolation(description: "the account is missing")
      }
      try trial.require(seen.name == "Second" && seen["nickname"] == "kept", "members are lost")
    },
    StoreRule("a token that was refreshed in the meantime is not removed") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "new"))))
      try trial.commit(.removeIfUnchanged(.trial(.refreshToken, "old")))
      try trial.require(try trial.seen(of: "home").secrets == ["new"], "the new token is missing")
      try trial.commit(.removeIfUnchanged(.trial(.refreshToken, "new")))
      try trial.require(try trial.seen(of: "home").isEmpty, "the token was not removed")
    },
    StoreRule("a sign-out keeps the tokens of other applications and issuers") { trial in
      try trial.commit(
        .mergeAccount(.trial(name: "A")), .put(.credential(.trial(.refreshToken, "mine"))),
        .put(.credential(.trial(.accessToken, "mine too"))),
        .put(.credential(.trial(.refreshToken, "other client", client: "c2"))),
        .put(.credential(.trial(.refreshToken, "other issuer").at("b.example"))))
      try trial.commit(
        .signOut(
          CacheChange.SignOut(
            homeAccountID: "home", clientID: "client", environments: ["issuer.example"],
            isEntra: false)))
      let seen = try trial.seen(of: "home")
      try trial.require(
        seen.secrets == ["other client", "other issuer"], "the wrong tokens were removed")
      try trial.require(seen.count == 3, "the account is missing although it is still used")
    },
    StoreRule("the sign-in state is read with the account, and with all accounts") { trial in
      let signOut = CacheChange.SignOut(
        homeAccountID: "b", clientID: "client", environments: ["issuer.example"],
        isEntra: true)
      try trial.commit(
        .signIn(homeAccountID: "a", clientID: "client", requested: "x", result: "x"),
        .signIn(homeAccountID: "a", clientID: "c2", requested: "x", result: "x"),
        .signOut(signOut))
      let own = CacheSnapshot(records: try trial.seen(of: "b"), version: nil)
      try trial.require(
        own.signInStates(of: "client") == ["b": .signedOut],
        "the state of another account is returned")
      var selection = SnapshotSelection()
      selection.allAccounts = true
      let all = try trial.other.snapshot(selection, within: .none)
      try trial.require(
        all.signInStates(of: "client") == ["a": .signedIn, "b": .signedOut],
        "not all states are returned")
    },
    StoreRule("the first key of pending sign-ins and the completed ones are kept") { trial in
      let now = Instant(secondsSince1970: 1)
      let key = SignInRecord(key: [UInt8](repeating: 1, count: SignInRecord.keyByteCount))
      let late = SignInRecord(key: [UInt8](repeating: 2, count: SignInRecord.keyByteCount))
      try trial.commit(.signIns(.add(key)), .put(.credential(.trial(.refreshToken, "r"))))
      try trial.commit(.signIns(.add(late)))
      for id in ["done", "released"] {
        try trial.commit(.signIns(.use(id: id, until: now.adding(seconds: 9), at: now)))
      }
      try trial.commit(.signIns(.release(id: "released")))
      var selection = SnapshotSelection()
      selection.keys = [SignInRecord.key]
      let seen = try trial.other.snapshot(selection, within: .none).signIn
      try trial.require(seen?.sealingKey == key.sealingKey, "the first key is not returned")
      try trial.require(seen?.isCompleted("done") == true, "a completed sign-in is missing")
      try trial.require(seen?.isCompleted("released") == false, "a released one is still completed")
      try trial.require(try trial.seen(of: "home").secrets == ["r"], "the token is missing")
      try trial.commit(.removeEverything)
      let left = try trial.other.snapshot(selection, within: .none).signIn
      try trial.require(left == nil, "the key is still there")
    },
  ]

  private static let versions = [
    StoreRule("the version reports commits") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "1"))))
      _ = try trial.seen(of: "home")
      let (own, all) = (try trial.version(of: "home"), try trial.version(of: nil))
      guard let own, let all else {
        return try trial.require(!trial.reportsVersions, "the version is missing")
      }
      for version in [own, all] {
        try trial.require(trial.other.isCurrent(version), "the version changes without a commit")
      }
      // A refresh need not change the version of the account list, but a sign-in does.
      try trial.commit(
        .put(.credential(.trial(.refreshToken, "2"))),
        .put(.credential(.trial(.refreshToken, "3", client: "c2"))))
      for version in [own, all] {
        try trial.require(!trial.other.isCurrent(version), "a commit does not change the version")
        try trial.require(
          trial.other.revalidated(version) == nil, "a changed version is revalidated")
      }
    },
    StoreRule("a removal invalidates the version of the owner") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "1"))))
      _ = try trial.seen(of: "home")
      guard let own = try trial.version(of: "home") else {
        return try trial.require(!trial.reportsVersions, "the version is missing")
      }
      try trial.commit(.removeIfUnchanged(.trial(.refreshToken, "1")))
      try trial.require(!trial.other.isCurrent(own), "a removal does not change the version")
      try trial.require(
        trial.other.revalidated(own) == nil, "the version is revalidated after a removal")
    },
    StoreRule("application metadata invalidates every version") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "1"))))
      _ = try trial.seen(of: "home")
      guard let own = try trial.version(of: "home") else {
        return try trial.require(!trial.reportsVersions, "the version is missing")
      }
      try trial.commit(
        .put(.appMetadata(AppMetadataRecord(clientID: "c", environment: "e", familyID: "1"))))
      try trial.require(!trial.other.isCurrent(own), "a family ID does not change the version")
      try trial.require(
        trial.other.revalidated(own) == nil, "the version is revalidated after a new family ID")
    },
    StoreRule("an import invalidates the absence of imports") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "1"))))
      var selection = SnapshotSelection()
      selection.keys = [LegacySourcesRecord.key]
      _ = try trial.other.snapshot(selection, within: .none)
      guard let none = try trial.other.snapshot(selection, within: .none).version else {
        return try trial.require(!trial.reportsVersions, "the version is missing")
      }
      try trial.commit(.recordImport(.azureCLI, at: Instant(secondsSince1970: 1)))
      try trial.require(!trial.other.isCurrent(none), "an import does not change the version")
      let seen = try trial.other.snapshot(selection, within: .none).records
      try trial.require(seen.count == 1, "the import is not returned")
    },
    StoreRule("a snapshot contains its version") { trial in
      try trial.commit(.put(.credential(.trial(.refreshToken, "1"))))
      _ = try trial.version(of: "home")
      let seen = try trial.version(of: "home")
      try trial.require(
        seen.map { trial.other.isCurrent($0) } ?? !trial.reportsVersions,
        "the version of the snapshot is different or missing")
    },
  ]

  private static let locks = [
    StoreRule("a credential lock is exclusive until it is released") { trial in
      let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "h")
      let other = CredentialLock(environment: "e", owner: "c", homeAccountID: "h2")
      let limits = CallLimits(timeoutMilliseconds: 50, time: trial.time)
      try trial.one.withLock(on: lock, within: .none) { () throws(TesseraError) in
        try trial.other.withLock(on: other, within: limits) {}
        do throws(TesseraError) {
          try trial.other.withLock(on: lock, within: limits) {}
          throw TesseraError(.reportBug, .internalError, "the lock was taken twice")
        } catch {
          guard error.code == .storeBusy else { throw error }
        }
      }
      try trial.other.withLock(
        on: lock, within: CallLimits(timeoutMilliseconds: 50, time: trial.time)
      ) {}
    },
    StoreRule("a lock is released when its holder fails") { trial in
      let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "h")
      try? trial.one.withLock(on: lock, within: .none) { () throws(TesseraError) in
        throw TesseraError.cancelled()
      }
      try trial.other.withLock(
        on: lock, within: CallLimits(timeoutMilliseconds: 50, time: trial.time)
      ) {}
    },
  ]
}
