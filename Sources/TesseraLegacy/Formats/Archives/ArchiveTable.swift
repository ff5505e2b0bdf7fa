// SPDX-License-Identifier: MIT
// A mutable keyed archive. Unchanged objects are written as they were read.

import TesseraCache
package import TesseraWire

/// The object table of a keyed archive.
///
/// Unreferenced objects are not written, so that a removed token does not remain in the file.
package struct ArchiveTable: Sendable {
  private var objects: [PropertyList] = [.string("$null")]
  /// The members of the archive besides the objects.
  private var wrapper: [PropertyList.Member] = [
    .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
    .init("$top", .dictionary([])),
  ]
  private var classes: [String: Int] = [:]
  private var plain: [PropertyList: Int] = [:]

  /// Creates an empty archive.
  package init() {}

  /// Parses an archive.
  package init(_ bytes: [UInt8]) throws(LegacyCacheError) {
    _ = try KeyedArchive(bytes)
    var list = try BinaryPropertyList(bytes)
    guard let members = try list.tree(list.top).members else { throw BinaryPropertyList.invalid }
    objects = members.last { $0.name == "$objects" }?.value.array ?? objects
    wrapper = members.filter { $0.name != "$objects" }
    for (objectIndex, object) in objects.enumerated().dropFirst() {
      if let name = object["$classname"]?.string {
        classes[name] = classes[name] ?? objectIndex
      } else if object.members == nil, object.array == nil, object.uid == nil {
        plain[object] = plain[object] ?? objectIndex
      }
    }
  }

  /// The index of the root object.
  package var root: Int {
    get { wrapper.last { $0.name == "$top" }?.value["root"]?.uid ?? 0 }
    set {
      guard let index = wrapper.lastIndex(where: { $0.name == "$top" }) else { return }
      let others = (wrapper[index].value.members ?? []).filter { $0.name != "root" }
      wrapper[index].value = .dictionary(others + [.init("root", .uid(newValue))])
    }
  }

  /// Returns the object at an index, or `nil` if it is out of range.
  package subscript(_ objectIndex: Int) -> PropertyList? {
    objects.indices.contains(objectIndex) ? objects[objectIndex] : nil
  }

  /// Returns the string of a member, which is inline or a reference.
  package func text(_ value: PropertyList?) -> String? {
    guard let objectIndex = value?.uid else { return value?.string }
    guard objectIndex != 0, let object = self[objectIndex] else { return nil }
    if let text = object.string { return text }
    return object["NS.string"].flatMap { $0.uid.flatMap { self[$0]?.string } ?? $0.string }
  }

  /// Returns the indexes of the keys and values of a dictionary, or `nil` for any other object.
  package func pairs(at objectIndex: Int) -> [(key: Int, value: Int)]? {
    let keys = self[objectIndex]?["NS.keys"]?.array?.compactMap(\.uid)
    let values = self[objectIndex]?["NS.objects"]?.array?.compactMap(\.uid)
    guard let keys, let values, keys.count == self[objectIndex]?["NS.keys"]?.array?.count,
      values.count == self[objectIndex]?["NS.objects"]?.array?.count, keys.count == values.count
    else { return nil }
    return zip(keys, values).map { (key: $0, value: $1) }
  }

  /// Replaces the contents of a dictionary.
  package mutating func setPairs(_ pairs: [(key: Int, value: Int)], at objectIndex: Int) {
    guard var members = self[objectIndex]?.members else { return }
    for index in members.indices {
      switch members[index].name {
      case "NS.keys": members[index].value = .array(pairs.map { .uid($0.key) })
      case "NS.objects": members[index].value = .array(pairs.map { .uid($0.value) })
      default: break
      }
    }
    objects[objectIndex] = .dictionary(members)
  }
}

extension ArchiveTable {
  /// Adds a string, a number, a Boolean or data, and returns its index.
  ///
  /// Equal values share one.
  package mutating func add(plain value: PropertyList) -> Int {
    if let objectIndex = plain[value] { return objectIndex }
    objects.append(value)
    plain[value] = objects.count - 1
    return objects.count - 1
  }

  /// Adds a string and returns its index, or that of the null object for `nil`.
  package mutating func add(_ text: String?) -> Int {
    text.map { add(plain: .string($0)) } ?? 0
  }

  /// Adds a point in time and returns its index, or that of the null object for `nil`.
  package mutating func add(_ time: Instant?) -> Int {
    guard let time else { return 0 }
    let seconds = Double(time.secondsSince1970) - Double(ArchivedValue.epoch)
    return add(instance: "NSDate", [.init("NS.time", .real(seconds))])
  }

  /// Adds a dictionary and returns its index.
  package mutating func add(
    _ pairs: [(key: Int, value: Int)], isMutable: Bool = true
  ) -> Int {
    let members: [PropertyList.Member] = [
      .init("NS.keys", .array(pairs.map { .uid($0.key) })),
      .init("NS.objects", .array(pairs.map { .uid($0.value) })),
    ]
    return isMutable
      ? add(instance: "NSMutableDictionary", inheriting: ["NSDictionary"], members)
      : add(instance: "NSDictionary", members)
  }

  /// Adds an instance of a class and returns its index.
  ///
  /// `chain` are the classes between it and the root class.
  package mutating func add(
    instance name: String, inheriting chain: [String] = [], _ members: [PropertyList.Member]
  ) -> Int {
    objects.append(.null)
    let objectIndex = objects.count - 1
    if classes[name] == nil {
      let names = ([name] + chain + ["NSObject"]).map { PropertyList.string($0) }
      objects.append(
        .dictionary([.init("$classname", .string(name)), .init("$classes", .array(names))]))
      classes[name] = objects.count - 1
    }
    objects[objectIndex] = .dictionary(members + [.init("$class", .uid(classes[name] ?? 0))])
    return objectIndex
  }

  /// Adds a JSON value and returns its index.
  ///
  /// Null values in objects and arrays are omitted.
  package mutating func add(_ json: JSONValue) -> Int {
    switch json {
    case .null: return 0
    case .bool(let value): return add(plain: .bool(value))
    case .string(let text): return add(plain: .string(text))
    case .number(let digits):
      if let value = Int64(digits) { return add(plain: .integer(value)) }
      return add(plain: .real(Double(digits) ?? 0))
    case .array(let elements):
      let objectIndexes = elements.filter { $0 != .null }.map { PropertyList.uid(add($0)) }
      return add(instance: "NSArray", [.init("NS.objects", .array(objectIndexes))])
    case .object(let object):
      if object.members.count == 1, let time = object["$date"]?.integer {
        return add(Instant(secondsSince1970: time))
      }
      let data = object["$data"]?.string.flatMap { Base64URL.decode($0) }
      if object.members.count == 1, let data { return add(plain: .data(data)) }
      let members = object.members.filter { $0.value != .null }
      return add(members.map { (key: add($0.name), value: add($0.value)) })
    }
  }
}

extension ArchiveTable {
  /// Returns the serialized archive, without unreferenced objects.
  ///
  /// - Throws: ``LegacyCacheError`` if an object refers to a missing one, because such an archive cannot be preserved.
  package func bytes() throws(LegacyCacheError) -> [UInt8] {
    var isNamed = [Bool](repeating: false, count: objects.count)
    isNamed[0] = true
    var open: [Int] = []
    for member in wrapper { ArchiveTable.collect(member.value, into: &open) }
    while let objectIndex = open.popLast() {
      guard objects.indices.contains(objectIndex) else {
        throw LegacyCacheError(
          "archive_reference_invalid",
          "The keyed archive refers to an object that it does not contain.")
      }
      guard !isNamed[objectIndex] else { continue }
      isNamed[objectIndex] = true
      ArchiveTable.collect(objects[objectIndex], into: &open)
    }
    var objectIndexes = [Int](repeating: 0, count: objects.count)
    var kept: [Int] = []
    for objectIndex in objects.indices where isNamed[objectIndex] {
      objectIndexes[objectIndex] = kept.count
      kept.append(objectIndex)
    }
    let table = kept.map { ArchiveTable.moved(objects[$0], objectIndexes) }
    let others = wrapper.map {
      PropertyList.Member($0.name, ArchiveTable.moved($0.value, objectIndexes))
    }
    return PropertyList.dictionary(others + [.init("$objects", .array(table))]).binary
  }

  private static func collect(_ value: PropertyList, into open: inout [Int]) {
    switch value {
    case .uid(let objectIndex): open.append(objectIndex)
    case .array(let elements): for element in elements { collect(element, into: &open) }
    case .dictionary(let members): for member in members { collect(member.value, into: &open) }
    default: break
    }
  }

  private static func moved(_ value: PropertyList, _ objectIndexes: [Int]) -> PropertyList {
    switch value {
    case .uid(let objectIndex):
      .uid(objectIndexes.indices.contains(objectIndex) ? objectIndexes[objectIndex] : 0)
    case .array(let elements): .array(elements.map { moved($0, objectIndexes) })
    case .dictionary(let members):
      .dictionary(members.map { .init($0.name, moved($0.value, objectIndexes)) })
    default: value
    }
  }
}
