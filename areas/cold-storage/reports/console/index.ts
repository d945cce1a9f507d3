import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { coldReport } from '../contract.ts'

export const reportsPath = '/powerManagement/coldReports'

/** Signing needs a password, so it is done on the page of a report. */
export const reports = list(coldReport, ['ReportNo', 'ColdStorageId', 'ReportType', 'StartTime', 'EndTime', 'Result', 'State', 'UserId'], {
  filters: ['ColdStorageId', 'ReportType', 'Result', 'State'],
  states: {
    Result: { 0: 'notice', 2: 'alarm', 3: 'warning' },
    State: { 0: 'notice', 1: 'notice', 3: 'warning' },
  },
  link: ({ Id }) => `${reportsPath}?Id=${Id}`,
  actsOn: (_, act) => act === 'recompute',
  buttons: {
    'cold.report.new': { icon: 'use', needs: 'm10734.add', to: `${reportsPath}?new=1` },
    coldReportRules: { icon: 'people', needs: 'm10734.edit', small: true, dialog: () => import('./Rules.tsx') },
    'cold.report.proof': { icon: 'rights', needs: 'm10735', to: '/powerManagement/coldReportProof' },
  },
})

export const screens: Screens = {
  [reportsPath]: () => import('./Reports.tsx'),
  '/powerManagement/coldReportProof': () => import('./Proof.tsx'),
}
