// SPDX-License-Identifier: MIT
// The information that the SQLite store reports about itself.

import CLibrary
import CSQLite
package import TesseraEngine

extension SQLiteStore {
  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    var info = StoreInfo(state: .missing, policy: policy)
    do throws(TesseraError) {
      try describe(
        &info, limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time))
    } catch {
      info.problem = error
      info.state = StoreInfo.State(error.code)
    }
    return info
  }

  private func describe(_ info: inout StoreInfo, _ limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    info.path = location.database
    info.limitBytes = limitBytes
    info.setAside = QuarantinedFiles(location).names.map { "\(location.directory)/\($0)" }
    info.isRemote = location.isRemote
    guard try exists(location, limits, completesReplacement: false) else {
      if location.isReplacing { throw location.replacementPending }
      let missing = MissingDirectory(location.directory)
      if let problem = missing.problem(creating: location.database, setting: "store.directory") {
        throw problem
      }
      return try keys.describeAvailability(&info, within: limits)
    }
    var found = info
    try withConnection(.reading, location, limits) { connection, _ throws(TesseraError) in
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
          try StoreStatistics(connection).describe(&found)
          info = found
          // Get the key last, because everything above is valid without it.
          guard info.records != nil else { return }
          if let keyRow = try connection.currentKeyRow() {
            _ = try keys.obtain(keyRow, within: limits)
          } else if info.state == .usable {
            try keys.checkUnencryptedAllowed()
          }
        }
      }
    }
    if info.protection == nil { try keys.describeAvailability(&info, within: limits) }
    if info.state == .usable, !location.isWritable { info.state = .readOnly }
  }
}

extension StoreLocation {
  /// Whether the database and its directory are writable, according to modes and mounts.
  var isWritable: Bool {
    faccessat(AT_FDCWD, database, W_OK, AT_EACCESS) == 0
      && faccessat(AT_FDCWD, directory, W_OK, AT_EACCESS) == 0
  }
}
