// SPDX-License-Identifier: MIT
// The description of the store in other libraries' cache.

import CLibrary
import TesseraCache
package import TesseraEngine
import TesseraPlatform

extension MSALFileStore {
  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    var info = StoreInfo(state: .missing, policy: policy, protection: .plaintext)
    info.isSharedWithPeers = true
    info.limitBytes = limitBytes
    do throws(TesseraError) {
      try describe(&info, bounded(limits))
    } catch {
      info.problem = error
      info.state = StoreInfo.State(error.code)
    }
    return info
  }

  private func describe(_ info: inout StoreInfo, _ limits: CallLimits) throws(TesseraError) {
    let location = try currentLocation(limits)
    let file = location.file
    info.path = file.path
    info.isRemote = location.isRemote
    info.setAside = file.quarantinedNames.map { "\(file.directory)/\($0)" }
    if location.documentLocation.item == nil {
      info.fileBytes = CacheStamp(at: file.target)?.size
    } else {
      info.protection = .encrypted
      info.keySource = .secretService
    }
    try checkPolicy(location)
    guard let known = try current(location.document, limits) else {
      let missing = MissingDirectory(file.directory)
      if let problem = missing.problem(creating: file.path, setting: "store.msal_cache") {
        throw problem
      }
      return
    }
    info.bytes = Int64(known.bytes.count)
    let records = known.cache.everything()
    info.records = StoreInfo.Records(records)
    info.state = records.isEmpty ? .empty : .usable
    if location.documentLocation.item == nil, !file.isWritable || file.obstacle != nil {
      info.state = .readOnly
    }
  }
}

extension CacheFile {
  /// Whether the file can be replaced, according to modes and mounts.
  fileprivate var isWritable: Bool {
    faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0
      && faccessat(AT_FDCWD, directory, W_OK, AT_EACCESS) == 0
  }
}
