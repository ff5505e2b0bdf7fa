# SPDX-License-Identifier: MIT
"""A reader of the QR codes that `login --qr` prints: level L and byte mode, without error correction."""

from __future__ import annotations

# The data codewords, the blocks and the error correction codewords of a block, for versions 1 to 20.
DATA = [19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861]
BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]
CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
# The centers of the alignment patterns, from annex E of ISO/IEC 18004.
CENTERS = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
    [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70], [6, 26, 50, 74], [6, 30, 54, 78],
    [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90],
]  # fmt: skip
MASKS = [
    lambda r, c: (r + c) % 2 == 0, lambda r, c: r % 2 == 0, lambda r, c: c % 3 == 0, lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0, lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0, lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
]  # fmt: skip
LEVEL_L = 1


def decoded(lines: list[str]) -> str:
    """Returns the text of a code that was printed with two modules in a character."""
    rows: list[list[bool]] = []
    for line in lines:
        rows.append([character in " ▄" for character in line])
        rows.append([character in " ▀" for character in line])
    size = len(lines[0]) - 4
    modules = [row[2:2 + size] for row in rows[2:2 + size]]
    version = (size - 17) // 4
    assert size == 17 + 4 * version and not any(rows[0]) and not any(rows[1]), size
    return _text(_codewords(modules, version, _mask(modules)), version)


def _mask(modules: list[list[bool]]) -> int:
    """Returns the mask, after a check of both copies of the format."""
    size = len(modules)
    places = [(i, 8) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, 7)] + [(8, 14 - i) for i in range(9, 15)]
    others = [(8, size - 1 - i) for i in range(8)] + [(size - 15 + i, 8) for i in range(8, 15)]
    values = {sum(modules[r][c] << i for i, (r, c) in enumerate(each)) for each in (places, others)}
    (value,) = values
    bits = value ^ 0x5412
    rest = bits
    for i in range(14, 9, -1):
        if rest >> i & 1:
            rest ^= 0x537 << (i - 10)
    assert rest == 0 and bits >> 13 == LEVEL_L, bin(bits)
    return bits >> 10 & 7


def _codewords(modules: list[list[bool]], version: int, mask: int) -> list[int]:
    size = len(modules)
    reserved = {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    for row, column in ((0, 0), (0, size - 8), (size - 8, 0)):
        reserved |= {(row + r, column + c) for r in range(8) for c in range(8)}
    reserved |= {(8, i) for i in (*range(9), *range(size - 8, size))}
    reserved |= {(i, 8) for i in (*range(9), *range(size - 8, size))}
    centers = CENTERS[version - 1]
    for row in centers:
        for column in centers:
            if (row, column) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                reserved |= {(row + r, column + c) for r in range(-2, 3) for c in range(-2, 3)}
    if version >= 7:
        for i in range(6):
            reserved |= {(i, size - 11 + j) for j in range(3)} | {(size - 11 + j, i) for j in range(3)}
    bits = []
    columns = [column for column in range(size - 1, 0, -2) if column > 6] + [5, 3, 1]
    for index, column in enumerate(columns):
        for row in range(size - 1, -1, -1) if index % 2 == 0 else range(size):
            for each in (column, column - 1):
                if (row, each) not in reserved:
                    bits.append(modules[row][each] != MASKS[mask](row, each))
    return [sum(bit << (7 - i) for i, bit in enumerate(bits[at:at + 8])) for at in range(0, len(bits) - 7, 8)]


def _text(codewords: list[int], version: int) -> str:
    count, length, correction = BLOCKS[version - 1], DATA[version - 1], CORRECTION[version - 1]
    lengths = [length // count + (block >= count - length % count) for block in range(count)]
    blocks: list[list[int]] = [[] for _ in range(count)]
    stream = iter(codewords)
    for index in range(max(lengths)):
        for block in range(count):
            if index < lengths[block]:
                blocks[block].append(next(stream))
    corrections: list[list[int]] = [[] for _ in range(count)]
    for _ in range(correction):
        for block in range(count):
            corrections[block].append(next(stream))
    for block in range(count):
        assert _is_consistent(blocks[block] + corrections[block], correction), block
    bits = "".join(f"{byte:08b}" for block in blocks for byte in block)
    start = 12 if version <= 9 else 20
    size = int(bits[4:start], 2)
    assert bits[:4] == "0100", bits[:4]
    return bytes(int(bits[start + 8 * i:start + 8 * i + 8], 2) for i in range(size)).decode()


def _is_consistent(codewords: list[int], correction: int) -> bool:
    """Whether a block has no errors: all syndromes of the Reed-Solomon code are 0."""
    powers = [1]
    for _ in range(254):
        power = powers[-1] << 1
        powers.append(power ^ 0x11D if power > 0xFF else power)
    logs = {power: exponent for exponent, power in enumerate(powers)}
    for root in range(correction):
        value = 0
        for codeword in codewords:
            value = (powers[(logs[value] + root) % 255] if value else 0) ^ codeword
        if value:
            return False
    return True
