// Frames as people write them: hex with places for what differs from one to the next.

export type Token = { is: 'byte'; byte: number } | { is: 'any' } | { is: 'addr' } | { is: 'crc' } | { is: 'value' }
const places = ['addr', 'crc', 'value'] as const
const tokens = /\s*(?:([0-9A-Fa-f]{2})|(xx)|\{(addr|crc|value)\})\s*/y

/** The tokens of a template, or where it is wrong, counted from 0. */
export const parseTemplate = (text: string): { tokens: Token[] } | { at: number } => {
  const found: Token[] = []
  tokens.lastIndex = 0
  for (let at = 0; at < text.length; at = tokens.lastIndex) {
    const [, byte, open, name] = tokens.exec(text) ?? []
    if (byte === undefined && !open && !name) return { at }
    found.push(
      byte === undefined
        ? { is: open ? 'any' : (places.find((place) => place === name) ?? 'any') }
        : { is: 'byte', byte: Number.parseInt(byte, 16) },
    )
  }
  return found.length ? { tokens: found } : { at: 0 }
}

/** @throws RangeError for a text that its check refuses */
export const tokensOf = (text: string): Token[] => {
  const read = parseTemplate(text)
  if ('at' in read) throw new RangeError(`not a frame from character ${read.at + 1} on`)
  return read.tokens
}

const widths = (crc: number, value: number) => ({ byte: 1, any: 1, addr: 1, crc, value })
/** Bytes of a template whose checksum and value have so many. */
export const templateBytes = (text: string, crc: number, value: number) =>
  tokensOf(text).reduce((sum, { is }) => sum + widths(crc, value)[is], 0)

/** Bytes of hex; undefined where it is none. */
export const hexBytes = (text = ''): Uint8Array | undefined => {
  const digits = text.replace(/\s+/g, '')
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return undefined
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
export const hexText = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ')
