import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { noPause, type Pause, pausing } from '../../../../server/jobs/ownTurn.ts'

/**
 * Figures of millions of readings: two tenants at a time, one question of each. `work` answers no reply: that is awaited until its reader
 * has it, so that a slow one would keep the turn.
 */
const reckoning = boundedQueue({ concurrency: 2, perKey: 1, backlog: 200, maxWaitMs: 30_000, refusal: 'tooMany' })
export const reckonInTurn = <T>({ EnterpriseId }: Actor, work: () => Promise<T>): Promise<T> => reckoning(work, { key: EnterpriseId })

/** Entries of a chart that takes turns: half a million of them take a second of a core, and the memory of their text. */
const largeChart = 50_000
const charts = boundedQueue({ concurrency: 2, perKey: 1, backlog: 200, maxWaitMs: 30_000, refusal: 'tooMany' })
/**
 * Large charts: two tenants at a time, one chart of each, from its first reading to its written text. `work` calls `pause` between its pieces;
 * small charts do not wait there, since beside ingest each turn of the event loop takes some 30 ms.
 */
export const chartInTurn = <T>({ EnterpriseId }: Actor, entries: number, work: (pause: Pause) => Promise<T>): Promise<T> =>
  entries > largeChart ? charts(() => work(pausing()), { key: EnterpriseId }) : work(noPause)
