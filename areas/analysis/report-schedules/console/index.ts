import { list } from '../../../../console/kernel/plainScreens.ts'
import { download } from '../../../../console/session/request.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { reportTemplate } from '../../reports/contract.ts'
import { reportRun, reportRunCalls, reportSchedule, runStatus } from '../contract.ts'

export const screens: Screens = {
  '/dataAnalysis/reportTemplates': list(reportTemplate, ['TemplateName', 'About', 'Period', 'Blocks'], {
    filters: ['About', 'GroupId', 'ProjectId', 'Period'],
    wraps: ['Blocks'],
    see: ['m10316', 'm10317', 'm10308'],
    looks: () => import('../../reports/console/templateLooks.tsx'),
    actions: {
      'reportTemplate.versions': { dialog: () => import('../../reports/console/TemplateVersions.tsx') },
      'reportTemplate.export': { run: (row) => import('../../reports/console/templateLooks.tsx').then((of) => of.saveTemplate(row)) },
    },
  }),
  '/dataAnalysis/reportSchedules': list(
    reportSchedule,
    ['ScheduleName', 'ReportTemplateId', 'About', 'Cron', 'Format', 'Receivers', 'Status', 'NextTime', 'Reason', 'UserId'],
    {
      filters: ['Status', 'ReportTemplateId'],
      wraps: ['Reason'],
      see: ['m10315', 'm10317'],
      looks: () => import('./scheduleLooks.tsx'),
    },
  ),
  '/dataAnalysis/reportRuns': list(
    reportRun,
    ['FileName', 'ScheduleId', 'PeriodStart', 'Version', 'Status', 'LatePoints', 'Coverage', 'Duration', 'FileBytes'],
    {
      filters: ['ScheduleId', 'Status'],
      states: { Status: { 3: 'alarm' } },
      wraps: ['FileName', 'ScheduleId', 'LatePoints'],
      see: ['m10316', 'm10315'],
      looks: () => import('./runLooks.tsx'),
      actions: {
        'reportRun.download': {
          icon: 'open',
          when: ({ Status }) => Status === runStatus.done,
          run: ({ Id, FileName }) => download(`${reportRunCalls.file.path}?Id=${Id}`, FileName ?? String(Id)),
        },
        'reportRun.details': { dialog: () => import('./RunDialog.tsx') },
      },
    },
  ),
}
