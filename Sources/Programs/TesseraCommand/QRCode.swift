// SPDX-License-Identifier: MIT
// QR codes (ISO/IEC 18004) for URLs: byte mode, error correction level L, versions 1 to 20.

/// A QR code.
struct QRCode {
  /// The number of modules in a row.
  let size: Int
  /// The dark modules, row by row.
  private(set) var modules: [Bool]
  /// The modules of the patterns, which contain no data.
  private var reserved: [Bool]

  /// The number of data codewords of each version.
  private static let dataCodewords = [
    19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861,
  ]
  /// The number of blocks of each version.
  private static let blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]
  /// The number of error correction codewords of a block of each version.
  private static let correctionCodewords = [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
  ]

  /// Encodes bytes; nil if they do not fit.
  init?(_ bytes: [UInt8]) {
    guard
      let index = QRCode.dataCodewords.indices.first(where: { index in
        let lengthBits = index < 9 ? 8 : 16
        return (4 + lengthBits + bytes.count * 8 + 7) / 8 <= QRCode.dataCodewords[index]
      })
    else { return nil }
    let version = index + 1
    size = 17 + 4 * version
    modules = [Bool](repeating: false, count: size * size)
    reserved = modules
    drawPatterns(version)
    let data = QRCode.codewords(of: bytes, index)
    let plain = self
    var best: (code: QRCode, penalty: Int)?
    for mask in 0..<8 {
      var code = plain
      code.drawFormat(mask)
      code.drawData(data, mask)
      let penalty = code.penalty
      if best.map({ penalty < $0.penalty }) ?? true { best = (code, penalty) }
    }
    if let best { modules = best.code.modules }
  }

  /// The lines for a terminal with a dark background: each character shows two modules, one above the other.
  var lines: [String] {
    stride(from: -2, to: size + 2, by: 2).map { row in
      let characters = (-2..<size + 2).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }
      return characters.joined()
    }
  }

  /// Whether a module is dark; the quiet zone is light.
  private func isDark(_ row: Int, _ column: Int) -> Bool {
    let range = 0..<size
    return range.contains(row) && range.contains(column) && modules[row * size + column]
  }

  /// Sets a module of a pattern.
  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    modules[row * size + column] = isDark
    reserved[row * size + column] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for i in 0..<size {
      set(6, i, i % 2 == 0)
      set(i, 6, i % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      for dy in -4...4 {
        for dx in -4...4 {
          let distance = max(abs(dx), abs(dy))
          set(row + dy, column + dx, distance != 2 && distance != 4)
        }
      }
    }
    let centers = QRCode.alignmentCenters(version)
    for row in centers {
      for column in centers {
        let isFinder =
          (row == 6 && column == 6) || (row == 6 && column == size - 7)
          || (row == size - 7 && column == 6)
        guard !isFinder else { continue }
        for dy in -2...2 {
          for dx in -2...2 { set(row + dy, column + dx, max(abs(dx), abs(dy)) != 1) }
        }
      }
    }
    drawFormat(0)
    guard version >= 7 else { return }
    let bits = version << 12 | QRCode.remainder(of: version << 12, by: 0x1F25, from: 17, to: 12)
    for i in 0..<18 {
      let isDark = bits >> i & 1 == 1
      set(size - 11 + i % 3, i / 3, isDark)
      set(i / 3, size - 11 + i % 3, isDark)
    }
  }

  private static func alignmentCenters(_ version: Int) -> [Int] {
    guard version > 1 else { return [] }
    let count = version / 7 + 2
    let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
    let last = 10 + 4 * version
    return [6] + (0..<count - 1).map { last - $0 * step }.reversed()
  }

  /// Draws the error correction level L and the mask.
  private mutating func drawFormat(_ mask: Int) {
    let value = (1 << 3 | mask) << 10
    let bits = (value | QRCode.remainder(of: value, by: 0x537, from: 14, to: 10)) ^ 0x5412
    for i in 0..<15 {
      let isDark = bits >> i & 1 == 1
      switch i {
      case 0..<6: set(i, 8, isDark)
      case 6, 7: set(i + 1, 8, isDark)
      case 8: set(8, 7, isDark)
      default: set(8, 14 - i, isDark)
      }
      if i < 8 { set(8, size - 1 - i, isDark) } else { set(size - 15 + i, 8, isDark) }
    }
    set(size - 8, 8, true)
  }

  /// Returns the remainder of a division of binary polynomials.
  private static func remainder(of value: Int, by divisor: Int, from high: Int, to low: Int) -> Int
  {
    var value = value
    for bit in stride(from: high, through: low, by: -1) where value >> bit & 1 == 1 {
      value ^= divisor << (bit - low)
    }
    return value
  }

  private mutating func drawData(_ data: [UInt8], _ mask: Int) {
    var index = 0
    var column = size - 1
    var isUpward = true
    while column > 0 {
      // The column of the timing pattern contains no data.
      if column == 6 { column -= 1 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for each in [column, column - 1] where !reserved[row * size + each] {
          let bit = index < data.count * 8 && data[index / 8] >> (7 - index % 8) & 1 == 1
          modules[row * size + each] = bit != QRCode.isInverted(mask, row, each)
          index += 1
        }
      }
      column -= 2
      isUpward.toggle()
    }
  }

  private static func isInverted(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// The penalty of long runs, of blocks and of an unequal number of dark modules.
  private var penalty: Int {
    var penalty = 0
    for i in 0..<size {
      for isRow in [true, false] {
        var run = 0
        var last: Bool?
        for j in 0..<size {
          let isDark = isRow ? modules[i * size + j] : modules[j * size + i]
          run = isDark == last ? run + 1 : 1
          last = isDark
          if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
      }
    }
    for row in 0..<size - 1 {
      for column in 0..<size - 1 {
        let first = row * size + column
        let isBlock = [1, size, size + 1].allSatisfy { modules[first + $0] == modules[first] }
        if isBlock { penalty += 3 }
      }
    }
    let darkCount = modules.count(where: \.self)
    return penalty + abs(darkCount * 20 - modules.count * 10) / modules.count * 10
  }

  /// Returns the data and the error correction codewords of all blocks, interleaved.
  private static func codewords(of bytes: [UInt8], _ index: Int) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
    }
    let capacity = dataCodewords[index]
    append(4, 4)
    append(bytes.count, index < 9 ? 8 : 16)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, capacity * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for pad in 0..<capacity - data.count { data.append(pad % 2 == 0 ? 0xEC : 0x11) }

    let count = blockCounts[index]
    let shortCount = count - capacity % count
    let correction = ReedSolomon(correctionCodewords[index])
    var blocks: [[UInt8]] = []
    var corrections: [[UInt8]] = []
    var start = 0
    for block in 0..<count {
      let end = start + capacity / count + (block < shortCount ? 0 : 1)
      blocks.append(Array(data[start..<end]))
      corrections.append(correction.codewords(of: blocks[block]))
      start = end
    }
    return interleaved(blocks) + interleaved(corrections)
  }

  private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
      blocks.compactMap { index < $0.count ? $0[index] : nil }
    }
  }
}

/// The error correction of QR codes: Reed-Solomon codes over GF(256).
private struct ReedSolomon {
  /// The coefficients of the generator polynomial without the leading one.
  private var generator: [UInt8]

  init(_ count: Int) {
    generator = [UInt8](repeating: 0, count: count)
    generator[count - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in generator.indices {
        generator[index] = ReedSolomon.product(generator[index], root)
        if index + 1 < count { generator[index] ^= generator[index + 1] }
      }
      root = ReedSolomon.product(root, 2)
    }
  }

  /// Returns the error correction codewords of a block.
  func codewords(of data: [UInt8]) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for index in generator.indices {
        remainder[index] ^= ReedSolomon.product(generator[index], factor)
      }
    }
    return remainder
  }

  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var product = 0
    for bit in stride(from: 7, through: 0, by: -1) {
      product = product << 1 ^ (product >> 7) * 0x11D
      if other >> bit & 1 == 1 { product ^= Int(one) }
    }
    return UInt8(truncatingIfNeeded: product)
  }
}
