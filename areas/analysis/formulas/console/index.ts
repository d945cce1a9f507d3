import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { formulaPoint } from '../contract.ts'

export const screens: Screens = {
  '/dataAnalysis/formulas': list(formulaPoint, ['FormulaName', 'ProjectId', 'Expression', 'ParaUnitName', 'CalDataType'], {
    filters: ['ProjectId'],
    wraps: ['Expression'],
    see: ['m10309'],
    looks: () => import('./formulaLooks.tsx'),
    actions: { 'formula.query': { icon: 'open', needs: 'm10309', to: ({ Id }) => `/dataAnalysis/computeDataQuery?points=${Id}` } },
  }),
}
