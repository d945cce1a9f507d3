import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'

/** Figures of millions of readings: two tenants at a time, one question of each. */
const reckoning = boundedQueue({ concurrency: 2, perKey: 1, backlog: 200, maxWaitMs: 30_000, refusal: 'tooMany' })
export const reckonInTurn = <T>({ EnterpriseId }: Actor, work: () => Promise<T>): Promise<T> => reckoning(work, { key: EnterpriseId })
