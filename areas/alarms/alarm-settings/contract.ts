// What is set about alarms: those of gateways, templates, and what reaches whom.
import { type Static, Type } from 'typebox'
import { Changed, call, IdList, paging } from '../../../contract/call.ts'
import { choice, flag, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { RuleConfigure } from '../alarm-rules/alarm-configure.ts'

/** What can be wrong with a gateway: 1 it is away, 2 it runs on its battery or is about to stop, 3 its storage is full, 4 its firmware is not the one wanted. */
export const gatewayFaults = [1, 2, 3, 4] as const
export type GatewayFault = (typeof gatewayFaults)[number]

const name = text({ required: true, unique: true, search: true, max: 60 })
const level = (section: string) => choice([1, 2, 3], { required: true, default: 2, section })
/** How long the fault must last before it is an alarm. */
const delay = (section: string) => number({ integer: true, min: 0, max: 86_400, unit: 's', required: true, default: 0, section })

/** Which faults of gateways are alarms, how bad, and after how long. */
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
    /** From this use of its disk on; without one, only when the gateway itself says that it is full. */
    StorageLimit: number({ min: 1, max: 100, unit: '%', section: 'storage' }),
    Firmware: flag({ required: true, default: 0, section: 'firmware' }),
    FirmwareLevel: choice([1, 2, 3], { required: true, default: 1, section: 'firmware' }),
    FirmwareDelay: delay('firmware'),
    /** The version that is wanted; any other is the fault. */
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

/** Which template holds for which gateways: one, those of a project, or all of the tenant; the narrowest counts. */
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

/** What a rule may begin with: its conditions, with points meant by their names only. */
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

/** Which alarms a person gets, how and when. */
export const UserSetting = Type.Object(
  {
    /** Alarms of these levels. */
    Levels,
    /** 1 of devices and cold rooms, 2 of gateways, 5 of energy. */
    Types: Type.Array(code(1, 2, 5), { maxItems: 3, uniqueItems: true }),
    /** 1 site message, 2 SMS, 3 e-mail, 4 WeChat, 5 DingTalk, 6 voice: others are not used for this person. */
    Methods: Type.Array(code(1, 2, 3, 4, 5, 6), { maxItems: 6, uniqueItems: true }),
    /** Quiet hours, in the person's zone: 1 dropped, 2 held until their end. Level 3 always passes. An end that is not after the start is on the next day. */
    NoDisturb: Type.Object({ Enabled: Flag, Start: clock, End: clock, Mode: code(1, 2) }, strict),
    /** A sound in the console. */
    Sound: Flag,
    /** Also point limits, gateway faults and energy alarms, which have no rule with recipients. */
    WithoutRule: Type.Optional(Flag),
  },
  strict,
)
export type UserSetting = Static<typeof UserSetting>
/** Everything, always, by every way a rule chooses; quiet hours as the form begins with them (ruling 30). */
export const standardUserSetting: UserSetting = {
  ...{ Levels: [1, 2, 3], Types: [1, 2, 5], Methods: [1, 2, 3, 4, 5, 6] },
  ...{ NoDisturb: { Enabled: 0, Start: '08:00', End: '10:00', Mode: 2 }, Sound: 1, WithoutRule: 0 },
}

/** How the tenant reminds of alarms that nobody has acknowledged. */
export const alarmReminder = settings('alarmReminder', {
  per: 'tenant',
  path: '/Alarm/ReminderSetting',
  permission: 'm10212',
  readBy: 'm10201',
  fields: {
    Enabled: flag({ required: true, default: 0 }),
    Levels: json({ required: true, schema: Levels, default: [3] }),
    Interval: number({ integer: true, min: 1, max: 1440, unit: 'min', required: true, default: 10 }),
    /** How often at most. */
    Times: number({ integer: true, min: 1, max: 100, required: true, default: 6 }),
  },
})

const Named = Type.Object({ UserId: Id, UserName: Type.String(), UserNO: Type.String(), ...UserSetting.properties })
export const alarmSettingCalls = {
  own: call({ method: 'GET', path: '/Alarm/AlarmUserSetting', permission: 'm10211', answer: UserSetting }),
  saveOwn: call({ method: 'PUT', path: '/Alarm/AlarmUserSetting', permission: 'm10211', body: UserSetting, answer: UserSetting }),
  /** People of the tenant, with what holds for each. */
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
