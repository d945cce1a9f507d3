// Reactions of the demo company's people to its past alarms.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { PastAlarm } from '../../../alarms/alarms/server/service.ts'

/** Handling note and comment, by a part of the point's name. */
const words: [part: RegExp, handled: string, said: string][] = [
  [
    /tripped/,
    'Motor protection had tripped. Shaft turns freely, reset and started.',
    'Current is normal again, I watch it for ten minutes.',
  ],
  [/bearing|vibration/, 'Bearing greased, temperature falls.', 'Noise at the drive end. Order a bearing for the next stop.'],
  [/turbidity/, 'Dose raised, filters hold their turbidity.', 'It is the rain upstream; the sample in the laboratory agrees.'],
  [/chlorine gas/, 'Gland tightened, room aired, no smell left.', 'Nobody goes in before the ventilation has run.'],
  [/chlorine|airlock/, 'Dosing pump vented, residual is back.', 'Air in the suction line after the change of drums.'],
  [/UV|Lamp/, 'Ballast reset, lamps burn again.', 'Two lamps of the same ballast, as last time.'],
  [/Door|Air temperature/, 'Door closed.', 'Delivery was unloading. Goods stayed cold enough.'],
  [/Voltage/, 'Sag of the grid, came back by itself.', 'The supplier knows of it.'],
  [/Rain|Wind/, 'Weather. Nothing to do.', 'Crane secured.'],
]

/** Hashes a number to a share in [0, 1). */
const shareOf = (n: number, of: number) => (((n * 2_654_435_761 + of * 40_503) % 4_294_967_296) / 4_294_967_296 + 1) % 1

/** Most alarms are acknowledged within minutes, many are handled and some get a comment. Night alarms wait longer. */
export const handleAlarms = async (
  db: Db,
  enterprise: number,
  alarms: readonly PastAlarm[],
  people: readonly number[],
  names: ReadonlyMap<number, string>,
  now: number,
) => {
  if (!people.length) return
  const acts = alarms.flatMap(({ Id, ParaId, Start, End }) => {
    const share = (of: number) => shareOf(Math.floor(Start / 1000), of)
    const ack = Start + 40_000 + share(1) * 900_000
    if (share(2) > 0.9 || ack > now) return []
    const [, handled, said] = words.find(([part]) => part.test(names.get(ParaId) ?? '')) ?? [
      null,
      'Looked at, nothing found.',
      'Keep an eye on it.',
    ]
    const handle = Math.max(ack, End) + share(3) * 2_400_000
    const who = people[Math.floor(share(4) * people.length)]!
    return [{ Id, who, ack, handle: share(5) < 0.55 && handle < now ? handle : null, handled, said: share(6) < 0.3 ? said : null }]
  })
  const rows = (of: object[]) => sql`${JSON.stringify(of)}::jsonb`
  await db.all([
    sql`update alarm_info a set "AckStatus" = 1, "AckUserId" = e.who, "AckTime" = to_timestamp(e.ack / 1000.0),
        "HandleStatus" = case when e.handle is null then a."HandleStatus" else 2 end, "HandleUserId" = case when e.handle is null then null else e.who end,
        "HandleTime" = to_timestamp(e.handle / 1000.0), "HandleDesc" = case when e.handle is null then null else e.handled end
      from jsonb_to_recordset(${rows(acts)}) as e ("Id" bigint, who bigint, ack float8, handle float8, handled text) where a."Id" = e."Id"`,
    sql`insert into alarm_comment ("EnterpriseId", "AlarmId", "UserId", "Text", "CreateTime")
      select ${enterprise}, e."Id", e.who, e.said, to_timestamp((e.ack + 60000) / 1000.0)
      from jsonb_to_recordset(${rows(acts.filter((act) => act.said))}) as e ("Id" bigint, who bigint, ack float8, said text)`,
  ])
}
