import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { timer, timerLog } from '../contract.ts'

const results: Record<number, Condition> = { 2: 'alarm', 3: 'warning' }

/** Runs of a task, and missed times. */
const history = list(timerLog, ['StartTime', 'Result', 'Wording', 'DurationMs', 'ByHand'], {
  states: { Result: results },
  wraps: ['Wording'],
  looks: async () => ({ cells: (await import('./timerLooks.tsx')).logCells }),
  readOnly: true,
})

/** Scheduled tasks of the platform, and their results. */
export const screens: Screens = {
  '/systemManagement/timingTask': list(timer, ['TimerName', 'Method', 'Cron', 'Status', 'NextTime', 'LastResult', 'LastTime'], {
    filters: ['Status', 'Method'],
    states: { LastResult: results },
    looks: () => import('./timerLooks.tsx'),
    around: () => import('./HomeZone.tsx'),
    actions: { 'timer.history': { icon: 'history', panel: history, prefix: 'h.' } },
    anyTenant: true,
  }),
}
