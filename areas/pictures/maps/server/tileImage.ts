// Detects the type of an image by its magic bytes; the server's Content-Type is not trusted. Pure.
type Image = { kind: 'png' | 'jpeg' | 'webp'; width: number; height: number }

const jpegSize = (bytes: Buffer) => {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return undefined
}

const webpSize = (bytes: Buffer) => {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

/** Undefined if it is not a PNG, JPEG or WebP. */
export const imageOf = (bytes: Buffer): Image | undefined => {
  if (bytes.length < 32) return undefined
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n')
    return { kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  const [kind, size] =
    bytes.readUIntBE(0, 3) === 0xffd8ff
      ? (['jpeg', jpegSize(bytes)] as const)
      : ([
          'webp',
          bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? webpSize(bytes) : undefined,
        ] as const)
  return size && { kind, ...size }
}
