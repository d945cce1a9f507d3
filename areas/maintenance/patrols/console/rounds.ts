import type { Planned } from '../../upkeep/console/index.ts'
import { mtnCheckOrder, mtnCheckPlan, patrolCalls } from '../contract.ts'

/** Patrols as a kind of planned orders. */
export const rounds: Pick<Planned, 'plan' | 'order' | 'calls'> = {
  plan: mtnCheckPlan,
  order: mtnCheckOrder,
  calls: patrolCalls,
}
