import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { shiftPlan } from '../contract.ts'

export const screens: Screens = {
  '/projectManagement/shifts': list(shiftPlan, ['PlanName', 'ValidFrom', 'ProjectId', 'Times', 'Holidays', 'MakeUps'], {
    filters: ['ProjectId'],
    wraps: ['Times', 'Holidays', 'MakeUps'],
    looks: () => import('./shiftLooks.tsx'),
  }),
}
