// The last day of rooms, for the sparks on their cards.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { coldStorage, Sensor } from '../contract.ts'
import type { Needs } from './init.ts'
import { corrected, offsetAt, offsetsOf } from './offsets.ts'
import { boundOf } from './present.ts'

export const curvesOf = async (db: Db, actor: Actor, given: readonly number[], { telemetry, clock }: Needs) => {
  const ids = [...new Set(given)]
  const seen = await db.rows(sql`select 1 from cold_storage t where t."Id" = any(${ids}::bigint[]) and ${visible(coldStorage, actor)}`)
  if (seen.length < ids.length) throw notFound()
  const Start = Math.floor(clock() / quarter) * quarter - 95 * quarter
  const sensors = (await boundOf(db, ids)).filter(({ SensorType }) => SensorType === Sensor.temperature)
  const stepsOf = await offsetsOf(
    db,
    sensors.map(({ Id }) => Id),
  )
  const points = [...new Set(sensors.map(({ ParaId }) => ParaId))]
  const found = points.length ? await telemetry.aside.buckets(points, Start, Start + 96 * quarter, { ms: quarter, origin: Start }) : []
  const byPoint = new Map(found.map((of) => [of.point, of]))
  const Items = ids.map((Id) => {
    const [Low, High] = [Array<number | null>(96).fill(null), Array<number | null>(96).fill(null)]
    for (const sensor of sensors.filter(({ RoomId }) => RoomId === Id)) {
      const of = byPoint.get(sensor.ParaId)
      for (const [k, time] of (of?.time ?? []).entries()) {
        const i = Math.round((time - Start) / quarter)
        const offset = offsetAt(stepsOf(sensor.Id), time)
        const [min, max] = [of!.min[k] ?? null, of!.max[k] ?? null]
        if (min === null || max === null || i < 0 || i > 95) continue
        Low[i] = Math.min(Low[i] ?? Number.POSITIVE_INFINITY, corrected(min, offset))
        High[i] = Math.max(High[i] ?? Number.NEGATIVE_INFINITY, corrected(max, offset))
      }
    }
    return { Id, Low, High }
  })
  return { Start, Step: quarter, Items }
}
