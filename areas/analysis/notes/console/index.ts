import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { chartNote } from '../contract.ts'

export const screens: Screens = {
  '/dataAnalysis/notes': list(chartNote, ['Time', 'ParaId', 'Text', 'EndTime', 'UserId'], {
    wraps: ['Text'],
    see: ['m10301'],
    actions: { 'note.trend': { icon: 'chart', needs: 'm10301', to: ({ ParaId }) => `/dataAnalysis/realTimeData?points=${ParaId}` } },
  }),
}
