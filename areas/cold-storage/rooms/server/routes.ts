import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isDay } from '../../../../contract/days.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, type Holder, inUseBy } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type AssertUnused, type Check, store } from '../../../../server/resource/store.ts'
import { ruleWrites } from '../../../alarms/alarms/server/service.ts'
import { PresentRow, roomCalls } from '../calls.ts'
import { calibrated, coldCalibration, coldSensorBind, coldStorage, finished, type SensorType } from '../contract.ts'
import { composeRooms, splitRoom } from './compose.ts'
import { curvesOf } from './curves.ts'
import { initRoom, type Needs, propose, stateOf } from './init.ts'
import { planOfRoom } from './plan.ts'
import { createPresent } from './present.ts'
import { writeRules } from './rules.ts'
import { bindOne, lockRoom, unbindOne, wallText, zoneOf } from './sensors.ts'
import { serialsOf } from './serials.ts'

type Values = Record<string, unknown>
/** A room that is ready keeps a limit: without one nothing is judged. */
/** Changes of a room's limits in a day. Each limit is kept with its time, and all of them are compared with what sensors measured. */
const mostBands = 20
const limits = ['TempLow', 'TempHigh', 'HumLow', 'HumHigh'] as const
const assertFewBands = async (db: Db, given: Values, held: Row<typeof coldStorage>) => {
  const field = limits.find((name) => given[name] !== undefined && given[name] !== held[name])
  if (!field || held.InitStatus !== finished) return
  const [row] = await db.rows<{ n: number }>(
    sql`select count(*)::int as n from cold_band where "ColdStorageId" = ${held.Id} and cold_band."From" > now() - interval '1 day'`,
  )
  if (row!.n >= mostBands) throw new FieldFaults([{ field, rule: 'cold.manyBands', values: { max: mostBands } }])
}

const roomCheck: Check<typeof coldStorage> = async (db, _actor, given, held) => {
  if (held) await assertFewBands(db, given, held)
  const now = { ...held, ...given } as { TempLow?: number | null; TempHigh?: number | null }
  const isBare = (now.TempLow ?? null) === null && (now.TempHigh ?? null) === null
  if (held && held.InitStatus === finished && held.IsCompose === 0 && isBare)
    throw new FieldFaults([{ field: 'TempHigh', rule: 'cold.noBand' }])
  return given
}

/** A member of a composed room, now or earlier, stays: figures of that time are made of it. */
const assertNoMember: AssertUnused = async (db, actor, rows) => {
  const ids = rows.map(({ Id }) => Id)
  const users = await db.rows<Holder>(sql`
    select t."Id", t."StorageName" as "Title", ${visible(coldStorage, actor)} as "Seen" from cold_storage t
    where t."ParentId" = any(${ids}::bigint[]) or t."Id" in (select "ComposeId" from cold_member where "MemberId" = any(${ids}::bigint[])) limit 10`)
  if (users.length) throw inUseBy(coldStorage.name, users)
}

const rooms = store(coldStorage, roomCheck, assertNoMember)
const updateRoom = (db: Db, actor: Actor, id: number, change: Values) =>
  db.tx(async (db) => {
    const row = await rooms.update(db, actor, id, change)
    if (row.InitStatus === finished && row.IsCompose === 0) await writeRules(db, actor, id)
    return row
  })
/** Rules of a room go with it. What it measured stays with its points. */
const removeRooms = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const found = await db.rows<{ Rule: number }>(sql`
      select unnest(array["TempRuleId", "HumRuleId"]) as "Rule" from cold_storage where "Id" = any(${[...ids]}::bigint[])`)
    const removed = await rooms.remove(db, actor, ids)
    const rules = found.flatMap(({ Rule }) => Rule ?? [])
    if (rules.length) await ruleWrites.remove(db, actor, rules)
    return removed
  })

const calibrationRows = (needs: Needs) => {
  const check: Check<typeof coldCalibration> = async (db, actor, given, held) => {
    const { SensorBindId, CalibDate, CalibDue } = { ...held, ...given } as { SensorBindId: number; CalibDate: string; CalibDue: string }
    const faults = Object.entries({ CalibDate, CalibDue }).flatMap(([field, day]) => (isDay(day) ? [] : [{ field, rule: 'noSuchDay' }]))
    if (faults.length) throw new FieldFaults(faults)
    if (CalibDate > wallText(needs.clock(), zoneOf(actor)).slice(0, 10)) throw new FieldFaults([{ field: 'CalibDate', rule: 'inFuture' }])
    const [sensor] = await db.rows<{ SensorType: SensorType }>(sql`select "SensorType" from cold_sensor_bind where "Id" = ${SensorBindId}`)
    if (sensor && !calibrated.includes(sensor.SensorType)) throw new FieldFaults([{ field: 'SensorBindId', rule: 'cold.notCalibrated' }])
    return given
  }
  const rows = store(coldCalibration, check)
  /** Runs a change, and then the rules of the rooms judge by it. */
  const ruled = <T>(db: Db, actor: Actor, sensors: (db: Db) => Promise<number[]>, run: (db: Db) => Promise<T>) =>
    db.tx(async (db) => {
      const ids = await sensors(db)
      const of = await db.rows<{ Id: number }>(
        sql`select distinct "ColdStorageId" as "Id" from cold_sensor_bind where "Id" = any(${ids}::bigint[]) order by 1`,
      )
      const answer = await run(db)
      for (const { Id } of of) await lockRoom(db, actor, Id).then(() => writeRules(db, actor, Id))
      return answer
    })
  const sensorsOf = (ids: readonly number[]) => async (db: Db) =>
    (await db.rows<{ Id: number }>(sql`select "SensorBindId" as "Id" from cold_calibration where "Id" = any(${[...ids]}::bigint[])`)).map(
      ({ Id }) => Id,
    )
  return {
    ...rows,
    create: (db: Db, actor: Actor, draft: Values) =>
      ruled(
        db,
        actor,
        async () => [Number(draft.SensorBindId)],
        (db) => rows.create(db, actor, draft),
      ),
    update: (db: Db, actor: Actor, id: number, change: Values) =>
      ruled(db, actor, sensorsOf([id]), (db) => rows.update(db, actor, id, change)),
    remove: (db: Db, actor: Actor, ids: readonly number[]) => ruled(db, actor, sensorsOf(ids), (db) => rows.remove(db, actor, ids)),
  }
}

export const roomRoutes = (app: FastifyInstance, needs: Needs) => {
  const present = createPresent(needs)
  const one = async (db: Db, actor: Actor, row: Promise<{ Id: number }>) => (await present.one(db, actor, await row)) as never
  crud(app, coldStorage, {
    shapes: { row: PresentRow },
    own: {
      ...{ find: present.find, list: present.list, remove: removeRooms },
      create: (db, actor, draft) => one(db, actor, rooms.create(db, actor, draft)),
      update: (db, actor, id, change) => one(db, actor, updateRoom(db, actor, id, change)),
    },
  })
  crud(app, coldSensorBind)
  crud(app, coldCalibration, { own: calibrationRows(needs) })
  serve(app, roomCalls.settings, ({ db, actor, query }) => propose(db, actor, query.SN, needs))
  serve(app, roomCalls.init, ({ db, actor, body, request }) => initRoom(db, actor, body, needs, languageOf(request)))
  serve(app, roomCalls.finished, ({ db, actor, query, request }) => stateOf(db, actor, query.Id, needs, languageOf(request)))
  serve(app, roomCalls.bind, async ({ db, actor, body }) => (await bindOne(db, actor, body, needs.clock())) as never)
  serve(app, roomCalls.unbind, async ({ db, actor, body }) => (await unbindOne(db, actor, body, needs.clock())) as never)
  serve(app, roomCalls.compose, ({ db, actor, body }) => one(db, actor, composeRooms(db, actor, body, needs.clock())))
  serve(app, roomCalls.split, ({ db, actor, body }) => one(db, actor, splitRoom(db, actor, body.Id, needs.clock())))
  serve(app, roomCalls.serials, ({ db, actor, query }) => serialsOf(db, actor, query))
  serve(app, roomCalls.curves, ({ db, actor, body }) => curvesOf(db, actor, body.Ids, needs))
  serve(app, roomCalls.plan, ({ db, actor, query }) => planOfRoom(db, actor, query.Id, needs))
}
