// Replay data of a picture: the readings of its points, and the alarms that were active.
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { type flowchartCalls, longestReplay } from '../contract.ts'
import { pointsOf } from './openPicture.ts'
import { shownAt } from './scenes.ts'

/** Limits of an answer: entries in total and per point, and alarms. */
const most = { entries: 120_000, ofPoint: 720, alarms: 500 }

/** Minimum time before the start that is also read, ms. */
const leastBefore = 60_000

export const readPast = async (
  db: Db,
  actor: Actor,
  { latest, query }: Pick<Telemetry, 'latest' | 'query'>,
  { Start, End, language, ...place }: Body<typeof flowchartCalls.past> & { language: Language },
): Promise<Answer<typeof flowchartCalls.past>> => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > longestReplay) throw new FieldFaults([{ field: 'Start', rule: 'pictures.tooLong' }])
  const { row, version, composed } = await shownAt(db, actor, place, language)
  const { Points } = await pointsOf(db, actor, latest, { scene: composed.scene, owner: row, given: {}, language })
  const ids = Points.map(({ ParaId }) => ParaId)
  const devices = [...new Set(Points.map(({ DeviceId }) => DeviceId))]
  const buckets = Math.max(1, Math.min(most.ofPoint, Math.floor(most.entries / Math.max(1, ids.length))))
  // The values at the start come from earlier readings.
  const before = Math.max(leastBefore, (2 * (End - Start)) / buckets)
  const [series, Alarms] = await Promise.all([
    query.series({ ids, start: Start - before, end: End, buckets, zone: actor.tenantZone }),
    db.rows<{ ParaId: number; Level: number; Start: number; End: number | null }>(sql`
      select t."ParaId", t."AlarmLevel"::int as "Level", (extract(epoch from t."StartTime") * 1000)::float8 as "Start",
        (extract(epoch from t."RecoverTime") * 1000)::float8 as "End"
      from alarm_info t where t."DeviceId" = any(${devices}::bigint[]) and t."ParaId" = any(${ids}::bigint[])
        and t."StartTime" between ${new Date(Start - longestReplay)} and ${new Date(End)}
        and coalesce(t."RecoverTime", now()) > ${new Date(Start)} and ${visible(alarmInfo, actor)}
      order by t."StartTime" desc limit ${most.alarms}`),
  ])
  return {
    Version: version,
    Step: series.Step,
    // The content of a bucket is known at its end.
    Points: series.Series.map(({ ParaId, Raw, Time, Last }) => ({
      ParaId,
      Time: Raw ? Time : Time.map((t) => t + series.Step),
      Value: Last,
    })),
    Alarms,
  }
}
