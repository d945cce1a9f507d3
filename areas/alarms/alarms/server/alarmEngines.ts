// The two alarm engines with their saved state, and the joining of their changes.
import type { Database } from '../../../../server/database/db.ts'
import type { PointMeta, Stored } from '../../../../server/telemetry/sample.ts'
import { withoutChatter } from './alarming/chatter.ts'
import { sides } from './alarming/condition.ts'
import { type AlarmEvent, Engine } from './alarming/engine.ts'
import { type AlarmChange, ofLimit } from './alarmRows.ts'
import type { Saved } from './alarmStore.ts'
import type { Part } from './backlog.ts'
import { createJoining, inOrder, type Joining } from './joining.ts'
import { hasLimits, watchOf } from './limits.ts'
import { type Prefiltered, prefilterReadings } from './prefilterReadings.ts'
import { type PlantRegistry, RuleRegistry } from './ruleRegistry.ts'

type Needs = {
  database: Database
  registry: PlantRegistry
  /** The newest reading of a point: a new or changed rule evaluates it immediately. */
  newest: (point: number) => Stored | undefined
  /** Live readings with an arrival number above n, in order, in batches. */
  since(n: number): Promise<Stored[]>
  clock: () => number
  /** Maximum readings evaluated per turn of the main thread. */
  step: number
  /** Receives the changes, in order. */
  found(changes: readonly AlarmChange[]): void
}

/** Readings of a turn that may each change an alarm: they cost more than others. */
const dearStep = 1000
const limitOf = ({ point, limit }: AlarmEvent) => 2 * point + Number(limit === 'high')
const hasSameLimit = (ended: AlarmEvent, again: AlarmEvent) => ended.limitValue === again.limitValue

/** Yields the event loop between batches of readings. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))

export class AlarmEngines {
  readonly limits = new Engine()
  readonly rules: RuleRegistry
  readonly #needs: Needs
  readonly #joining: Joining

  constructor(needs: Needs, state: Saved) {
    this.#needs = needs
    this.rules = new RuleRegistry(needs)
    this.limits.import({ n: state.judged, points: state.states })
    const passed = state.states.flatMap(({ point, ...of }) => sides.flatMap((side) => (of[side].phase > 1 ? [{ point, side }] : [])))
    this.#joining = createJoining(
      state.active,
      passed,
      ({ point, side }, time) => this.#changesOf(this.limits.raiseAgain(point, side, time))[0],
    )
  }

  #changesOf(events: readonly AlarmEvent[]) {
    return events.map((event) => ofLimit(event, this.#needs.registry.get))
  }
  #add(changes: readonly AlarmChange[]) {
    this.#needs.found(this.#joining.apply(changes))
  }

  /** Starts with the current limits and rules, and all readings since the saved state. */
  async begin(state: Saved) {
    const { registry, since } = this.#needs
    for (const { point } of state.states) {
      const meta = registry.get(point)
      if (meta) this.configure(meta)
    }
    for (const meta of registry.all()) if (hasLimits(meta) && !this.limits.watches(meta.Id)) this.configure(meta)
    for (const point of state.gone) this.configure({ Id: point, removed: true })
    this.#add(await this.rules.begin(state.judged, state.rules))
    const witness = (rows: Stored[]) => {
      this.limits.witness(rows)
      this.rules.engine.witness(rows)
      return rows.at(-1)?.n
    }
    witness(state.newest)
    for (let n: number | undefined = state.settled; n !== undefined && n < state.judged; )
      n = witness((await since(n)).filter((r) => r.n <= state.judged))
  }

  /** Follows the limits of a point. */
  configure(meta: PointMeta | { Id: number; removed: true }) {
    const watch = 'removed' in meta ? ({ point: meta.Id, removed: true } as const) : watchOf(meta)
    this.#add(this.#changesOf(this.limits.configure(watch, this.#needs.clock())))
  }
  /** Applies changed rules. */
  async applyRules() {
    this.#add(await this.rules.apply())
  }

  async #judge({ limited, ruled, to }: Prefiltered) {
    const { clock } = this.#needs
    const step = Math.min(this.#needs.step, dearStep)
    for (let at = 0; at < Math.max(limited.length, ruled.length); at += step) {
      if (at) await turn()
      const events = withoutChatter(this.limits.judge(limited.slice(at, at + step), clock()), limitOf, hasSameLimit)
      const ofLimits = this.#changesOf(events)
      this.#add(inOrder(ofLimits, await this.rules.judge(ruled.slice(at, at + step), clock())))
    }
    this.limits.advance(limited.length, to)
    this.rules.engine.advance(ruled.length, to)
  }
  async judge(part: Part) {
    if ('to' in part) return this.#judge(part)
    const { step } = this.#needs
    for (let at = 0; at < part.length; at += step) {
      if (at) await turn()
      await this.#judge(this.prefilter(part.slice(at, at + step), this.limits.judged))
    }
  }
  /** Returns the readings after arrival number `from` that may change an alarm. */
  prefilter(rows: readonly Stored[], from: number): Prefiltered {
    return prefilterReadings(rows, from, this.limits, this.rules.engine)
  }
  /** Drops queued readings; they are read from the store again. */
  dropQueued() {
    this.limits.advance(Number.POSITIVE_INFINITY, 0)
    this.rules.engine.advance(Number.POSITIVE_INFINITY, 0)
  }
  tick() {
    const { clock } = this.#needs
    this.#add(inOrder(this.#changesOf(this.limits.tick(clock())), this.rules.tick(clock())))
  }

  /** Number of active alarms. */
  standing() {
    return this.limits.standing() + this.rules.engine.standing() - this.#joining.joined()
  }
}
