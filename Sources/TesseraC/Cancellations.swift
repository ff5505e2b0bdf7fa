// SPDX-License-Identifier: MIT
// tessera_cancellation_create, tessera_cancellation_cancel and tessera_cancellation_free.

import CTessera
import Tessera

@_cdecl("tessera_cancellation_create") @implementation
public func tessera_cancellation_create() -> OpaquePointer? {
  CancellationHandle.make(Cancellation(), (), magicNumber: CancellationHandle.magicNumber)
}

@_cdecl("tessera_cancellation_cancel") @implementation
public func tessera_cancellation_cancel(_ cancellation: OpaquePointer?) {
  CancellationHandle.at(cancellation, magicNumber: CancellationHandle.magicNumber)?.pointee
    .borrowed { $0.cancel() }
}

@_cdecl("tessera_cancellation_free") @implementation
public func tessera_cancellation_free(_ cancellation: OpaquePointer?) {
  _ = CancellationHandle.free(cancellation, magicNumber: CancellationHandle.magicNumber)
}
