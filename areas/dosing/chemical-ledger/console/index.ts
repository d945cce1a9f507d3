import type { Screens } from '../../../../console/shell/screens.ts'

const account = () => import('./Account.tsx')
export const screens: Screens = {
  '/drugManagement/drugAccount': account,
  '/dataAnalysis/drugAccount': account,
}
