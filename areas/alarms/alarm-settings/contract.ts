// Alarm settings: gateway alarms, rule templates, and personal settings.
import { type Static, Type } from 'typebox'
import { Changed, call, IdList, paging } from '../../../contract/call.ts'
import { choice, flag, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { RuleConfigure } from '../alarm-rules/alarm-configure.ts'

/** Faults of a gateway: 1 offline, 2 on battery or about to stop, 3 storage full, 4 firmware differs from the required version. */
export const gatewayFaults = [1, 2, 3, 4] as const
export type GatewayFault = (typeof gatewayFaults)[number]

const name = text({ required: true, unique: true, search: true, max: 60 })
const level = (section: string) => choice([1, 2, 3], { required: true, default: 2, section })
/** Time for which the fault must last before it is an alarm. */
const delay = (section: string) => number({ integer: true, min: 0, max: 86_400, unit: 's', required: true, default: 0, section })

/** Gateway faults that are alarms, with level and delay. */
export const almGatewayTemplate = resource('almGatewayTemplate', {
  path: '/Alarm/AlmGatewayTemplate',
  permission: 'm10209',
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    TemplateName: name,
    Offline: flag({ required: true, default: 1, section: 'offline' }),
    OfflineLevel: level('offline'),
    OfflineDelay: delay('offline'),
    Power: flag({ required: true, default: 1, section: 'power' }),
    PowerLevel: choice([1, 2, 3], { required: true, default: 3, section: 'power' }),
    PowerDelay: delay('power'),
    Storage: flag({ required: true, default: 1, section: 'storage' }),
    StorageLevel: level('storage'),
    StorageDelay: delay('storage'),
    /** Disk usage from which storage counts as full; if empty, only the gateway's own report counts. */
    StorageLimit: number({ min: 1, max: 100, unit: '%', section: 'storage' }),
    Firmware: flag({ required: true, default: 0, section: 'firmware' }),
    FirmwareLevel: choice([1, 2, 3], { required: true, default: 1, section: 'firmware' }),
    FirmwareDelay: delay('firmware'),
    /** Required version; any other version is a fault. */
    FirmwareVer: text({ section: 'firmware' }),
    Remark: long(),
  },
})

/** Defaults: offline and without power, immediately; full when the gateway reports it. */
export const standardGatewayAlarms = {
  ...{ Offline: 1, OfflineLevel: 2, OfflineDelay: 0, Power: 1, PowerLevel: 3, PowerDelay: 0 },
  ...{ Storage: 1, StorageLevel: 2, StorageDelay: 0, StorageLimit: null as number | null },
  ...{ Firmware: 0, FirmwareLevel: 1, FirmwareDelay: 0, FirmwareVer: null as string | null },
}
export type GatewayAlarms = typeof standardGatewayAlarms

/** Assigns a template to one gateway, to those of a project, or to all of the tenant; the most specific setting applies. */
export const alarmSetting = resource('alarmSetting', {
  path: '/Alarm/AlarmSetting',
  permission: 'm10209',
  title: 'SettingName',
  order: 'SettingName',
  fields: {
    SettingName: name,
    AlmGatewayTemplateId: ref('almGatewayTemplate', { required: true, as: 'TemplateName' }),
    ProjectId: ref('project'),
    GatewayId: ref('gateway'),
    Enabled: flag({ required: true, default: 1, search: true }),
    Remark: long(),
  },
})

/** A rule template: conditions with point names only. */
export const almTemplate = resource('almTemplate', {
  path: '/Alarm/AlmTemplate',
  permission: 'm10210',
  title: 'TemplateName',
  order: 'TemplateName',
  differs: { answers: 'Its conditions are completed.', unsettable: 'Its conditions are completed.' },
  fields: {
    TemplateName: name,
    RuleType: choice([1, 2], { required: true, default: 1, search: true }),
    AlarmLevel: choice([1, 2, 3], { required: true, default: 2, search: true }),
    RuleConfigure: json({ required: true, schema: RuleConfigure }),
    Remark: long(),
  },
})

const code = <T extends number>(...of: T[]) => Type.Unsafe<T>(Type.Union(of.map((v) => Type.Literal(v))))
const Flag = code(0, 1)
const Levels = Type.Array(code(1, 2, 3), { maxItems: 3, uniqueItems: true })
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const strict = { additionalProperties: false }

/** A person's alarm settings: alarms, channels and times. */
export const UserSetting = Type.Object(
  {
    /** Levels of the alarms. */
    Levels,
    /** 1 of devices and cold rooms, 2 of gateways, 5 of energy. */
    Types: Type.Array(code(1, 2, 5), { maxItems: 3, uniqueItems: true }),
    /** 1 site message, 2 SMS, 3 e-mail, 4 WeChat, 5 DingTalk, 6 voice. Other channels are not used for this person. */
    Methods: Type.Array(code(1, 2, 3, 4, 5, 6), { maxItems: 6, uniqueItems: true }),
    /** Quiet hours, in the person's zone: 1 dropped, 2 held until their end. Level 3 always passes. An end that is not after the start is on the next day. */
    NoDisturb: Type.Object({ Enabled: Flag, Start: clock, End: clock, Mode: code(1, 2) }, strict),
    /** Plays a sound in the console. */
    Sound: Flag,
    /** Also point limits, gateway faults and energy alarms, which have no rule with recipients. */
    WithoutRule: Type.Optional(Flag),
  },
  strict,
)
export type UserSetting = Static<typeof UserSetting>
/** Defaults: all alarms, at all times, by every channel of a rule; quiet hours as preset in the form (ruling 30). */
export const standardUserSetting: UserSetting = {
  ...{ Levels: [1, 2, 3], Types: [1, 2, 5], Methods: [1, 2, 3, 4, 5, 6] },
  ...{ NoDisturb: { Enabled: 0, Start: '08:00', End: '10:00', Mode: 2 }, Sound: 1, WithoutRule: 0 },
}

/** Reminders of unacknowledged alarms in a tenant. */
export const alarmReminder = settings('alarmReminder', {
  per: 'tenant',
  path: '/Alarm/ReminderSetting',
  permission: 'm10212',
  readBy: 'm10201',
  fields: {
    Enabled: flag({ required: true, default: 0 }),
    Levels: json({ required: true, schema: Levels, default: [3] }),
    Interval: number({ integer: true, min: 1, max: 1440, unit: 'min', required: true, default: 10 }),
    /** Maximum number of reminders. */
    Times: number({ integer: true, min: 1, max: 100, required: true, default: 6 }),
  },
})

const Named = Type.Object({ UserId: Id, UserName: Type.String(), UserNO: Type.String(), ...UserSetting.properties })
export const alarmSettingCalls = {
  own: call({ method: 'GET', path: '/Alarm/AlarmUserSetting', permission: 'm10211', answer: UserSetting }),
  saveOwn: call({ method: 'PUT', path: '/Alarm/AlarmUserSetting', permission: 'm10211', body: UserSetting, answer: UserSetting }),
  /** People of the tenant with their settings in effect. */
  users: call({
    method: 'GET',
    path: '/Alarm/AlarmUserSetting/List',
    permission: 'm10213',
    query: Type.Object({
      Search: Type.Optional(Type.String({ maxLength: 50 })),
      ...paging(200),
    }),
    answer: Type.Object({ Items: Type.Array(Named), TotalCount: Type.Integer() }),
  }),
  saveUsers: call({
    method: 'PUT',
    path: '/Alarm/AlarmUserSetting/User',
    permission: 'm10213.edit',
    body: Type.Object({ UserIds: IdList(200), Setting: UserSetting }, strict),
    answer: Changed,
  }),
}
