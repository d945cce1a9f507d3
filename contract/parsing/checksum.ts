/** How frames are guarded. Each is a number; its width and byte order are the frame's. */
export const checksums = ['sum', 'xor', 'lrc', 'crc16Modbus', 'crc16Ccitt', 'crc16Hj212', 'crc32'] as const
export type Checksum = (typeof checksums)[number]
export const checksumBytes: Record<Checksum, number> = {
  ...{ sum: 1, xor: 1, lrc: 1, crc16Modbus: 2, crc16Ccitt: 2, crc16Hj212: 2, crc32: 4 },
}

/**
 * The checksum of some bytes. Scripts get the text of this very function, so it names nothing outside itself.
 * `crc16Hj212` shifts before it takes a byte, as HJ 212 prints it.
 */
export const checksum = (kind: string, bytes: ArrayLike<number>, from = 0, to = bytes.length): number => {
  let value = kind === 'crc32' ? -1 : kind.startsWith('crc16') ? 0xffff : 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number
    if (kind === 'sum' || kind === 'lrc') value = (value + byte) & 0xff
    else if (kind === 'xor') value ^= byte
    else if (kind === 'crc16Ccitt') {
      value ^= byte << 8
      for (let k = 0; k < 8; k++) value = (value & 0x8000 ? (value << 1) ^ 0x1021 : value << 1) & 0xffff
    } else {
      const polynomial = kind === 'crc32' ? 0xedb88320 | 0 : 0xa001
      value = kind === 'crc16Hj212' ? (value >>> 8) ^ byte : value ^ byte
      for (let k = 0; k < 8; k++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    }
  }
  if (kind === 'lrc') return -value & 0xff
  return kind === 'crc32' ? ~value >>> 0 : value
}
