// The panel's half of RFB (RFC 6143): sign-in, and a reader that checks every length before data is sent to the browser.
import { createCipheriv } from 'node:crypto'
import { Ended, type Reading } from './reading.ts'

export type Screen = { width: number; height: number }
type Send = (bytes: Buffer) => void

/** Limits of a panel's data. */
const most = { pixels: 8192 * 4096, cursor: 512 * 512, clipboard: 256 * 1024, name: 4096, reason: 500, encoded: 64 * 1024 * 1024 }
const bytesPerPixel = 4

const within = (size: number, limit: number) => {
  if (size > limit) throw new Ended('tooLarge')
  return size
}

/** VNC passwords use bytes in reversed bit order (RFC 6143, 7.2.2; errata 4951). */
const mirrored = (byte: number) => {
  let result = 0
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) result |= 0x80 >> bit
  return result
}

/** DES (FIPS 46-3) as triple DES with three equal keys: OpenSSL 3 has no single DES. */
export const des = (key: Buffer, blocks: Buffer) => {
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false)
  return Buffer.concat([cipher.update(blocks), cipher.final()])
}

/** The answer to the challenge of VNC authentication. Passwords have eight bytes. */
export const vncResponse = (password: string, challenge: Buffer) => {
  const key = Buffer.alloc(8)
  Buffer.from(password, 'latin1').copy(key)
  return des(Buffer.from(key.map(mirrored)), challenge)
}

function* reasonOf(): Reading<string> {
  const length = (yield 4).readUInt32BE()
  const text = (yield Math.min(length, most.reason)).toString('latin1')
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim()
}

const [noSecurity, vncAuthentication] = [1, 2]

function* chooseSecurity(version: number, password: string | undefined): Reading<number> {
  const offered = version === 3 ? [(yield 4).readUInt32BE()] : [...(yield (yield 1)[0]!)]
  if (!offered.length || offered[0] === 0) throw new Ended('refused', yield* reasonOf())
  if (offered.includes(vncAuthentication) && password !== undefined) return vncAuthentication
  if (offered.includes(noSecurity)) return noSecurity
  throw new Ended(offered.includes(vncAuthentication) ? 'passwordMissing' : 'security')
}

/** Signs in with RFB 3.3, 3.7 or 3.8. Other viewers of the panel stay connected. */
export function* signIn(send: Send, password: string | undefined): Reading<Screen> {
  const [, major, minor] = /^RFB (\d{3})\.(\d{3})\n$/.exec((yield 12).toString('latin1')) ?? []
  if (!major || Number(major) < 3) throw new Ended('noRfb')
  const version = Number(major) > 3 || Number(minor) >= 8 ? 8 : Number(minor) === 7 ? 7 : 3
  send(Buffer.from(`RFB 003.00${version}\n`))
  const security = yield* chooseSecurity(version, password)
  if (version > 3) send(Buffer.of(security))
  if (security === vncAuthentication) send(vncResponse(password!, yield 16))
  // Before 3.8, only an authentication has a result, and it has no reason.
  if (security === vncAuthentication || version === 8)
    if ((yield 4).readUInt32BE() !== 0)
      throw new Ended(security === vncAuthentication ? 'password' : 'refused', version === 8 ? yield* reasonOf() : '')
  send(Buffer.of(1))
  const init = yield 24
  const screen = { width: init.readUInt16BE(0), height: init.readUInt16BE(2) }
  within(screen.width * screen.height, most.pixels)
  yield -within(init.readUInt32BE(20), most.name)
  return screen
}

/** Length of Tight data: seven bits a byte, three bytes at most. */
function* compactLength(): Reading<number> {
  let length = 0
  for (const shift of [0, 7, 14]) {
    const byte = (yield 1)[0]!
    length |= (shift < 14 ? byte & 0x7f : byte) << shift
    if (byte < 0x80) break
  }
  return length
}

function* tight(width: number, height: number): Reading {
  const control = (yield 1)[0]! >> 4
  if (control === 8) yield -3
  else if (control === 9) yield -(yield* compactLength())
  else if (control > 9) throw new Ended('noRfb')
  else {
    const filter = control & 4 ? (yield 1)[0]! : 0
    if (filter > 2) throw new Ended('noRfb')
    const colours = filter === 1 ? (yield 1)[0]! + 1 : 0
    yield -3 * colours
    const row = filter !== 1 ? width * 3 : colours <= 2 ? Math.ceil(width / 8) : width
    const size = row * height
    // Fewer than twelve bytes are not compressed.
    yield -(size < 12 ? size : yield* compactLength())
  }
}

function* hextile(width: number, height: number): Reading {
  for (let y = 0; y < height; y += 16)
    for (let x = 0; x < width; x += 16) {
      const kind = (yield 1)[0]!
      if (kind & 1) yield -Math.min(16, width - x) * Math.min(16, height - y) * bytesPerPixel
      else {
        yield -((kind & 2 ? bytesPerPixel : 0) + (kind & 4 ? bytesPerPixel : 0))
        if (kind & 8) yield -(yield 1)[0]! * (kind & 16 ? bytesPerPixel + 2 : 2)
      }
    }
}

/** Readers of the encodings that a browser may request. */
const encodings: Record<number, (width: number, height: number) => Reading> = {
  *0(width, height) {
    yield -(width * height * bytesPerPixel)
  },
  *1() {
    yield -4
  },
  *2() {
    const subrectangles = (yield 4).readUInt32BE()
    yield -(bytesPerPixel + within(subrectangles * (bytesPerPixel + 8), most.encoded))
  },
  5: hextile,
  7: tight,
  *16() {
    yield -within((yield 4).readUInt32BE(), most.encoded)
  },
}
const [cursor, desktopSize, lastRectangle] = [-239, -223, -224]
const isLevel = (encoding: number) => (encoding >= -32 && encoding <= -23) || (encoding >= -256 && encoding <= -247)
export const mayAskFor = (encoding: number) =>
  encoding in encodings || isLevel(encoding) || [cursor, desktopSize, lastRectangle].includes(encoding)

function* update(screen: Screen): Reading {
  const rectangles = (yield 3).readUInt16BE(1)
  for (let i = 0; i < rectangles; i++) {
    const head = yield 12
    const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as [number, number, number, number]
    const encoding = head.readInt32BE(8)
    if (encoding === lastRectangle) return
    if (encoding === desktopSize) {
      within(width * height, most.pixels)
      Object.assign(screen, { width, height })
    } else if (encoding === cursor) yield -(within(width * height, most.cursor) * bytesPerPixel + Math.ceil(width / 8) * height)
    else {
      const read = encodings[encoding]
      if (!read) throw new Ended('noRfb')
      if (x + width > screen.width || y + height > screen.height) throw new Ended('tooLarge')
      yield* read(width, height)
    }
  }
}

/** Reads the panel's data after sign-in. Throws Ended before data that is not RFB, or larger than a screen. */
export function* drawing(screen: Screen): Reading {
  for (;;) {
    const type = (yield 1)[0]!
    if (type === 0) yield* update(screen)
    else if (type === 1) yield -6 * (yield 5).readUInt16BE(3)
    else if (type === 3) yield -within((yield 7).readUInt32BE(3), most.clipboard)
    else if (type !== 2) throw new Ended('noRfb')
  }
}
