// Derives days of circuits in the background, and again where readings arrived late or a meter's rules changed. Days remember the arrival number up
// to which readings are in them, so that nothing is forgotten when the process is killed in between.
import { sql } from 'kysely'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { Segment } from '../../../../server/telemetry/meaning/quarters.ts'
import { CalDataType } from '../../../../server/telemetry/meaning/statistics.ts'
import { hour, minute } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { energyInfo, energySource, fromMeter } from '../../circuits/contract.ts'
import { circuitsWhere, keepMeanings, segmentsOf } from './circuits.ts'
import { monthAfter, monthOf, statesOf } from './days.ts'
import { createStoring, type Derived, type DerivingNeeds, toDay } from './storing.ts'
import { createSums } from './summing.ts'

const arrivalsTogether = 50_000
/** Refresh interval of definitions without a change notification, ms. */
const lookMs = 30_000
const settleMs = 20 * minute
const oldest = Date.UTC(2000, 0, 1)
type Stopped = () => boolean
const definitions: ReadonlySet<string> = new Set([energyInfo.name, energySource.name, 'point'])
const prices: ReadonlySet<string> = new Set(['electricityPriceStandard', 'energyTariff', 'shiftPlan', 'energyMonth'])

/** Months of derived days that readings above an arrival number touch, and the highest number among them. */
const lateReadings = async ({ arrivals }: Pick<Telemetry, 'arrivals'>, known: ReadonlyMap<number, Derived>, arrived: number) => {
  const byPoint = new Map<number, Derived[]>()
  for (const circuit of known.values())
    for (const { meaning } of circuit.segments) byPoint.set(meaning.id, [...(byPoint.get(meaning.id) ?? []), circuit])
  const touched = new Map<Derived, Set<number>>()
  let reached = arrived
  for (let isMore = true; isMore; ) {
    const rows = await arrivals([...byPoint.keys()], reached, oldest, arrivalsTogether)
    for (const { point, time } of rows)
      for (const circuit of byPoint.get(point) ?? []) {
        if (time >= circuit.until) continue
        touched.set(circuit, (touched.get(circuit) ?? new Set()).add(monthOf(time)))
        circuit.from = Math.min(circuit.from, toDay(time))
      }
    reached = rows.at(-1)?.n ?? reached
    isMore = rows.length === arrivalsTogether
  }
  return { touched, reached }
}

/** The end of the last day that only late readings can change. */
const untilOf = ({ telemetry, clock }: Pick<DerivingNeeds, 'telemetry' | 'clock'>, segments: readonly Segment[]) => {
  const last = segments.at(-1)
  if (!last) return 0
  const newest = last.meaning.type === CalDataType.counter ? (telemetry.latest.get(last.meaning.id)?.time ?? 0) : clock()
  return toDay(Math.min(clock() - hour, newest - settleMs))
}

const createRun = (needs: DerivingNeeds) => {
  const { database, telemetry, clock } = needs
  const db = database.system
  const { store, takeLate, firstKept, forget, saveState } = createStoring(needs)
  let known: ReadonlyMap<number, Derived> = new Map()
  let [isStale, lookedAt, arrived, savedAt] = [true, 0, -1, 0]
  const sums = createSums(needs)

  /** Reads the circuits; days of those with other meters or rules than before are forgotten. */
  const look = async () => {
    isStale = false
    const circuits = await circuitsWhere(db, sql`t."Source" = ${fromMeter}`)
    const metered = await segmentsOf(db, circuits)
    const states = new Map((await statesOf(db, [...metered.keys()])).map((state) => [state.EnergyInfoId, state]))
    const outdated = [...states.values()].filter(({ EnergyInfoId, Fingerprint }) => metered.get(EnergyInfoId)?.fingerprint !== Fingerprint)
    await forget(outdated.map(({ EnergyInfoId }) => ({ id: EnergyInfoId, segments: metered.get(EnergyInfoId)?.segments ?? [] })))
    for (const of of outdated) states.delete(of.EnergyInfoId)
    for (const [EnterpriseId, own] of Map.groupBy(circuits, (circuit) => circuit.EnterpriseId)) {
      const meanings = own.flatMap(({ Id }) => metered.get(Id)!.segments.map(({ meaning }) => meaning))
      await keepMeanings(db, EnterpriseId, [...new Map(meanings.map((meaning) => [meaning.id, meaning])).values()])
    }
    known = new Map(
      circuits.map((circuit) => {
        const state = states.get(circuit.Id)
        return [circuit.Id, { ...circuit, ...metered.get(circuit.Id)!, from: state?.DerivedFrom ?? 0, until: state?.DerivedUntil ?? 0 }]
      }),
    )
    const numbers = [...states.values()].map(({ Arrived }) => Arrived)
    if (arrived < 0) arrived = numbers.length ? Math.min(...numbers) : telemetry.top()
    lookedAt = clock()
  }

  /** Days that are over since they were looked at last; of new circuits, all from the first reading on. */
  const advance = async (isStopped: Stopped) => {
    const due = [...known.values()].flatMap((circuit) => {
      const to = untilOf(needs, circuit.segments)
      return to > circuit.until ? [{ circuit, to }] : []
    })
    for (const { circuit } of due) {
      if (circuit.until) continue
      const points = circuit.segments.map(({ meaning }) => meaning.id)
      circuit.from = Math.min(toDay((await telemetry.first(points, oldest)) ?? clock()), await firstKept(circuit.Id))
      circuit.until = circuit.from
    }
    for (const group of Map.groupBy(due, ({ circuit, to }) => `${circuit.until} ${to}`).values()) {
      const [circuits, to] = [group.map(({ circuit }) => circuit), group[0]!.to]
      for (let from = circuits[0]!.until; from < to && !isStopped(); ) {
        const end = Math.min(to, monthAfter(from))
        await store(circuits, { start: from, end })
        sums.outdate()
        for (const circuit of circuits) circuit.until = end
        await saveState(circuits, arrived)
        from = end
      }
    }
  }

  /** Finds readings that arrived since the last run and derives the affected months again. */
  const catchUp = async () => {
    const { touched, reached } = await lateReadings(telemetry, known, arrived)
    if (touched.size) {
      await takeLate(touched)
      sums.outdate()
    }
    const isMoved = reached > arrived
    arrived = reached
    if (!touched.size && !(isMoved && clock() - savedAt > minute)) return
    await saveState(
      [...known.values()].filter(({ until }) => until > 0),
      arrived,
    )
    savedAt = clock()
    for (const { Id, EnterpriseId, ProjectId } of touched.keys())
      db.emit({ resource: energyInfo.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
  }

  return {
    outdate: (resource: string) => {
      isStale ||= definitions.has(resource)
      sums.outdate()
    },
    run: async (isStopped: Stopped) => {
      if (!needs.isOwner()) return
      if (isStale || clock() - lookedAt > lookMs) await look()
      if (!known.size) return
      await catchUp()
      await advance(isStopped)
      await sums.run(isStopped)
    },
  }
}

export const startDeriving = (needs: DerivingNeeds) => {
  const { run, outdate } = createRun(needs)
  return startWorker({
    ...{ database: needs.database, run, pollMs: 1000 },
    triggeredBy: ({ resource }) => {
      if (definitions.has(resource) || prices.has(resource)) outdate(resource)
      return definitions.has(resource) && resource !== 'point'
    },
    failed: (err) => needs.log.warn({ err }, 'days of energy circuits were not derived; trying again'),
  })
}
