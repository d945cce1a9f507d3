// Uploads. A slow body uses only the memory it has filled; a processing slot is taken once the file is complete.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { FaultKey } from '../../contract/faults.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from '../identity/actor.ts'
import { signedBody } from '../identity/credentials.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { pausing } from '../jobs/ownTurn.ts'
import { Fault } from './faults.ts'

declare module 'fastify' {
  interface FastifyInstance {
    uploads: Uploads
  }
}

const mb = 1024 * 1024
export const uploadLimits = {
  /** Files of one person; also the number of concurrent calls of a person (`limits.ts`), so browsers never reach it. */
  perPerson: 6,
  /** Imports of one person. */
  importsPerPerson: 2,
  perTenant: { uploads: 32, bytes: 64 * mb },
  all: { uploads: 128, bytes: 256 * mb },
  /** Of one body: a file of 20 MB with its fields. */
  bytes: 22 * mb,
  /** A body that brings fewer bytes in this time is cut. */
  slowest: { bytes: 10_000, ms: 10_000 },
  /** Each import holds its rows in memory until they are written. */
  processing: { concurrency: 4, perTenant: 2 },
}

type Upload = { person: number; tenant: number; bytes: number }
type ReceivedFile = { name: string; content: Buffer }
type Options = {
  perPerson?: number
  /** Bytes of the file. */
  fileSize?: number
  /** What a body without a file is refused with. */
  missing?: FaultKey
}
export type Uploads = ReturnType<typeof openUploads>

/** Whose file it is: its sender as he is when it is whole, since rights may be taken away while it arrives. */
type Sender = { actor: Actor; db: Db }
type Work<T, C> = (content: C, sender: Sender) => Promise<T>

/** A truncated form or missing boundary is a client error. */
const broken = (error: Error & { statusCode?: number }) => {
  throw error instanceof Fault || error.statusCode ? error : new Fault('unsupportedMedia')
}
/** Twenty megabytes in one go would hold up others for tens of milliseconds. */
const joined = async (pieces: readonly Buffer[]) => {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  const pause = pausing()
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(whole, at)
    await pause()
  }
  return whole
}
const readFile = async (request: FastifyRequest, fileSize?: number): Promise<ReceivedFile | undefined> => {
  const part = await request.file(fileSize ? { limits: { fileSize, files: 1 } } : undefined)
  if (!part) return
  const pieces: Buffer[] = []
  for await (const piece of part.file) pieces.push(piece as Buffer)
  if (part.file.truncated) throw new Fault('tooLarge')
  return { name: part.filename ?? '', content: await joined(pieces) }
}
/** Drains the rest of the body, then compares its hash with the signature. */
const judgeWhole = async (raw: IncomingMessage, signed: NonNullable<ReturnType<typeof signedBody>>) => {
  raw.unpipe()
  raw.resume()
  if (!raw.readableEnded) await once(raw, 'end')
  const wrong = signed.judge()
  if (wrong) throw wrong
}

/** `identifyAgain` refuses a sender who has lost the right to the call. */
export const openUploads = (clock: () => number, identifyAgain: (request: FastifyRequest) => Promise<Actor>, limits = uploadLimits) => {
  const underWay = new Set<Upload>()
  const { concurrency, perTenant: perKey } = limits.processing
  // The limits of uploads bound what waits here.
  const processing = boundedQueue({ concurrency, perKey, backlog: 0 })
  const bytesOf = (tenant?: number) =>
    [...underWay].reduce((sum, upload) => sum + (tenant === undefined || upload.tenant === tenant ? upload.bytes : 0), 0)

  const begin = (person: number, tenant: number, perPerson: number): Upload => {
    const ofPerson = [...underWay].filter((upload) => upload.person === person).length
    const ofTenant = [...underWay].filter((upload) => upload.tenant === tenant).length
    // A tenant that sends nothing may always begin.
    const isFull = ofTenant > 0 && underWay.size >= limits.all.uploads
    if (ofPerson >= perPerson || ofTenant >= limits.perTenant.uploads || isFull) throw new Fault('busy')
    const upload = { person, tenant, bytes: 0 }
    underWay.add(upload)
    return upload
  }

  /** The file, once it is whole. */
  const arrival = async (request: FastifyRequest, upload: Upload, fileSize?: number) => {
    const file = readFile(request, fileSize).catch(broken)
    const signed = signedBody(request)
    const { promise: refusal, reject } = Promise.withResolvers<never>()
    const refuse = (key: FaultKey) => reject(new Fault(key))
    const count = (chunk: Buffer) => {
      signed?.add(chunk)
      upload.bytes += chunk.length
      if (upload.bytes > limits.bytes) refuse('tooLarge')
      else if (bytesOf(upload.tenant) > limits.perTenant.bytes || bytesOf() > limits.all.bytes) refuse('busy')
    }
    let [since, before] = [clock(), 0]
    const judgeSpeed = () => {
      if (clock() - since < limits.slowest.ms) return
      if (upload.bytes - before < limits.slowest.bytes) refuse('tooSlow')
      ;[since, before] = [clock(), upload.bytes]
    }
    const timer = setInterval(judgeSpeed, 1000)
    request.raw.on('data', count)
    try {
      const received = await Promise.race([file, refusal])
      if (signed) await Promise.race([judgeWhole(request.raw, signed).catch(broken), refusal])
      return received
    } catch (error) {
      // Read on, or the server never notices that the connection ends.
      request.raw.unpipe()
      request.raw.resume()
      file.catch(() => {})
      throw error
    } finally {
      clearInterval(timer)
      request.raw.off('data', count)
    }
  }

  /** His transactions end without effect when he may not make the call any longer: writing a long sheet takes seconds. */
  const senderOf = async (request: FastifyRequest): Promise<Sender> => {
    const actor = await identifyAgain(request)
    const db = request.server.dbOf(actor)
    const tx: Db['tx'] = (work, row) =>
      db.tx(async (db) => {
        const result = await work(db)
        await identifyAgain(request)
        return result
      }, row)
    return { actor, db: { ...db, tx } }
  }

  /**
   * Receives the file of a multipart body. It counts until `work` has ended, since its content lies in memory for so long.
   *
   * @throws Fault `busy`, `tooLarge` or `tooSlow`
   */
  const receiveWhole = async <T>(request: FastifyRequest, work: (file: ReceivedFile) => Promise<T>, options: Options): Promise<T> => {
    const { perPerson = limits.perPerson, fileSize, missing = 'sheetUnreadable' } = options
    if (!request.isMultipart()) throw new Fault('unsupportedMedia')
    const upload = begin(request.actor!.UserId, request.actor!.EnterpriseId, perPerson)
    try {
      const file = await arrival(request, upload, fileSize)
      if (!file) throw new Fault(missing)
      return await work(file)
    } finally {
      underWay.delete(upload)
    }
  }

  return {
    receive: <T>(request: FastifyRequest, work: Work<T, ReceivedFile>, options: Options = {}) =>
      receiveWhole(request, async (file) => work(file, await senderOf(request)), options),
    /** A sheet, which is imported when it is its tenant's turn. */
    receiveImport: <T>(request: FastifyRequest, work: Work<T, Buffer>) =>
      receiveWhole(
        request,
        ({ content }) =>
          processing(async () => work(content, await senderOf(request)), { admitted: true, key: request.actor!.EnterpriseId }),
        { perPerson: limits.importsPerPerson },
      ),
  }
}
