// Work that may have to wait for something outside, such as a webhook or a gateway. A lane is one such thing: it does one piece of work
// at a time. A tenant has few lanes at once, so that what is slow for one tenant holds up no other.
import { type RawBuilder, sql } from 'kysely'

type Place = { tenant: number; lane: string }
type LaneLimits = {
  /** Lanes of one tenant, and of all together, that work at the same time. */
  perTenant: number
  most: number
}
export type Lanes = ReturnType<typeof createLanes>

export const createLanes = ({ perTenant, most }: LaneLimits) => {
  const working = new Map<string, { tenant: number; done: Promise<void> }>()
  const servedAt = new Map<string, number>()
  let started = 0
  let ended = () => {}
  let failed: (error: unknown) => void = () => {}
  return {
    /** Lanes that work now. */
    busy: () => [...working.keys()],
    /** Of candidates, in their order, those whose lanes are free and within the limits; by lane. */
    pick<T extends Place>(candidates: readonly T[]): Map<string, T[]> {
      const picked = new Map<string, T[]>()
      const lanesOf = new Map<number, number>()
      for (const { tenant } of working.values()) lanesOf.set(tenant, (lanesOf.get(tenant) ?? 0) + 1)
      for (const one of candidates) {
        const { tenant, lane } = one
        if (picked.has(lane)) picked.get(lane)!.push(one)
        else if (!working.has(lane) && (lanesOf.get(tenant) ?? 0) < perTenant && working.size + picked.size < most) {
          lanesOf.set(tenant, (lanesOf.get(tenant) ?? 0) + 1)
          picked.set(lane, [one])
        }
      }
      return picked
    },
    /** Candidates whose lanes were not worked on for longest go first, so that steady backlogs of some keep out no other. */
    longestUnserved: <T extends Place>(candidates: readonly T[]): T[] =>
      candidates.toSorted((a, b) => (servedAt.get(a.lane) ?? 0) - (servedAt.get(b.lane) ?? 0)),
    /** Begins the work of a free lane. Nobody waits for it but `drained`. */
    start({ tenant, lane }: Place, work: () => Promise<void>) {
      servedAt.delete(lane)
      servedAt.set(lane, ++started)
      // The oldest are forgotten: they go first anyway.
      if (servedAt.size > 10_000) servedAt.delete(servedAt.keys().next().value!)
      const done = work()
        .catch((error) => failed(error))
        .finally(() => {
          working.delete(lane)
          ended()
        })
      working.set(lane, { tenant, done })
    },
    /** Resolves when no lane works; true when one did. */
    async drained() {
      const any = working.size > 0
      while (working.size) await Promise.all([...working.values()].map(({ done }) => done))
      return any
    },
    /** What follows the end of a lane, and its error: the worker's next run. */
    follow(onEnded: () => void, onFailed: (error: unknown) => void) {
      ended = onEnded
      failed = onFailed
    },
  }
}

/**
 * Of rows that are due ("Id", "EnterpriseId", "NextTime", lane), the oldest `batch` of each lane that is free, the oldest of all lanes
 * first, and tenants in turns.
 */
export const inTurns = (due: RawBuilder<unknown>, lanes: Lanes, { batch, perTenant, most }: LaneLimits & { batch: number }) =>
  sql<Place & { Id: number }>`
    with due as (${due}),
    placed as (
      select *, row_number() over (partition by lane order by "NextTime", "Id") as place from due where lane <> all(${lanes.busy()}::text[])),
    turns as (
      select *, row_number() over (partition by "EnterpriseId" order by place, "NextTime", "Id") as turn from placed where place <= ${batch})
    select "Id", "EnterpriseId" as tenant, lane from turns where turn <= ${perTenant * batch} order by turn, "NextTime", "Id" limit ${most * batch}`

/** Starts the lanes that are free with what `claim` still gets of the candidates, in their order; false when there is nothing to start. */
export const startLanes = async <T extends { Id: number }>(
  lanes: Lanes,
  candidates: readonly (Place & { Id: number })[],
  claim: (ids: readonly number[]) => Promise<readonly T[]>,
  work: (own: readonly T[]) => Promise<void>,
): Promise<boolean> => {
  const picked = lanes.pick(candidates)
  if (!picked.size) return false
  const claimed = new Map((await claim([...picked.values()].flatMap((own) => own.map(({ Id }) => Id)))).map((row) => [row.Id, row]))
  for (const [lane, own] of picked)
    lanes.start({ tenant: own[0]!.tenant, lane }, () => work(own.flatMap(({ Id }) => claimed.get(Id) ?? [])))
  return true
}
