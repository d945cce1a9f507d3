import { Type } from 'typebox'
import { call } from '../base/call.ts'
import { choice, flag, instant, long, number, ref, text } from '../base/field.ts'
import { Id, resource } from '../base/resource.ts'

/** One standing or past alarm. Rows are made by the engine, never deleted. */
export const alarmInfo = resource('alarmInfo', {
  path: '/Alarm/AlarmInfo',
  aliases: ['/V3/Project/AlarmInfo', '/AlarmManagement/AlarmInfo'],
  permission: 'm10201',
  title: 'AlmNo',
  owner: 'ProjectId',
  order: '-StartTime',
  fields: {
    AlmNo: text({ required: true, set: 'never', search: true }),
    RuleName: text({ required: true, max: 80, set: 'never', search: true }),
    /** 1 alarm, 2 maintenance. */
    RuleType: choice([1, 2], { required: true, set: 'never', default: 1 }),
    /** 1 and 2 normal, 3 advanced. */
    AlarmLevel: choice([1, 2, 3], { required: true, set: 'never', search: true, default: 2 }),
    /** 1 device, 2 gateway, 3 the server itself. */
    AlarmType: choice([1, 2, 3], { required: true, set: 'never', default: 1 }),
    ProjectId: ref('project', { set: 'never' }),
    GatewayId: ref('gateway', { set: 'never' }),
    DeviceId: ref('device', { set: 'never' }),
    ParaId: ref('point', { set: 'never', as: 'ParaName' }),
    /** `low` or `high`: which limit of the point was passed. */
    Limit: choice(['low', 'high'], { set: 'never' }),
    LimitValue: number({ set: 'never' }),
    TriggerValue: number({ set: 'never' }),
    LastValue: number({ set: 'never' }),
    StartTime: instant({ required: true }),
    LastTime: instant(),
    RecoverTime: instant(),
    /** 1 while the condition holds. */
    IsActive: flag({ required: true, set: 'never', search: true, default: 1 }),
    /** 0 unhandled, 1 recovered by itself, 2 handled by a person. */
    HandleStatus: choice([0, 1, 2], { required: true, set: 'never', search: true, default: 0 }),
    /** 0 not acknowledged, 1 acknowledged (ISA-18.2: apart from recovery). */
    AckStatus: choice([0, 1], { required: true, set: 'never', search: true, default: 0 }),
    AckUserId: ref('user', { set: 'never' }),
    AckTime: instant(),
    HandleUserId: ref('user', { set: 'never' }),
    HandleTime: instant(),
    HandleDesc: long({ max: 500, set: 'never' }),
  },
})

const Ids = Type.Array(Id, { minItems: 1, maxItems: 1000 })
const Count = Type.Object({ Changed: Type.Integer() })

export const alarmCalls = {
  acknowledge: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Acknowledge',
    permission: 'm10201.acknowledge',
    body: Type.Object({ Ids }),
    answer: Count,
  }),
  handle: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Handle',
    aliases: ['/V3/Project/AlarmInfo/Handle'],
    permission: 'm10201.handle',
    body: Type.Object({ Ids, HandleDesc: Type.String({ maxLength: 500 }) }),
    answer: Count,
  }),
  statistics: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Statistics',
    permission: 'm10201',
    answer: Type.Object({ TotalCount: Type.Integer(), UnacknowledgedCount: Type.Integer(), HighCount: Type.Integer() }),
  }),
}
