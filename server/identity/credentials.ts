// Programs that call with a key of their own: as a bearer, or with every call signed (HMAC-SHA256). A caller that
// does not prove the key learns nothing about it; one that does learns why it is refused.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { hmacScheme, signedSeconds, signingLabel, stringToSign } from '../../contract/signature.ts'
import type { Database } from '../database/db.ts'
import { within } from '../http/addresses.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import type { Sessions } from './sessions.ts'
import type { Vault } from './vault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for calls of programs: SHA-256 that their body must have, or empty for bearers, and the key that they proved. */
    credential: { bodySha256: string; proved?: { accessKey: string; secretHash: Buffer } } | null
  }
}

type Row = {
  Id: number
  EnterpriseId: number
  UserId: number
  RatePerMinute: number
  IpAllow: string | null
  Over: boolean
  Status: number
  Permissions: string[]
  SecretHash: Buffer
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
export const hashOf = sha256
export const signingKey = (secret: string) => createHmac('sha256', secret).update(signingLabel).digest('base64')
export const sealedName = (id: number) => `apiCredential.${id}.SigningKey`
const nothing = sha256('').toString('hex')
const same = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

/** Calls a minute: the size of the burst, refilled evenly. */
const buckets = (clock: () => number) => {
  const budgets = new Map<number, { left: number; at: number }>()
  return (id: number, perMinute: number): boolean => {
    const now = clock()
    const { left, at } = budgets.get(id) ?? { left: perMinute, at: now }
    const refilled = Math.min(perMinute, left + ((now - at) / 60_000) * perMinute)
    if (budgets.size > 10_000) budgets.clear()
    budgets.set(id, { left: refilled >= 1 ? refilled - 1 : refilled, at: now })
    return refilled >= 1
  }
}

const longestHeader = 2000
/** `name=value` pairs of a header. Split first: a regular expression that looks for pairs in a long text takes time by its square. */
const parts = (header: string): Record<string, string | undefined> => {
  const pairs: Record<string, string> = Object.create(null)
  if (header.length > longestHeader) return pairs
  for (const pair of header.split(/[,\s]/)) {
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (at > 0 && value.length <= 200 && /^\w+$/.test(name) && /^[\w.~+/=-]+$/.test(value)) pairs[name] = value
  }
  return pairs
}

export type Credentials = ReturnType<typeof openCredentials>

export const openCredentials = (database: Database, vault: Vault, sessions: Pick<Sessions, 'actorOf'>, clock: () => number) => {
  const db = database.system
  const take = buckets(clock)
  let signedCalls = 0

  const rowOf = async (accessKey: string): Promise<Row | undefined> =>
    (
      await db.rows<Row>(sql`
        select "Id", "EnterpriseId", "UserId", "RatePerMinute", "IpAllow", coalesce("ValidTo" <= ${new Date(clock())}, false) as "Over", "Status", "Permissions", "SecretHash"
        from api_credential where "AccessKey" = ${accessKey} and "SecretHash" is not null`)
    )[0]

  const counted = async (row: Row, error: unknown) => {
    await db.rows(sql`update api_credential set "Refused" = "Refused" + 1 where "Id" = ${row.Id}`).catch(() => {})
    throw error
  }

  /** Signature, time and number of one signed call; each number is good once. */
  const checkSigned = async (row: Row, request: FastifyRequest, given: Record<string, string | undefined>) => {
    const { AccessKey = '', Timestamp = '', Nonce = '', ContentSha256 = nothing, Signature = '' } = given
    const key = await vault.get(row.EnterpriseId, sealedName(row.Id))
    const signed = stringToSign({
      method: request.method,
      target: request.raw.url ?? '',
      timestamp: Timestamp,
      nonce: Nonce,
      bodySha256: ContentSha256,
    })
    const right = createHmac('sha256', Buffer.from(key ?? '', 'base64'))
      .update(signed)
      .digest()
    if (!key || !same(right, Buffer.from(Signature, 'hex'))) throw new Fault('signatureWrong')
    if (!/^\d{9,11}$/.test(Timestamp) || Math.abs(Number(Timestamp) * 1000 - clock()) > signedSeconds * 1000)
      throw new Fault('signatureStale', { seconds: signedSeconds })
    if (Nonce.length < 8 || Nonce.length > 64) throw new Fault('signatureWrong')
    const [fresh] = await db.rows(
      sql`insert into api_nonce ("AccessKey", "Nonce", "Time") values (${AccessKey}, ${Nonce}, ${new Date(clock())}) on conflict do nothing returning 1`,
    )
    if (!fresh) throw new Fault('signatureUsed')
    if (++signedCalls % 100 === 0) await db.rows(sql`delete from api_nonce where "Time" < ${new Date(clock() - 3 * signedSeconds * 1000)}`)
    return ContentSha256
  }

  const assertOpen = (row: Row, request: FastifyRequest) => {
    if (row.Status !== 1) throw new Fault('credentialDisabled')
    if (row.Over) throw new Fault('credentialExpired')
    if (row.IpAllow && !within(row.IpAllow, request.ip)) throw new Fault('addressNotAllowed')
  }
  const actorOf = async (row: Row): Promise<Actor> => {
    const owner = await sessions.actorOf(row.UserId, `api ${row.Id}`)
    if (!owner || 'ended' in owner) throw new Fault('credentialDisabled')
    const may = owner.may.intersection(new Set(row.Permissions))
    const { unlicensed = [], ...rest } = owner
    // Only a program with all of its owner's rights gives what he could.
    return { ...rest, may, ...(may.size === owner.may.size ? { unlicensed: new Set(unlicensed) } : {}) }
  }
  const allowed = async (row: Row, request: FastifyRequest): Promise<Actor> => {
    assertOpen(row, request)
    if (!take(row.Id, row.RatePerMinute)) throw new Fault('tooMany')
    const actor = await actorOf(row)
    await db.rows(sql`update api_credential set "Calls" = "Calls" + 1, "LastUsedTime" = ${new Date(clock())} where "Id" = ${row.Id}`)
    return actor
  }

  return {
    /** The actor behind a program's authorization header; nothing for headers of people. */
    async who(request: FastifyRequest): Promise<Actor | undefined> {
      const header = request.headers.authorization ?? ''
      const [, accessKey, secret] = /^Bearer (PK[A-Z0-9]{18})\.([\w-]{20,100})$/.exec(header) ?? []
      const given = header.startsWith(`${hmacScheme} `) ? parts(header.slice(hmacScheme.length)) : undefined
      if (!accessKey && !given) return
      request.credential = { bodySha256: '' }
      const row = await rowOf(accessKey ?? given?.AccessKey ?? '')
      if (!row) throw new Fault('signatureWrong')
      try {
        if (given) request.credential = { bodySha256: await checkSigned(row, request, given) }
        else if (!same(row.SecretHash, sha256(secret!))) throw new Fault('signatureWrong')
        request.credential.proved = { accessKey: accessKey ?? given?.AccessKey ?? '', secretHash: row.SecretHash }
        return await allowed(row, request)
      } catch (error) {
        return await counted(row, error)
      }
    },
    /** The actor of a call that has proved its key, with the rights that the program has now. It counts as the same call. */
    async again(request: FastifyRequest): Promise<Actor> {
      const { accessKey, secretHash } = request.credential!.proved!
      const row = await rowOf(accessKey)
      if (!row || !same(row.SecretHash, secretHash)) throw new Fault('signatureWrong')
      try {
        assertOpen(row, request)
        return await actorOf(row)
      } catch (error) {
        return await counted(row, error)
      }
    },
  }
}

/** The signed body hash, or undefined for unsigned calls. */
export const signedBody = ({ credential }: FastifyRequest) => {
  const wanted = credential?.bodySha256
  if (!wanted) return
  const hash = createHash('sha256')
  return {
    wanted,
    add: (part: Buffer) => void hash.update(part),
    judge: () => (hash.digest('hex') === wanted ? null : new Fault('signatureWrong')),
  }
}

/** Verifies the body of a signed call by hashing it on its way to the parser. `Uploads` verifies files. */
export const checkBodies = (app: FastifyInstance) => {
  app.decorateRequest('credential', null)
  app.addHook('preParsing', async (request, _reply, payload) => {
    const { headers, method } = request
    const signed = signedBody(request)
    if (!signed) return payload
    const empty = !headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0)
    if (empty || method === 'GET') {
      if (signed.wanted !== nothing) throw new Fault('signatureWrong')
      return payload
    }
    if (/^multipart\//i.test(headers['content-type'] ?? '')) return payload
    let length = 0
    const through = Object.assign(
      new Transform({
        transform(part: Buffer, _encoding, done) {
          signed.add(part)
          length += part.length
          through.receivedEncodedLength = length
          done(null, part)
        },
        flush: (done) => done(signed.judge()),
      }),
      { receivedEncodedLength: 0 },
    )
    // No parser consumes a body of an unknown type, and an unhandled error would end the process.
    through.on('error', () => {})
    payload.on('error', (error) => through.destroy(error))
    return payload.pipe(through)
  })
}
