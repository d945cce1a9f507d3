// Renders a published picture at a moment in the past, for reports.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { withOwn } from '../../../../contract/picture/ownSymbol.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import { symbolsIn } from '../../../../contract/picture/sceneReferences.ts'
import { loadSymbols } from '../../../../contract/picture/symbols/index.ts'
import type { Tree } from '../../../../contract/picture/tree.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { day, minute, quarter, type Store } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import type { Newest } from '../compiled.ts'
import type { Standing } from '../contract.ts'
import { Looks } from '../looks.ts'
import { type Colours, svgOf } from '../svgFile.ts'
import { curvesOf } from './live.ts'
import { pointsOf } from './openPicture.ts'
import { type Shown, shownAt } from './scenes.ts'

export type StillPicture = {
  name: string
  shown: Shown
  scene: Scene
  points: readonly ParaInfo[]
  named: Record<string, number>
}

/** A published picture without values. @throws Fault `notFound` */
export const stillPicture = async (db: Db, actor: Actor, Id: number, language: Language): Promise<StillPicture> => {
  const shown = await shownAt(db, actor, { Id }, language)
  const { row, composed } = shown
  const { Points, Named } = await pointsOf(db, actor, undefined, { scene: composed.scene, owner: row, given: {}, language })
  return { name: row.FlowchartName, shown, scene: composed.scene, points: Points, named: Named }
}

/** Points per query; each holds a week of quarter-hours in memory. */
const pointsAtOnce = 200
/** The last readings before a time: to the minute if there are some in the last quarter of an hour, otherwise to the quarter hour within a week. */
const valuesAt = async (store: Pick<Store, 'buckets'>, ids: readonly number[], at: number) => {
  const found = new Map<number, Newest>()
  for (const [span, ms] of [
    [quarter, minute],
    [7 * day, quarter],
  ] as const) {
    const missing = ids.filter((id) => !found.has(id))
    for (let i = 0; i < missing.length; i += pointsAtOnce) {
      await ownTurn()
      for (const { point, time, last, count } of await store.buckets(missing.slice(i, i + pointsAtOnce), at - span, at, {
        ms,
        origin: 0,
      })) {
        const isGood = count.at(-1)! > 0
        found.set(point, { Time: time.at(-1)!, Value: isGood ? last.at(-1)! : null, Quality: isGood ? 0 : 2 })
      }
    }
  }
  return found
}

const alarmsAt = (db: Db, actor: Actor, points: readonly ParaInfo[], at: number) =>
  db.rows<Standing>(sql`
    select t."ParaId", max(t."AlarmLevel")::int as "Level", false as "Unacknowledged", false as "Shelved" from alarm_info t
    where t."DeviceId" = any(${[...new Set(points.map((p) => p.DeviceId))]}::bigint[]) and t."ParaId" = any(${points.map((p) => p.ParaId)}::bigint[])
      and t."StartTime" <= ${new Date(at)} and coalesce(t."RecoverTime", now()) > ${new Date(at)} and ${visible(alarmInfo, actor)}
    group by 1`)

/** Colours of the light theme, used for printing. */
const colours: Colours = {
  ...{ page: '#f3f5f7', surface: '#ffffff', raised: '#ffffff', sunk: '#f7f8fa', line: '#dde2e7', tint: '#e8f2fb', fluid: '#b9d5f0' },
  ...{ text: '#1b2127', soft: '#57626e', faint: '#65707b', action: '#1469b8', offline: '#65707b' },
  ...{ warning: '#9a5b00', warningFill: '#f2a31b', alarm: '#c3142d', alarmFill: '#d92038' },
}

type At = {
  db: Db
  actor: Actor
  store: Pick<Store, 'buckets'>
  query: Telemetry['query']
  language: Language
  zone: string
  at: number
  stamp: string
}
/** Draws the picture with the values of a time, without images. */
export const drawnAt = async ({ db, actor, store, query, language, zone, at, stamp }: At, picture: StillPicture): Promise<Tree> => {
  const { scene, named } = picture
  // Past states of devices are not stored; readings show their age.
  const points = picture.points.map((p) => ({ ...p, DeviceStatus: 1 }))
  const ids = points.map((p) => p.ParaId)
  const values = ids.length ? await valuesAt(store, ids, at) : new Map<number, Newest>()
  const Alarms = ids.length ? await alarmsAt(db, actor, points, at) : []
  const t = (key: string) => word(language, key)
  const looks = new Looks({ Points: points, Named: named, Alarms }, scene, (id) => values.get(id), { t, language, zone })
  looks.trails.setCurves(await curvesOf(db, actor, { latest: undefined, query }, picture.shown, { language, now: at }))
  const compiled = new Map(looks.compiled.map((one) => [one.item.id, one]))
  const categories = [...new Set(symbolsIn(scene).map((id) => `${id.split('.')[0]}.`))]
  const symbols = withOwn(await loadSymbols(categories), scene.symbols)
  const lookOf = ({ id }: { id: string }) => {
    const own = compiled.get(id)
    return own ? looks.look(own, at) : {}
  }
  const seen = { scene, symbols, lookOf, viewBox: [0, 0, scene.width, scene.height] as const, at }
  return svgOf(seen, { colours, language, images: new Map(), stamp })
}
