// Sensor positions and last-day temperatures for the room's plan.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { roomCalls } from '../calls.ts'
import { coldStorage, Sensor } from '../contract.ts'
import type { Needs } from './init.ts'
import { corrected, offsetAt, offsetsOf } from './offsets.ts'
import { boundOf } from './present.ts'

const steps = 96
type Placed = { Id: number; SensorName: string; X: number; Y: number }

export const planOfRoom = async (db: Db, actor: Actor, id: number, { telemetry, clock }: Needs): Promise<Answer<typeof roomCalls.plan>> => {
  const seen = await db.rows(sql`select 1 from cold_storage t where t."Id" = ${id} and ${visible(coldStorage, actor)}`)
  if (!seen.length) throw notFound()
  const Start = Math.floor(clock() / quarter) * quarter - (steps - 1) * quarter
  const bound = (await boundOf(db, [id])).filter(({ SensorType }) => SensorType === Sensor.temperature)
  const ids = bound.map(({ Id }) => Id)
  const places = await db.rows<Placed>(sql`
    select "Id", "SensorName", "X"::float8 as "X", "Y"::float8 as "Y" from cold_sensor_bind
    where "Id" = any(${ids}::bigint[]) and "X" is not null and "Y" is not null order by "Id"`)
  const pointOf = new Map(bound.map(({ Id, ParaId }) => [Id, ParaId]))
  const points = [...new Set(places.map(({ Id }) => pointOf.get(Id)!))]
  const found = points.length ? await telemetry.aside.buckets(points, Start, Start + steps * quarter, { ms: quarter, origin: Start }) : []
  const byPoint = new Map(found.map((of) => [of.point, of]))
  const stepsOf = await offsetsOf(db, ids)
  const Points = places.map(({ Id: SensorBindId, ...place }) => {
    const Values = Array<number | null>(steps).fill(null)
    const of = byPoint.get(pointOf.get(SensorBindId)!)
    for (const [k, time] of (of?.time ?? []).entries()) {
      const [i, avg] = [Math.round((time - Start) / quarter), of!.avg[k] ?? null]
      if (avg !== null && i >= 0 && i < steps) Values[i] = Math.round(corrected(avg, offsetAt(stepsOf(SensorBindId), time)) * 1000) / 1000
    }
    return { SensorBindId, ...place, Values }
  })
  return { Start, Step: quarter, Points }
}
