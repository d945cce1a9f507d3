// Says a month before that the calibration of a bound sensor ends: once for each sensor and day of expiry.
import { sql } from 'kysely'
import type { Context } from '../../../../server/context.ts'
import type { Database } from '../../../../server/database/db.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { notifyAll } from '../../../system/notices/server/service.ts'
import { coldCalibration, coldStorage } from '../contract.ts'

const pollMs = 3_600_000
const mostAtOnce = 500
type Due = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  RoomId: number
  StorageName: string
  SensorName: string
  CalibDue: string
}

/** Answers how many notices are new. A notice of the same sensor and day is made once, however often this runs. */
export const remindOfCalibrations = async ({ system }: Pick<Database, 'system'>, now: number): Promise<number> => {
  const rows = await system.rows<Due>(sql`
    select b."Id", b."EnterpriseId", r."ProjectId", r."Id" as "RoomId", r."StorageName", b."SensorName", b."CalibDue"
    from cold_sensor_bind b join cold_storage r on r."Id" = b."ColdStorageId" join enterprise e on e."Id" = b."EnterpriseId"
    where b."UnbindTime" is null and b."CalibDue" is not null
      and b."CalibDue" <= to_char(${new Date(now)}::timestamptz at time zone e."TimeZoneKey" + interval '30 days', 'YYYY-MM-DD')
      and not exists (select 1 from notice n where n."EnterpriseId" = b."EnterpriseId" and n."Source" = 'calibDue/' || b."Id" || '/' || b."CalibDue")
    order by b."CalibDue", b."Id" limit ${mostAtOnce}`)
  if (!rows.length) return 0
  return notifyAll(
    system,
    rows.map(({ Id, EnterpriseId, ProjectId, RoomId, StorageName, SensorName, CalibDue }) => ({
      ...{ EnterpriseId, BizType: 12 as const, Wording: 'calibDue', Source: `calibDue/${Id}/${CalibDue}`, ProjectId },
      WordValues: { room: StorageName, sensor: SensorName, day: CalibDue },
      ...{ Permission: `${coldStorage.permission}.edit`, ObjectType: coldStorage.name, ObjectId: RoomId },
    })),
  )
}

export const startReminders = (c: Context) => {
  const { database, clock, log } = c
  const worker = startWorker({
    ...{ database, pollMs },
    run: async () => void (c.isOwner() && (await remindOfCalibrations(database, clock()))),
    triggeredBy: ({ resource }) => resource === coldCalibration.name,
    failed: (err) => log.warn({ err }, 'calibrations that end were not announced; trying again'),
  })
  c.opened(worker, () => worker.stop())
}
