import { choice, flag, json, long, number, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { AlarmPush } from '../../alarms/alarm-rules/alarm-push.ts'

/** Recipients of a maintenance order's messages: events, channels, and repetition until acceptance. */
export const mtnAlmTemplate = resource('mtnAlmTemplate', {
  path: '/Maintenance/MtnAlmTemplate',
  permission: 'm10609',
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    TemplateName: text({ required: true, unique: true, search: true, max: 60 }),
    /** 1 repair, 2 upkeep, 3 patrol. */
    OrderKind: choice([1, 2, 3], { required: true, default: 1, search: true }),
    /** 1 opened, 2 due soon, 3 overdue, 4 completed, 5 assigned, 6 handed over, 7 rejected by the check, 8 stock low. */
    Event: choice([1, 2, 3, 4, 5, 6, 7, 8], { required: true, default: 1, search: true }),
    /** Lead time before the due date, for event 2 (due soon). */
    LeadTime: number({ integer: true, min: 0, max: 43_200, unit: 'min', required: true, default: 60 }),
    AlarmPush: json({ required: true, schema: AlarmPush }),
    Enabled: flag({ required: true, default: 1, search: true }),
    Remark: long(),
  },
})
