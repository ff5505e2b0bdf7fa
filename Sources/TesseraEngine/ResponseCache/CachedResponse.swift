// SPDX-License-Identifier: MIT
// An entry of the response cache: one allocation with a header, the key, and the serialized response or a reference.

import CLibrary
import TesseraCache
import TesseraWire

/// An entry of the response cache in one allocation: the header, the key, and the serialized response.
struct CachedResponse {
  private struct Head {
    var validity: ResponseValidity
    /// The hash of the key.
    var hash: UInt64 = 0
    /// The neighbors in the order of insertion.
    var older: UnsafeMutableRawPointer?
    var newer: UnsafeMutableRawPointer?
    /// The response as a retained object; `nil` for a serialized response.
    let object: Unmanaged<AnyObject>?
    /// The approximate size of the object, in bytes.
    let objectSize: Int
    let keyCount: Int
    let responseCount: Int
  }

  private let memory: UnsafeMutableRawPointer

  private init(_ memory: UnsafeMutableRawPointer) {
    self.memory = memory
  }

  /// Creates an entry with a serialized response.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ validity: ResponseValidity, for key: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    self.init(validity, key, bytes, nil, 0)
  }

  /// Creates an entry with an object.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ validity: ResponseValidity, for key: UnsafeRawBufferPointer, object: AnyObject, size: Int
  ) {
    self.init(validity, key, UnsafeRawBufferPointer(start: nil, count: 0), object, size)
  }

  private init?(
    _ validity: ResponseValidity, _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
    _ object: AnyObject?, _ objectSize: Int
  ) {
    guard let memory = malloc(MemoryLayout<Head>.stride + key.count + bytes.count) else {
      return nil
    }
    self.memory = memory
    let head = Head(
      validity: validity, object: object.map(Unmanaged.passRetained), objectSize: objectSize,
      keyCount: key.count, responseCount: bytes.count)
    memory.storeBytes(of: head, as: Head.self)
    let body = memory + MemoryLayout<Head>.stride
    if let start = key.baseAddress { body.copyMemory(from: start, byteCount: key.count) }
    if let start = bytes.baseAddress {
      (body + key.count).copyMemory(from: start, byteCount: bytes.count)
    }
  }

  /// Overwrites the memory, which contains tokens, and frees it.
  func release() {
    head.pointee.object?.release()
    let size = MemoryLayout<Head>.stride + head.pointee.keyCount + head.pointee.responseCount
    KeyMaterial.overwrite(UnsafeMutableRawBufferPointer(start: memory, count: size))
    free(memory)
  }

  private var head: UnsafeMutablePointer<Head> {
    @inline(__always) get { memory.assumingMemoryBound(to: Head.self) }
  }

  /// The validity of the response.
  var validity: ResponseValidity {
    get { head.pointee.validity }
    nonmutating set { head.pointee.validity = newValue }
  }

  /// The hash of the key, set by the table.
  var hash: UInt64 {
    get { head.pointee.hash }
    nonmutating set { head.pointee.hash = newValue }
  }

  /// The entry that was inserted before this one.
  var older: CachedResponse? {
    get { head.pointee.older.map { CachedResponse($0) } }
    nonmutating set { head.pointee.older = newValue?.memory }
  }

  /// The entry that was inserted after this one.
  var newer: CachedResponse? {
    get { head.pointee.newer.map { CachedResponse($0) } }
    nonmutating set { head.pointee.newer = newValue?.memory }
  }

  /// The approximate size of the entry including the object, in bytes.
  var size: Int {
    MemoryLayout<Head>.stride + head.pointee.keyCount + head.pointee.responseCount
      + head.pointee.objectSize
  }

  /// Whether the entry has a key.
  @inline(__always)
  func hasKey(_ key: UnsafeRawBufferPointer) -> Bool {
    let own = self.key
    guard own.count == key.count, let one = own.baseAddress, let other = key.baseAddress
    else { return own.count == key.count }
    return memcmp(one, other, own.count) == 0
  }

  /// The bytes of the key.
  var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride, count: head.pointee.keyCount)
  }

  /// The bytes of the serialized response.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride + head.pointee.keyCount,
      count: head.pointee.responseCount)
  }

  /// Whether the response is serialized, not an object.
  var isSerialized: Bool { head.pointee.object == nil }

  /// The object of the response, retained for the caller; `nil` for a serialized response.
  var object: AnyObject? { head.pointee.object?.takeUnretainedValue() }
}
