// Encrypts archives with a passphrase in the age format (age-encryption.org/v1, one scrypt stanza), so that `age -d` can decrypt them.
// Uses Node's scrypt and ChaCha20-Poly1305: the npm packages for age derive the key on the main thread and block it for a second.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Fault } from '../../../../../server/http/faults.ts'

const magic = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16
/** Cost of a guess: 128 MB and a quarter of a second. Limited to 18, the value of `age -p`: more would let an archive exhaust memory. */
const work = { ours: 17, most: 18 }
const longestHeader = 300
const headerPattern = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) ([1-9]\d?)\n([\w+/]{43})\n--- ([\w+/]{43})\n/

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const derived = (fileKey: Buffer, salt: Buffer | '', purpose: string) => Buffer.from(hkdfSync('sha256', fileKey, salt, purpose, 32))
const wrapKey = (passphrase: string, salt: Buffer, factor: number) =>
  promisify<string, Buffer, number, object, Buffer>(scrypt)(passphrase, Buffer.concat([Buffer.from(`${magic}/scrypt`), salt]), 32, {
    ...{ N: 2 ** factor, r: 8, p: 1 },
    maxmem: 256 * 8 * 2 ** factor,
  })
const sealed = (key: Buffer, nonce: Buffer, content: Buffer) => {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
}
const unsealed = (key: Buffer, nonce: Buffer, content: Buffer): Buffer | undefined => {
  if (content.length < tagBytes) return
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(content.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(content.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    return
  }
}
/** Nonce: number of the chunk, and whether it is the last, so that none can be moved, left out or truncated. */
const nonceOf = (chunk: number, last: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = last ? 1 : 0
  return nonce
}
const macOf = (fileKey: Buffer, header: string) =>
  createHmac('sha256', derived(fileKey, '', 'header'))
    .update(header)
    .digest()
const damaged = () => new Fault('backupDamaged', { file: 'age' })

/** Splits a stream into blocks of one size; the last one may be shorter and is marked. */
async function* blocks(source: AsyncIterable<Buffer>, size: number, begun: Buffer = Buffer.alloc(0)) {
  let rest = begun
  const full = function* () {
    for (; rest.length > size; rest = rest.subarray(size)) yield { block: rest.subarray(0, size), last: false }
  }
  for await (const chunk of source) {
    yield* full()
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk
  }
  yield* full()
  yield { block: rest, last: true }
}

/** Whether the start of a file shows that it is encrypted. */
export const isEncrypted = (start: Buffer) => start.toString('latin1', 0, magic.length) === magic

/** `factor`: logarithm (base 2) of the cost of a guess; smaller in tests. */
export const encrypted = (source: Readable, passphrase: string, factor = work.ours): Readable => {
  const write = async function* () {
    const [fileKey, salt, nonce] = [randomBytes(16), randomBytes(16), randomBytes(16)]
    const body = sealed(await wrapKey(passphrase, salt, factor), Buffer.alloc(12), fileKey)
    const header = `${magic}\n-> scrypt ${base64(salt)} ${factor}\n${base64(body)}\n---`
    yield Buffer.concat([Buffer.from(`${header} ${base64(macOf(fileKey, header))}\n`), nonce])
    const key = derived(fileKey, nonce, 'payload')
    let chunk = 0
    for await (const { block, last } of blocks(source, chunkBytes)) yield sealed(key, nonceOf(chunk++, last), block)
  }
  return Readable.from(write(), { objectMode: false })
}

/** Reads the header. Throws Fault backupPassphrase for a wrong passphrase, backupDamaged for an invalid header. */
const open = async (start: Buffer, passphrase: string): Promise<{ fileKey: Buffer; length: number }> => {
  const [header, salt, factor, body, mac] = headerPattern.exec(start.toString('latin1', 0, longestHeader)) ?? []
  if (!header || Number(factor) > work.most) throw damaged()
  const key = await wrapKey(passphrase, Buffer.from(salt!, 'base64'), Number(factor))
  const fileKey = unsealed(key, Buffer.alloc(12), Buffer.from(body!, 'base64'))
  if (!fileKey) throw new Fault('backupPassphrase')
  const wanted = macOf(fileKey, header.slice(0, header.lastIndexOf('---') + 3))
  const given = Buffer.from(mac!, 'base64')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw damaged()
  return { fileKey, length: header.length }
}

/** Whether a passphrase decrypts the file with this start. */
export const opens = (start: Buffer, passphrase: string): Promise<boolean> =>
  open(start, passphrase).then(
    () => true,
    (error) => {
      if (error instanceof Fault && error.key === 'backupPassphrase') return false
      throw error
    },
  )

/** The content; each chunk is authenticated before it is passed on. Fails at the end of a truncated file: use nothing before it ends. */
export const decrypted = (source: Readable, passphrase: string): Readable => {
  const read = async function* () {
    const chunks = source[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>
    let start = Buffer.alloc(0)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      start = Buffer.concat([start, next.value])
      if (start.length >= longestHeader + tagBytes) break
    }
    const { fileKey, length } = await open(start, passphrase)
    const nonce = start.subarray(length, length + 16)
    if (nonce.length < 16) throw damaged()
    const key = derived(fileKey, nonce, 'payload')
    let chunk = 0
    for await (const { block, last } of blocks(chunks, chunkBytes + tagBytes, start.subarray(length + 16))) {
      const content = unsealed(key, nonceOf(chunk, last), block)
      if (!content || (!content.length && chunk > 0)) throw damaged()
      chunk++
      yield content
    }
  }
  return Readable.from(read(), { objectMode: false })
}
