// SPDX-License-Identifier: MIT
// The information that a host application's store has about itself.

import TesseraCache
package import TesseraEngine

extension HostCredentialStore {
  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    var info = StoreInfo(state: .missing, policy: policy)
    info.lockScope = host.locks == nil ? .process : .host
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
    info.setAside = try quarantinedNames(within: limits)
    guard let contents = try contents(within: limits) else {
      return try keys.describeAvailability(&info, within: limits)
    }
    info.bytes = Int64(contents.size)
    info.records = StoreInfo.Records(contents.records.table.everything())
    info.protection = StoreInfo.Protection(keySource: contents.keyRow?.source)
    info.keySource = contents.keyRow.flatMap { KeySource(rawValue: $0.source) }
    info.state = contents.records.isEmpty ? .empty : .usable
  }
}
