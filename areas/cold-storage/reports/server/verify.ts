// Verifies a PDF against the issued one. The upload is hashed as it streams in; it is neither parsed nor stored.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { coldReport, type coldReportCalls, mostPdfBytes } from '../contract.ts'

/** Maximum concurrent uploads in total and per company, and the time limit of each. */
const limits = { concurrency: 8, perKey: 2, backlog: 20 }
const mostMs = 60_000
/** Rate limit per user: a burst of ten, then one every five seconds. */
const [perSecond, burst, mostPeople] = [0.2, 10, 10_000]

const hashOf = async (request: FastifyRequest): Promise<string> => {
  if (!request.isMultipart()) throw new Fault('unsupportedMedia')
  const part = await request.file({ limits: { fileSize: mostPdfBytes, files: 1 } }).catch((error: { statusCode?: number }) => {
    throw error.statusCode ? error : new Fault('unsupportedMedia')
  })
  if (!part) throw new Fault('fileEmpty')
  const late = setTimeout(() => part.file.destroy(new Fault('tooSlow')), mostMs)
  try {
    const hash = createHash('sha256')
    for await (const piece of part.file) hash.update(piece as Buffer)
    if (part.file.truncated) throw new Fault('tooLarge')
    return hash.digest('hex')
  } catch (error) {
    // Read on, or the server never notices that the connection ends.
    request.raw.unpipe()
    request.raw.resume()
    throw error instanceof Fault || (error as { statusCode?: number }).statusCode ? error : new Fault('unsupportedMedia')
  } finally {
    clearTimeout(late)
  }
}

type Found = { State: number; ApproveTime: string; WithdrawReason: string | null; FileSha256: string }
export const openVerifying = (steady: () => number) => {
  const queued = boundedQueue({ ...limits, refusal: 'busy' })
  const rates = new Map<number, Rate>()
  const assertSlow = ({ UserId }: Actor) => {
    const own = rates.get(UserId) ?? rate(perSecond, burst, steady)
    if (rates.size >= mostPeople) rates.clear()
    rates.set(UserId, own)
    if (own.left() < 1) throw new Fault('tooMany')
    own.take()
  }
  return async (db: Db, actor: Actor, number: string, request: FastifyRequest): Promise<Answer<typeof coldReportCalls.verify>> => {
    // API credentials sign a hash of the body, which would require buffering it.
    if (request.credential) throw new Fault('forbidden', { permission: 'session' })
    assertSlow(actor)
    const hash = await queued(() => hashOf(request), { key: actor.EnterpriseId })
    const ReportNo = number.trim().toUpperCase()
    const zone = actor.zone ?? actor.tenantZone
    const [report] = await db.rows<Found>(sql`
      select t."State", to_char(t."ApproveTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "ApproveTime", t."WithdrawReason", t."FileSha256"
      from cold_report t where t."ReportNo" = ${ReportNo} and t."EnterpriseId" = ${actor.EnterpriseId} and t."FileSha256" is not null
        and ${visible(coldReport, actor)}`)
    if (!report) return { Verdict: 3, ReportNo, Sha256: hash, State: null, ApproveTime: null, WithdrawReason: null }
    const { State, ApproveTime, WithdrawReason, FileSha256 } = report
    return { Verdict: FileSha256 === hash ? 1 : 2, ReportNo, Sha256: hash, State, ApproveTime, WithdrawReason }
  }
}
