// Keeps excursions up to date with the newest readings, including late ones. Each sensor remembers the arrival number up to which its readings are in them, so
// that nothing is forgotten when the process is killed in between.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { coldCalibration, coldSensorBind, coldStorage } from '../../rooms/contract.ts'
import { coldExcursion } from '../contract.ts'
import { deriveFrom } from './derive.ts'
import { type Judged, judgedSensors, saveJudged } from './sensors.ts'

const [pollMs, lookMs, saveMs, arrivalsTogether] = [5000, 30_000, 60_000, 50_000]
const oldest = Date.UTC(2000, 0, 1)
type Stopped = () => boolean
export type ExcursionNeeds = {
  database: Database
  telemetry: Pick<Telemetry, 'aside' | 'arrivals' | 'top'>
  isOwner: () => boolean
  clock: () => number
  log: Pick<Logger, 'warn'>
}

/** By sensor, the earliest time of a reading that arrived above a number, and the highest number. */
const touchedBy = async ({ arrivals }: Pick<Telemetry, 'arrivals'>, sensors: readonly Judged[], arrived: number) => {
  const byPoint = Map.groupBy(sensors, ({ ParaId }) => ParaId)
  const touched = new Map<Judged, number>()
  let reached = arrived
  for (let isMore = true; isMore; ) {
    const rows = await arrivals([...byPoint.keys()], reached, oldest, arrivalsTogether)
    for (const { point, time } of rows)
      for (const sensor of byPoint.get(point) ?? [])
        if (time >= sensor.from && time < sensor.until) touched.set(sensor, Math.min(time, touched.get(sensor) ?? time))
    reached = rows.at(-1)?.n ?? reached
    isMore = rows.length === arrivalsTogether
  }
  return { touched, reached }
}

const createRun = ({ database, telemetry, clock, isOwner }: ExcursionNeeds) => {
  const db = database.system
  let sensors: readonly Judged[] = []
  let [isStale, lookedAt, arrived, savedAt] = [true, 0, -1, 0]

  const derive = async (sensor: Judged, from: number) => {
    const { EnterpriseId, ProjectId } = sensor
    for (const id of await deriveFrom(db, telemetry, sensor, from, clock()))
      db.emit({ resource: coldExcursion.name, id, verb: 'update', EnterpriseId, ProjectId })
  }
  const save = (of: readonly Judged[]) => saveJudged(db, of, arrived)

  /** Reads the sensors. Those that are judged by other rules than before are worked out from their beginning. */
  const look = async (isStopped: Stopped) => {
    isStale = false
    lookedAt = clock()
    sensors = await judgedSensors(db)
    const rows = await db.rows<{ SensorBindId: number; Fingerprint: string; Arrived: number }>(
      sql`select "SensorBindId", "Fingerprint", "Arrived"::float8 as "Arrived" from cold_excursion_state`,
    )
    const known = new Map(rows.map((row) => [row.SensorBindId, row.Fingerprint]))
    if (arrived < 0) arrived = rows.length ? Math.min(...rows.map(({ Arrived }) => Arrived)) : telemetry.top()
    for (const sensor of sensors) {
      if (known.get(sensor.Id) === sensor.fingerprint) continue
      if (isStopped()) return
      await derive(sensor, sensor.from)
      await save([sensor])
    }
  }

  const catchUp = async (isStopped: Stopped) => {
    const { touched, reached } = await touchedBy(telemetry, sensors, arrived)
    // An open excursion can time out without a new reading.
    const open = await db.rows<{ Id: number; At: number }>(sql`
      select "SensorBindId" as "Id", (extract(epoch from min("BeginTime")) * 1000)::float8 as "At" from cold_excursion where "Ended" = 0 group by 1`)
    const byId = new Map(sensors.map((sensor) => [sensor.Id, sensor]))
    for (const { Id, At } of open) {
      const sensor = byId.get(Id)
      if (sensor) touched.set(sensor, Math.min(At, touched.get(sensor) ?? At))
    }
    for (const [sensor, time] of touched) {
      if (isStopped()) return
      await derive(sensor, time)
    }
    const isMoved = reached > arrived
    arrived = reached
    if (!isMoved || clock() - savedAt < saveMs) return
    await save(sensors)
    savedAt = clock()
  }

  return {
    outdate: () => {
      isStale = true
    },
    run: async (isStopped: Stopped) => {
      if (!isOwner()) return
      if (isStale || clock() - lookedAt > lookMs) await look(isStopped)
      if (sensors.length) await catchUp(isStopped)
    },
  }
}

export const startExcursions = (needs: ExcursionNeeds) => {
  const { run, outdate } = createRun(needs)
  const definitions = new Set([coldStorage.name, coldSensorBind.name, coldCalibration.name])
  return startWorker({
    ...{ database: needs.database, run, pollMs },
    triggeredBy: ({ resource }) => {
      if (definitions.has(resource)) outdate()
      return definitions.has(resource)
    },
    failed: (err) => needs.log.warn({ err }, 'excursions of cold rooms were not worked out; trying again'),
  })
}
