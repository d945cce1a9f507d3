// Demo company: past excursions and their dispositions.
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { decided } from './decided.ts'
import { deriveFrom } from './derive.ts'
import { judgedSensors, saveJudged } from './sensors.ts'

export type PastExcursions = { telemetry: Pick<Telemetry, 'aside' | 'top'>; now: number }

/** Prefetches a time range for all points on the first request. */
const readTogether = (aside: Telemetry['aside'], points: readonly number[]): Pick<Telemetry['aside'], 'columns'> => {
  const stretches = new Map<string, ReturnType<typeof aside.columns>>()
  return {
    columns: async (some, start, end) => {
      const key = `${start} ${end}`
      const all = stretches.get(key) ?? aside.columns(points, start, end)
      stretches.set(key, all)
      return (await all).filter(({ point }) => some.includes(point))
    },
  }
}

/** Derives all past excursions of rooms. The worker continues from there. */
export const pastExcursions = async (db: Db, { telemetry, now }: PastExcursions, rooms: readonly number[]) => {
  const arrived = telemetry.top()
  const sensors = (await judgedSensors(db)).filter(({ RoomId }) => rooms.includes(RoomId))
  const aside = readTogether(
    telemetry.aside,
    sensors.map(({ ParaId }) => ParaId),
  )
  for (const sensor of sensors) await deriveFrom(db, { aside }, sensor, sensor.from, now)
  await saveJudged(db, sensors, arrived)
}

/** Records a disposition of an ended excursion at a past time. */
export const decidePast = (db: Db, actor: Actor, id: number, { at, ...given }: { at: number; Disposition: number; Cause: string }) =>
  decided.update(db, { ...actor, past: new Date(at) }, id, { ...given, DisposeUserId: actor.UserId, DisposeTime: new Date(at) })
