// Writes that people make on a picture. Target, devices, range and interlock come from the published version, never from the browser.
import type { Body } from '../../../../contract/call.ts'
import { compile, type Reading } from '../../../../contract/expression/compile.ts'
import { keyOf, parse } from '../../../../contract/expression/parse.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Action, Scene } from '../../../../contract/picture/scene.ts'
import { idOf } from '../../../../contract/picture/sceneReferences.ts'
import { isGone, isStale, Quality } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { flowchartCalls } from '../contract.ts'
import { pointsOf, standingAlarms } from './openPicture.ts'
import { shownScene } from './service.ts'

type Asked = Body<typeof flowchartCalls.act>
type Seen = Awaited<ReturnType<typeof pointsOf>>
type Now = { seen: Seen; alarms: Seen['Alarms']; now: number }

const nothing: Reading = { value: null, quality: Quality.notConfigured, age: null, alarm: null }
/** Values that are fresh and good; any other is none, and an interlock that needs it refuses. So is the absence of an alarm. */
const readingOf = ({ seen, alarms, now }: Now) => {
  const points = new Map(seen.Points.map((point) => [point.ParaId, point]))
  const values = new Map(seen.Values.map((value) => [value.ParaId, value]))
  return (key: string): Reading => {
    const id = idOf(key) ?? seen.Named[key]
    const [point, latest] = [points.get(id ?? 0), values.get(id ?? 0)]
    if (!point || !latest) return nothing
    const isGood = latest.Quality < Quality.timeout && !isGone(point.DeviceStatus) && !isStale(latest.Time, point.ExpectedMs, now)
    const alarm = alarms.find(({ ParaId }) => ParaId === point.ParaId)?.Level ?? (isGood ? 0 : null)
    return { value: isGood ? latest.Value : null, quality: latest.Quality, age: (now - latest.Time) / 1000, alarm }
  }
}

const writing: readonly Action['do'][] = ['set', 'toggle', 'step']
const actionOf = (scene: Scene, { Item, Action: at }: Asked): Action => {
  const action = scene.items.find(({ id }) => id === Item)?.acts?.[at]
  if (!action || !writing.includes(action.do)) throw notFound()
  return action
}

/** What is written: the value that is given, the other state, or a step further. */
const newValue = (action: Action, given: number | undefined, before: number | null): number => {
  const refuse = (rule: string, values = {}): never => {
    throw new FieldFaults([{ field: 'Value', rule, values }])
  }
  if (action.do === 'set') {
    const value = action.value ?? given ?? refuse('required')
    if (action.low !== undefined && value < action.low) refuse('min', { min: action.low })
    if (action.high !== undefined && value > action.high) refuse('max', { max: action.high })
    return value
  }
  if (before === null) return refuse('act.unknown')
  if (action.do === 'toggle') return before === 0 ? 1 : 0
  const next = before + (action.value ?? 1)
  return Math.min(action.high ?? next, Math.max(action.low ?? next, next))
}

/**
 * Judges an action of the version that is shown now and answers what to write. @throws Fault `changedMeanwhile` for another version,
 * `notFound` for an action or point that is not there for the person, `interlocked`
 */
export const judge = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'],
  asked: Asked,
  { language, now }: { language: Language; now: number },
) => {
  const { row, version, scene } = await shownScene(db, actor, asked.Id)
  if (version !== asked.Version) throw new Fault('changedMeanwhile', {}, { Current: { Version: version } })
  const action = actionOf(scene, asked)
  if (action.reason && !asked.Reason?.trim()) throw new FieldFaults([{ field: 'Reason', rule: 'required' }])
  const seen = await pointsOf(db, actor, latest, { scene, owner: row, given: {}, language })
  const tree = action.of === undefined ? undefined : parse(action.of).tree
  const key = tree?.kind === 'reference' ? keyOf(tree.of) : ''
  const id = idOf(key) ?? seen.Named[key]
  if (id === undefined || !seen.Points.some(({ ParaId }) => ParaId === id)) throw notFound()
  const lock = action.when === undefined ? undefined : parse(action.when).tree
  // An interlock asks for what is, not for what the person sees.
  const [ids, devices] = [seen.Points.map(({ ParaId }) => ParaId), seen.Points.map(({ DeviceId }) => DeviceId)]
  const alarms = lock ? await standingAlarms(db, actor, ids, [...new Set(devices)], true) : []
  const read = readingOf({ seen, alarms, now })
  if (lock && !compile(lock)(read)) throw new Fault('interlocked')
  return {
    id,
    value: newValue(action, asked.Value, read(key).value),
    evidence: { Picture: row.FlowchartName, ...(asked.Reason ? { Reason: asked.Reason } : {}) },
  }
}
