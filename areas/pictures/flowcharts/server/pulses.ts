// Pulse outputs that survive a crash. The reset value is stored before the first write and retried until the gateway confirms it, under a
// message id that makes the retry idempotent.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Context } from '../../../../server/context.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { Gateways } from '../../../configuration/gateways/server/service.ts'

type Pulse = { Id: number; EnterpriseId: number; UserId: number | null; ParaId: number; Rest: number; MsgId: string; Evidence: object }
type Needs = Pick<Gateways, 'write' | 'writeOnce'> & { database: Database; clock: () => number; log: Pick<Logger, 'warn'> }

const noReply = 2
/** Lease of a write before it is retried, ms. A gateway has 10 s to reply. */
const claimMs = 15_000
/** Retry interval, and the age after which a reset is abandoned, ms. */
const [againMs, longestMs] = [5_000, 3_600_000]

export const openPulses = ({ database, write, writeOnce, clock, log, pollMs = 1000 }: Needs & { pollMs?: number }) => {
  const db = database.system
  const at = (ms = 0) => new Date(clock() + ms)
  const drop = (Id: number) => db.rows(sql`delete from picture_pulse where "Id" = ${Id}`)
  const later = (Id: number, MsgId: string) =>
    db.rows(sql`update picture_pulse set "NextTime" = ${at(againMs)}, "MsgId" = ${MsgId} where "Id" = ${Id}`)

  /** Writes the reset value of a claimed pulse. Retries keep the message id, unless the gateway rejected it. */
  const release = async ({ Id, MsgId, Evidence, ParaId, Rest, EnterpriseId, UserId }: Pulse) => {
    const done = await writeOnce({ EnterpriseId, UserId, ParaId, Value: Rest, MsgId }, Evidence)
    await (done.Code === 0 ? drop(Id) : later(Id, done.Code === noReply ? MsgId : randomUUID()))
    return done
  }

  /** Claims due pulses. Drops those whose point has been written to since: the newer value wins. */
  const claim = async () => {
    const given = await db.rows<{ Id: number; ParaId: number }>(sql`
      delete from picture_pulse p where p."NextTime" <= ${at()} and (p."DueTime" < ${at(-longestMs)} or exists (
        select from command c join device d on d."GatewayId" = c."GatewayId" join point t on t."DeviceId" = d."Id"
        where t."Id" = p."ParaId" and c."SendTime" > p."BeginTime" and c."CmdType" = 'write' and c."Code" = 0
          and (c."Payload" ->> 'ParaId')::bigint = p."ParaId" and c."Payload" ->> 'Pulse' is distinct from p."Evidence" ->> 'Pulse'))
      returning p."Id", p."ParaId"`)
    if (given.length) log.warn({ points: given.map(({ ParaId }) => ParaId) }, 'pulses not ended: written to since, or too late')
    return db.rows<Pulse>(sql`
      update picture_pulse set "NextTime" = ${at(claimMs)} where "Id" in (
        select "Id" from picture_pulse where "NextTime" <= ${at()} order by "NextTime" limit 20 for update skip locked) returning *`)
  }
  let isTakenUp = false
  const run = async () => {
    // Take over pulses of an earlier process.
    if (!isTakenUp) await db.rows(sql`update picture_pulse set "NextTime" = "DueTime"`)
    isTakenUp = true
    await Promise.all(
      (await claim()).map((pulse) =>
        release(pulse).catch((err) => {
          log.warn({ err }, 'a pulse was not ended; trying again')
          return later(pulse.Id, pulse.MsgId)
        }),
      ),
    )
  }
  const worker = startWorker({
    ...{ database, run, pollMs },
    triggeredBy: () => false,
    failed: (err) => log.warn({ err }, 'pulses were not ended; trying again'),
  })

  return {
    ...worker,
    /** Writes the value, waits, then resets it. Returns the result of the reset, or of the first write if that failed. */
    async pulse(by: Db, actor: Actor, ParaId: number, { value, rest, ms }: { value: number; rest: number; ms: number }, evidence: object) {
      const Evidence = { ...evidence, Pulse: randomUUID() }
      const [row] = await db.rows<Pulse>(sql`
        insert into picture_pulse ("EnterpriseId", "UserId", "ParaId", "Rest", "MsgId", "Evidence", "BeginTime", "DueTime", "NextTime")
        select "EnterpriseId", ${actor.UserId}, "Id", ${rest}, ${randomUUID()}, ${JSON.stringify(Evidence)}::jsonb, ${at()}, ${at(ms)},
          ${at(ms + 2 * claimMs)} from point where "Id" = ${ParaId} returning *`)
      const done = await write(by, actor, ParaId, value, Evidence).catch(async (error) => {
        await drop(row!.Id)
        throw error
      })
      // An unacknowledged write may have been executed.
      if (done.Code !== 0 && done.Code !== noReply) {
        await drop(row!.Id)
        return done
      }
      await setTimeout(ms)
      const ended = await release(row!)
      return done.Code === 0 ? ended : done
    },
  }
}
export type Pulses = ReturnType<typeof openPulses>

export const startPulses = ({ database, clock, log, opened }: Context, { write, writeOnce }: Pick<Gateways, 'write' | 'writeOnce'>) =>
  opened(openPulses({ database, clock, log, write, writeOnce }), (p) => p.stop())
