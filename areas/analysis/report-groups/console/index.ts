import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { reportGroup } from '../contract.ts'

const idsOf = (points: readonly { ParaId: number }[], most: number) => points.slice(0, most).map((p) => p.ParaId)

export const screens: Screens = {
  '/dataAnalysis/group': list(reportGroup, ['GroupName', 'GroupType', 'ProjectId', 'IsShared', 'UserId'], {
    filters: ['GroupType', 'ProjectId', 'IsShared'],
    see: ['m10304'],
    looks: async () => ({ inputs: { Points: (await import('./PointsInput.tsx')).PointsInput as never } }),
    actions: {
      'group.live': { icon: 'open', needs: 'm10304', to: (row) => `/dataAnalysis/groupRealTimeData?group=${row.Id}` },
      'group.trend': { needs: 'm10301', to: (row) => `/dataAnalysis/realTimeData?points=${idsOf(row.Points, 7)}` },
      'group.query': { needs: 'm10303', to: (row) => `/dataAnalysis/dataQuery?points=${idsOf(row.Points, 20)}` },
    },
  }),
}
