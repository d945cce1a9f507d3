// Data of trends and lists of alarms in a picture.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import { parse } from '../../../../contract/expression/parse.ts'
import type { Language } from '../../../../contract/languages.ts'
import { type Scene, type Span, spanMs, spans } from '../../../../contract/picture/scene.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { columns, visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { nameIn, sentenceIn } from '../../../alarms/alarms/server/service.ts'
import { type flowchartCalls, mostAlarms, type Place } from '../contract.ts'
import { pointsOf, standingAlarms } from './openPicture.ts'
import { type Shown, shownAt } from './scenes.ts'

/** Historical drawings do not need latest values. */
type Reading = Pick<Telemetry, 'query'> & { latest: Telemetry['latest'] | undefined }
type Asked = { language: Language; now: number }

/** Limits: entries of an answer, entries of one point, and points of one span. */
const most = { entries: 60_000, ofPoint: 240, points: 200 }

const pointsAt = (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'] | undefined,
  { composed, row }: Pick<Shown, 'composed' | 'row'>,
  language: Language,
) => pointsOf(db, actor, latest, { scene: composed.scene, owner: row, given: {}, language })

/** The points drawn as lines, by span. */
const drawnIn = (scene: Scene, seen: Awaited<ReturnType<typeof pointsOf>>): Map<Span, number[]> => {
  const visible = new Set(seen.Points.map(({ ParaId }) => ParaId))
  const found = new Map<Span, Set<number>>()
  const add = (span: Span, text: string) => {
    const { tree } = parse(text)
    if (tree?.kind !== 'reference') return
    const id = 'id' in tree.of ? tree.of.id : seen.Named[`{${tree.of.name}}`]
    if (id === undefined || !visible.has(id)) return
    const ids = found.get(span) ?? new Set()
    if (ids.size < most.points) found.set(span, ids.add(id))
  }
  for (const item of scene.items) {
    if (item.kind === 'trend') for (const text of item.reads) add(item.span, text)
    if (item.kind === 'indicator' && item.look === 'spark') add(item.span ?? '15m', item.of)
  }
  return new Map([...found].map(([span, ids]) => [span, [...ids]]))
}

/** Readings of the points that a picture shows as lines. */
export const curvesOf = async (
  db: Db,
  actor: Actor,
  { latest, query }: Reading,
  shown: Pick<Shown, 'composed' | 'row'>,
  { language, now }: Asked,
): Promise<Answer<typeof flowchartCalls.curves>> => {
  const drawn = drawnIn(shown.composed.scene, await pointsAt(db, actor, latest, shown, language))
  const count = [...drawn.values()].reduce((sum, ids) => sum + ids.length, 0)
  const buckets = Math.max(1, Math.min(most.ofPoint, Math.floor(most.entries / Math.max(1, count))))
  const answers = spans.flatMap((span) => {
    const ids = drawn.get(span)
    if (!ids) return []
    const [Start, End] = [now - spanMs[span], now]
    return [
      query.series({ ids, start: Start, end: End, buckets, zone: actor.tenantZone }).then(({ Step, Series }) => ({
        ...{ Span: span, Start, End, Step },
        Points: Series.map(({ ParaId, Time, Min, Max, Avg }) => ({ ParaId, Time, Low: Min, High: Max, Mean: Avg })),
      })),
    ]
  })
  return Promise.all(answers)
}

export const readCurves = async (db: Db, actor: Actor, telemetry: Reading, place: Place, asked: Asked) =>
  curvesOf(db, actor, telemetry, await shownAt(db, actor, place, asked.language), asked)

type Alarm = Row<typeof alarmInfo> & { Start: number; DeviceName?: string | null }
/** Active alarms of a picture: marks by point, and the newest as rows. */
export const readAlarms = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'],
  place: Place,
  { language }: Pick<Asked, 'language'>,
): Promise<Answer<typeof flowchartCalls.alarms>> => {
  const shown = await shownAt(db, actor, place, language)
  const { Points } = await pointsAt(db, actor, latest, shown, language)
  const [ids, devices] = [Points.map(({ ParaId }) => ParaId), [...new Set(Points.map(({ DeviceId }) => DeviceId))]]
  const listed = shown.composed.scene.items.flatMap((item) =>
    item.kind === 'alarms' && Number(item.device) > 0 ? [Number(item.device)] : [],
  )
  const whole = [...new Set([...listed, ...(shown.device ? [shown.device.Id] : [])])].slice(0, 200)
  if (!ids.length && !whole.length) return { Marks: [], Rows: [] }
  const [Marks, rows] = await Promise.all([
    standingAlarms(db, actor, ids, devices),
    db.rows<Alarm>(sql`
      select ${columns(alarmInfo, actor)}, (extract(epoch from t."StartTime") * 1000)::float8 as "Start" from alarm_info t
      where t."IsActive" = 1 and t."EnterpriseId" = ${shown.row.EnterpriseId} and ${visible(alarmInfo, actor)}
        and (t."DeviceId" = any(${devices}::bigint[]) and t."ParaId" = any(${ids}::bigint[]) or t."DeviceId" = any(${whole}::bigint[]))
      order by t."StartTime" desc, t."Id" limit ${mostAlarms}`),
  ])
  return {
    Marks,
    Rows: rows.map((row) => ({
      ...{ Id: row.Id, ParaId: row.ParaId, DeviceId: row.DeviceId, DeviceName: row.DeviceName ?? null, RuleName: nameIn(language, row) },
      ...{ AlarmDesc: sentenceIn(language, row, null), Level: row.AlarmLevel, Start: row.Start },
      ...{ Unacknowledged: row.AckStatus === 0, Shelved: row.IsShelved === 1 },
    })),
  }
}
