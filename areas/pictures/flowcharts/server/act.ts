// Writes from a picture. Target, devices, range and interlock come from the published version, never from the browser.
import type { Body } from '../../../../contract/call.ts'
import { compile, type Reading } from '../../../../contract/expression/compile.ts'
import { keyOf, parse, referencesWritten } from '../../../../contract/expression/parse.ts'
import type { Language } from '../../../../contract/languages.ts'
import { type Action, type Item, writing } from '../../../../contract/picture/scene.ts'
import { idOf, nameOf } from '../../../../contract/picture/sceneReferences.ts'
import { isGone, isStale, Quality } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { flowchartCalls } from '../contract.ts'
import { deviceOf } from './faceplate.ts'
import { pointsOf, standingAlarms } from './openPicture.ts'
import { targetOf } from './publishing.ts'
import { type Shown, shownAt } from './scenes.ts'

type Asked = Body<typeof flowchartCalls.act>
type Seen = Awaited<ReturnType<typeof pointsOf>>
type Constants = ReadonlyMap<string, number>
type Now = { seen: Seen; alarms: Seen['Alarms']; constants: Constants; now: number }

/** Default length of a pulse, ms. */
const usualPulse = 500

const nothing: Reading = { value: null, quality: Quality.notConfigured, age: null, alarm: null }
/** Numeric parameters, by the key of their reference. */
const constantsOf = ({ composed }: Shown): Constants =>
  new Map(
    composed.scene.parameters?.flatMap(({ name, type, value }) =>
      type === 'number' && typeof value === 'number' ? [[`{${name}}`, value]] : [],
    ),
  )
/** Fresh and good values. All others count as missing, so an interlock that needs one refuses. The same applies to the absence of an alarm. */
const readingOf = ({ seen, alarms, constants, now }: Now) => {
  const points = new Map(seen.Points.map((point) => [point.ParaId, point]))
  const values = new Map(seen.Values.map((value) => [value.ParaId, value]))
  return (key: string): Reading => {
    const constant = constants.get(key)
    if (constant !== undefined) return { value: constant, quality: Quality.good, age: null, alarm: null }
    const id = idOf(key) ?? seen.Named[key]
    const [point, latest] = [points.get(id ?? 0), values.get(id ?? 0)]
    if (!point || !latest) return nothing
    const isGood = latest.Quality < Quality.timeout && !isGone(point.DeviceStatus) && !isStale(latest.Time, point.ExpectedMs, now)
    const alarm = alarms.find(({ ParaId }) => ParaId === point.ParaId)?.Level ?? (isGood ? 0 : null)
    return {
      value: isGood ? latest.Value : null,
      quality: isGood ? latest.Quality : Math.max(latest.Quality, Quality.timeout),
      age: (now - latest.Time) / 1000,
      alarm,
    }
  }
}

const actionOf = ({ composed }: Shown, { Item, Action: at }: Asked): { item: Item; action: Action } => {
  const item = composed.scene.items.find(({ id }) => id === Item)
  const action = item?.acts?.[at]
  if (!item || !action || !writing.includes(action.do)) throw notFound()
  return { item, action }
}

/** Names of the parameters whose given value differs from the published one. */
const differing = ({ scene, given }: Pick<Shown, 'scene' | 'given'>): Set<string> => {
  const published = new Map(scene.parameters?.map(({ name, value }) => [name, value]))
  const isOther = ([name, value]: [string, unknown]) => published.has(name) && String(published.get(name)) !== String(value)
  return new Set(Object.entries(given).flatMap((one) => (isOther(one) ? [one[0]] : [])))
}

/** @throws Fault `notFound` for a changed value that is not a device of the picture's model in its project */
const assertGiven = async (db: Db, actor: Actor, { row, scene, given }: Shown, others: ReadonlySet<string>) => {
  for (const name of others) {
    const parameter = scene.parameters?.find((one) => one.name === name)
    const isOfModel = parameter?.type === 'device' && parameter.model !== undefined && parameter.model === row.ModelId
    const id = Number(given[name])
    const device = isOfModel && Number.isSafeInteger(id) ? await deviceOf(db, actor, id) : undefined
    if (device?.ModelId !== row.ModelId || device?.ProjectId !== row.ProjectId) throw notFound()
  }
}

const locksOf = ({ bind = [] }: Item, { when }: Action): string[] => [
  ...bind.flatMap(({ to, of }) => (to === 'enabled' ? [of] : [])),
  ...(when ? [when] : []),
]
const keysIn = (text: string) => referencesWritten(text).map(keyOf)
const notAllowed = () => new FieldFaults([{ field: 'Item', rule: 'act.notAllowed' }])

/** References that an action writes and its interlocks read: points, and numbers. */
const touchedBy = (item: Item, action: Action, { seen, constants }: Pick<Now, 'seen' | 'constants'>) =>
  JSON.stringify(
    [action.of ?? '', ...locksOf(item, action)].map((text) =>
      keysIn(text).map((key) => idOf(key) ?? seen.Named[key] ?? `${constants.get(key) ?? key}`),
    ),
  )

/** @throws Fault `changedMeanwhile` if one of the pictures is not the displayed version */
const assertSeen = ({ row, version, composed, from }: Shown, { Version, Inside = [], Item }: Asked) => {
  const outer = from?.version ?? version
  if (outer !== Version) throw new Fault('changedMeanwhile', {}, { Current: { Version: outer } })
  const isOther = from !== undefined && (from.row.Id !== row.Id || from.version !== version)
  const others = [...(isOther ? [{ Id: row.Id, Version: version }] : []), ...(composed.inside.get(Item) ?? [])]
  const seen = new Map(Inside.map((one) => [one.Id, one.Version]))
  const changed = others.find((one) => seen.get(one.Id) !== one.Version)
  if (changed) throw new Fault('changedMeanwhile', {}, { Current: { Version: changed.Version } })
}

/** The value to write: the given value, the opposite state, or one step further. */
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
  if (action.do === 'pulse') return action.value ?? 1
  if (before === null) return refuse('act.unknown')
  if (action.do === 'toggle') return before === 0 ? 1 : 0
  const next = before + (action.value ?? 1)
  return Math.min(action.high ?? next, Math.max(action.low ?? next, next))
}

type Other = Pick<Now, 'seen' | 'constants'> & { latest: Telemetry['latest']; shown: Shown; asked: Asked; language: Language } & {
  others: ReadonlySet<string>
  isElsewhere: boolean
}
/**
 * An operator may choose the device to write to, but not the device whose state permits the write. Parameters of embedded pictures and
 * faceplates choose neither.
 */
const assertInterlocks = async (db: Db, actor: Actor, { latest, shown, asked, seen, constants, others, isElsewhere, language }: Other) => {
  const { item, action } = actionOf(shown, asked)
  if (!isElsewhere) {
    const own = keysIn(action.of ?? '').map((key) => nameOf(key)?.parameter)
    const read = locksOf(item, action).flatMap((lock) => keysIn(lock).flatMap((key) => nameOf(key)?.parameter ?? []))
    if (read.some((name) => others.has(name) && !own.includes(name))) throw notAllowed()
    return
  }
  const plain = await shownAt(db, actor, { Id: asked.Id, Face: asked.Face }, language)
  const published = actionOf(plain, asked)
  const before = await pointsOf(db, actor, latest, { scene: plain.composed.scene, owner: plain.row, given: {}, language })
  const touched = touchedBy(published.item, published.action, { seen: before, constants: constantsOf(plain) })
  if (touched !== touchedBy(item, action, { seen, constants })) throw notAllowed()
}

/**
 * Checks an action of the shown version and returns the write. @throws Fault `changedMeanwhile` for another version,
 * `notFound` if the action or point does not exist for the person, `interlocked`
 */
export const judge = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'],
  asked: Asked,
  { language, now }: { language: Language; now: number },
) => {
  const shown = await shownAt(db, actor, { Id: asked.Id, Parameters: asked.Parameters, Face: asked.Face }, language)
  const { row, composed, targets, from } = shown
  assertSeen(shown, asked)
  const others = differing(from ?? shown)
  if (!from) await assertGiven(db, actor, shown, others)
  const { item, action } = actionOf(shown, asked)
  if (action.reason && !asked.Reason?.trim()) throw new FieldFaults([{ field: 'Reason', rule: 'required' }])
  const seen = await pointsOf(db, actor, latest, { scene: composed.scene, owner: row, given: {}, language })
  const id = targetOf(action.of, seen.Named)
  if (id === undefined || !seen.Points.some(({ ParaId }) => ParaId === id)) throw notFound()
  const constants = constantsOf(shown)
  const isElsewhere = from !== undefined || composed.inside.has(item.id)
  // Embedded pictures and faceplates write only to points that were allowed when this picture was published.
  if (isElsewhere && !targets.has(id)) throw notAllowed()
  if (others.size) await assertInterlocks(db, actor, { latest, shown, asked, seen, constants, others, isElsewhere, language })
  const locks = locksOf(item, action)
  // An interlock uses actual values, regardless of the person's permissions.
  const [ids, devices] = [seen.Points.map(({ ParaId }) => ParaId), seen.Points.map(({ DeviceId }) => DeviceId)]
  const alarms = locks.length ? await standingAlarms(db, actor, ids, [...new Set(devices)], true) : []
  const read = readingOf({ seen, alarms, constants, now })
  for (const lock of locks) {
    const { tree } = parse(lock)
    if (!tree || !compile(tree)(read)) throw new Fault('interlocked')
  }
  const key = Object.entries(seen.Named).find(([, named]) => named === id)?.[0] ?? `#${id}`
  const faced = from && from.row.Id !== row.Id ? { Faceplate: row.FlowchartName } : {}
  return {
    id,
    value: newValue(action, asked.Value, read(key).value),
    /** The end of a pulse. */
    back: action.do === 'pulse' ? { ms: action.ms ?? usualPulse, rest: action.rest ?? 0 } : undefined,
    evidence: { Picture: (from?.row ?? row).FlowchartName, ...faced, ...(asked.Reason ? { Reason: asked.Reason } : {}) },
  }
}
