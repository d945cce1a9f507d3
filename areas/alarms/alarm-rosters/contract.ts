import { type Static, Type } from 'typebox'
import { IdList } from '../../../contract/call.ts'
import { json, long, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const Shift = Type.Object({
  /** 1 = Sunday to 7 = Saturday, the day on which the shift begins; empty: every day. */
  Weeks: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 })),
  Start: clock,
  /** An end that is not after the start is on the next day. */
  End: clock,
  Users: IdList(50),
})
export type Shift = Static<typeof Shift>

/** An on-call roster. Rules notify its people only during their shifts. */
export const alarmRoster = resource('alarmRoster', {
  path: '/Alarm/AlarmRoster',
  permission: 'm10230',
  title: 'RosterName',
  order: 'RosterName',
  fields: {
    RosterName: text({ required: true, unique: true, search: true, max: 60 }),
    TimeZone: text({ required: true, max: 64, default: 'UTC' }),
    Shifts: json({ required: true, schema: Type.Array(Shift, { minItems: 1, maxItems: 60 }) }),
    Remark: long(),
  },
})
