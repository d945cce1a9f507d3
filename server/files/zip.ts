// Reads single parts of a zip that lies in memory, by its directory (PKWARE APPNOTE 4.3). Sizes that the file states are not believed.
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { Fault } from '../http/faults.ts'
import { sheetLimits } from './sheetLimits.ts'

type Part = { method: number; packed: Buffer }
export type Parts = ReadonlyMap<string, Part>

const chunkBytes = 64 * 1024
const unreadable = () => new Fault('sheetUnreadable')

export const openZip = (bytes: Uint8Array): Parts => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + 22 > file.length) throw unreadable()
  const count = file.readUInt16LE(end + 10)
  if (count > sheetLimits.parts) throw unreadable()
  const parts = new Map<string, Part>()
  for (let i = 0, at = file.readUInt32LE(end + 16); i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw unreadable()
    const [flags, method, size] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
    const [nameLength, local] = [file.readUInt16LE(at + 28), file.readUInt32LE(at + 42)]
    const isEncrypted = flags & 1
    if (isEncrypted || (method !== 0 && method !== 8) || local + 30 > file.length) throw unreadable()
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    if (start + size > file.length) throw unreadable()
    parts.set(file.toString('utf8', at + 46, at + 46 + nameLength), { method, packed: file.subarray(start, start + size) })
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

function* slices(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** The text of a part, unpacked bit by bit. */
export async function* textOf({ method, packed }: Part, maxBytes = sheetLimits.partBytes): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const chunks = method === 0 ? slices(packed) : Readable.from([packed]).pipe(createInflateRaw({ chunkSize: chunkBytes }))
  let total = 0
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    total += chunk.length
    if (total > maxBytes) throw new Fault('tooLarge')
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}
