// High alarms that take over the screen of a display: their devices and times, without their texts.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { titleOf, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { kinds } from '../../shares/contract.ts'
import { television } from '../../televisions/contract.ts'
import { pairedTelevision, type Shown } from '../../televisions/server/service.ts'
import { mostTaking, type TakingAlarms } from '../contract.ts'
import { openKept, type openLookers } from './lookers.ts'

const none: TakingAlarms = { Alarms: [], More: 0 }
/** Time for which displays and their polls share the data, ms. */
const keptMs = 1000

type Needs = { database: Database; lookers: ReturnType<typeof openLookers>; clock: () => number; steady: () => number }

export const openTakeover = ({ database: { as, system }, lookers, clock, steady }: Needs) => {
  const kept = openKept<TakingAlarms>(steady, keptMs)

  /** The display's own project, or those of its playlist. A company-wide map or dashboard covers all projects visible to the sharing person. */
  const projectsOf = async ({ EnterpriseId, ProjectId, Playlist }: Shown): Promise<number[] | 'all'> => {
    if (ProjectId) return [ProjectId]
    if (Playlist.some(({ Kind }) => Kind === kinds.map)) return 'all'
    const ids = (kind: number) => Playlist.flatMap(({ Kind, Id }) => (Kind === kind && Id ? [Id] : []))
    const rows = await system.rows<{ ProjectId: number | null }>(sql`
      select "ProjectId" from flowchart where "EnterpriseId" = ${EnterpriseId} and "Id" = any(${ids(kinds.picture)}::bigint[])
      union select "ProjectId" from visual_board where "EnterpriseId" = ${EnterpriseId} and "Id" = any(${ids(kinds.board)}::bigint[])`)
    if (rows.some((row) => row.ProjectId === null)) return 'all'
    return [...ids(kinds.project), ...rows.map((row) => row.ProjectId!)]
  }

  const read = async (shown: Shown, actor: Actor): Promise<TakingAlarms> => {
    const hidden = actor.dataScope?.hidden.alarmInfo
    if (hidden?.has('AlarmLevel') || hidden?.has('StartTime')) return none
    const projects = await projectsOf(shown)
    const of = projects === 'all' ? sql`t."ProjectId" is not null` : sql`t."ProjectId" = any(${projects}::bigint[])`
    const title = (field: string, to: string) => (hidden?.has(field) ? sql`null::text` : titleOf([field, field, to], actor))
    const rows = await as(actor).rows<TakingAlarms['Alarms'][number] & { n: number }>(sql`
      select coalesce(${title('DeviceId', 'device')}, ${title('GatewayId', 'gateway')}) as "Name", ${title('ProjectId', 'project')} as "ProjectName",
        (extract(epoch from t."StartTime") * 1000)::float8 as "Since", count(*) over ()::int as n
      from alarm_info t where t."IsActive" = 1 and t."AlarmLevel" = 3 and t."AckStatus" = 0 and t."IsShelved" = 0 and ${of} and ${visible(alarmInfo, actor)}
      order by t."StartTime" desc, t."Id" desc limit ${mostTaking}`)
    return { Alarms: rows.map(({ n, ...alarm }) => alarm), More: (rows[0]?.n ?? 0) - rows.length }
  }

  /** @throws Fault `notFound` if the display is revoked. Shows no alarms if the person who assigned its playlist cannot see them. */
  return (id: number): Promise<TakingAlarms> =>
    kept(String(id), async () => {
      const shown = await pairedTelevision(system, id, clock())
      if (!shown.ShowAlarms) return none
      const actor = await lookers.actorWith(shown, [`${television.permission}.add`, alarmInfo.permission]).catch(() => undefined)
      return actor ? read(shown, actor) : none
    })
}
