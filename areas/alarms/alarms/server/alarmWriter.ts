// Writes alarms to PostgreSQL and announces them to consoles. Evaluation continues during a save: a step is a consistent snapshot of
// events, states and position.
import type { HubMessages } from '../../../../contract/hub.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Database } from '../../../../server/database/db.ts'
import { withoutChatter } from './alarming/chatter.ts'
import type { Engine } from './alarming/engine.ts'
import { isTranslated, nameIn } from './alarming/names.ts'
import { blockOf, createReadings } from './alarming/readings.ts'
import type { Rules } from './alarming/rules/engine.ts'
import type { AlarmChange } from './alarmRows.ts'
import { type Announced, type Saved, type Shown, type Step, save, type Triggers } from './alarmStore.ts'

type Audience = { EnterpriseId: number; ProjectId?: number | null; permission?: string }
export type AlarmHub = {
  send(audience: Audience, message: 'Alarm', ...args: HubMessages['Alarm']): void
  sendIn(audience: Audience, message: 'Alarm', render: (language: Language) => HubMessages['Alarm']): void
}
type Needs = {
  database: Database
  hub: AlarmHub
  /** Epoch ms. */
  clock: () => number
  /** Interval between settlements, ms; points settled per step, in whole blocks, few enough to keep the alarms behind them on time. */
  limits: { settleMs: number; settle: number }
  /** Retries until it succeeds or the server stops. */
  retried<T>(work: () => Promise<T>, what: string): Promise<T>
}

/** Announces in batches, so that a flood does not make responsive consoles look like slow readers. */
export const announce = async (hub: AlarmHub, alarms: readonly Announced[], counts: Record<Announced['event'], number>) => {
  for (const [i, { event, EnterpriseId, ProjectId, ...a }] of alarms.entries()) {
    if (i % 200 === 199) await new Promise((resolve) => setImmediate(resolve))
    counts[event]++
    const { Id, AlarmLevel, DeviceId, ParaId, RuleName, Value, Time } = a
    const message = { Id, Event: event, AlarmLevel, DeviceId, ParaId, RuleName, Value, Time }
    const audience = { EnterpriseId, ProjectId, permission: 'm10201' }
    if (isTranslated(a)) hub.sendIn(audience, 'Alarm', (language) => [{ ...message, RuleName: nameIn(language, a) }])
    else hub.send(audience, 'Alarm', message)
  }
}

/** Unsaved changes at which alarms that come and go are joined, and at which one of each is left. */
const joinAt = { first: 100, strict: 10_000 }
const subjectOf = ({ subject }: AlarmChange) => subject
/** The same alarm again. One of a point or rule that is removed has no row. */
const goesOn = (ended: AlarmChange, again: AlarmChange) => again.row !== undefined && ended.level === again.level
const joined = (changes: readonly AlarmChange[]) => {
  const some = withoutChatter(changes, subjectOf, goesOn)
  return some.length < joinAt.strict ? some : withoutChatter(some, subjectOf, goesOn, 2)
}

/** Changes that are not in a step yet. */
const createUnsaved = () => {
  let changes: AlarmChange[] = []
  let nextJoin = joinAt.first
  let hasChatter = false
  return {
    count: () => changes.length,
    hasChatter: () => hasChatter,
    add(more: readonly AlarmChange[]) {
      for (const each of more) changes.push(each)
      if (changes.length < nextJoin) return
      const some = joined(changes)
      hasChatter ||= some.length < changes.length
      changes = [...some]
      nextJoin = Math.max(joinAt.first, 2 * changes.length)
    },
    take() {
      const all = changes
      changes = []
      nextJoin = joinAt.first
      hasChatter = false
      return all
    },
  }
}

const keyOfRule = (id: string) => ({ RuleId: Number.parseInt(id, 10), Key: id.slice(id.indexOf(' ') + 1) })

export const createAlarmWriter = ({ database, hub, clock, limits, retried }: Needs) => {
  const counts = { raised: 0, recovered: 0 }
  let epoch = 0
  let settledAt = clock()
  let settledTo = 0
  let readings = createReadings()
  /** Points still to be settled, by block, and the arrival number that is complete after the last of them. */
  let settling: [block: number, points: number[]][] = []
  let settlingTo = 0
  const unsaved = createUnsaved()
  let triggers: Triggers = new Map()

  const isSettling = () => settling.length > 0
  /** The next blocks of newest readings, and the active alarms to update with them. */
  const settleSome = (engine: Engine, ruleEngine: Rules): Pick<Step, 'blocks' | 'shown'> => {
    const [blocks, shown]: [Step['blocks'], Shown[]] = [[], []]
    for (let left = limits.settle; left > 0 && isSettling(); ) {
      const [Block, points] = settling.shift()!
      left -= points.length
      for (const Point of points) {
        const [limited, ruled] = [engine.newest(Point), ruleEngine.newest(Point)]
        const reading = ruled ?? limited
        if (!reading) continue
        readings.put(Point, reading)
        const { value: Value, time: Time } = reading
        for (const { of, extreme } of limited?.standing ?? [])
          shown.push({ Subject: `l${Point} ${of}`, Point, Value, Extreme: extreme, Time })
        for (const { of, extreme } of ruled?.standing ?? []) shown.push({ Subject: `r${of}`, Point, Value, Extreme: extreme, Time })
      }
      const Readings = readings.pack(Block)
      if (Readings) blocks.push({ Block, N: settlingTo, Readings })
    }
    return { blocks, shown }
  }

  /** The next step to save, if any. */
  const nextStep = (engine: Engine, ruleEngine: Rules, settle: boolean): Step | undefined => {
    if (!isSettling() && engine.judged > settledTo && (settle || clock() - settledAt >= limits.settleMs)) {
      settling = [...Map.groupBy(new Set([...engine.take('touched'), ...ruleEngine.takeTouched()]), blockOf)]
      settlingTo = engine.judged
      settledAt = clock()
    }
    const settles = settlingTo > settledTo
    const changedPoints = engine.take('turned')
    const changedRules = ruleEngine.take()
    if (!unsaved.count() && !changedPoints.length && !changedRules.length && !settles) return undefined
    const settledNow = settleSome(engine, ruleEngine)
    const states = changedPoints.map((p) => engine.state(p))
    const rules = changedRules.map((id) => ruleEngine.state(id))
    const settled = settles && !isSettling() ? settlingTo : undefined
    const ended = changedRules.filter((_, i) => !rules[i]).map(keyOfRule)
    const events = unsaved.take()
    return {
      ...{ epoch, judged: engine.judged, settled, events, ended, triggers, ...settledNow },
      ...{ states: states.filter((s) => s !== undefined), forgotten: changedPoints.filter((_, i) => !states[i]) },
      rules: rules.filter((s) => s !== undefined),
    }
  }

  return {
    counts,
    /** Starts from the saved state. */
    begin(saved: Saved) {
      epoch = saved.epoch
      settledTo = saved.settled
      settlingTo = 0
      settling = []
      readings = createReadings()
      for (const reading of saved.newest) readings.put(reading.point, reading)
      unsaved.take()
    },
    add: unsaved.add,
    unsaved: unsaved.count,
    /** Whether alarms among them come and go. */
    hasChatter: unsaved.hasChatter,
    isSettling,
    /** Saves one step; wait for it before the next call. Undefined if there is nothing to save. `settle` also saves all newest readings. */
    save(engine: Engine, ruleEngine: Rules, settle: boolean): Promise<void> | undefined {
      const step = nextStep(engine, ruleEngine, settle)
      return (
        step &&
        retried(() => save(database, step), 'alarms not saved').then(({ alarms, triggers: left }) => {
          epoch++
          triggers = left
          settledTo = step.settled ?? settledTo
          return announce(hub, alarms, counts)
        })
      )
    },
  }
}
