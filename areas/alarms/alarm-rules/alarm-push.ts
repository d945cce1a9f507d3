// Who is notified of an alarm, when, and how often (rulings 26 and 30).
import { type Static, type TSchema, Type } from 'typebox'
import { Id } from '../../../contract/resource.ts'
import type { ConfigureFault } from './alarm-configure.ts'

const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const code = <T extends number>(...of: T[]) => Type.Unsafe<T>(Type.Union(of.map((v) => Type.Literal(v))))
const Users = Type.Array(Id, { maxItems: 200 })
const Rosters = Type.Optional(Type.Array(Id, { maxItems: 20 }))
/** 1 site message, 2 SMS, 3 e-mail, 4 WeChat, 5 DingTalk, 6 voice, 7 the tenant's webhook. */
export const PushMethod = { site: 1, sms: 2, email: 3, wechat: 4, dingtalk: 5, voice: 6, webhook: 7 } as const
/** TemplateId: for SMS, e-mail and WeChat the template, otherwise the standard one; for DingTalk the robot. */
const Method = Type.Object({ Method: code(1, 2, 3, 4, 5, 6, 7), TemplateId: maybe(Id) })
const Methods = Type.Array(Method, { maxItems: 6 })
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const Step = Type.Object({
  Delay: Type.Integer({ minimum: 1, maximum: 10_080 }),
  PushUsers: Users,
  PushRosters: Rosters,
  PushMethods: Methods,
})

export const AlarmPush = Type.Object({
  /** Sends only if the alarm was raised Frequency times within Duration; off if either is empty. */
  AntiShakeDuration: maybe(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** 1 seconds, 2 minutes. */
  AntiShakeUnit: maybe(code(1, 2)),
  AntiShakeFrequency: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** 1 the first message only, 2 repeated until acknowledged, 3 the first and the recovery. */
  PushStyle: maybe(code(1, 2, 3)),
  /** Minutes between two pushes of style 2. */
  RepeatMinutes: maybe(Type.Integer({ minimum: 1, maximum: 10_080 })),
  /** Alarms below this level are not pushed. */
  AlarmLevel: maybe(code(1, 2, 3)),
  PushUsers: Users,
  /** On-call rosters: notifies the people on duty at that time. */
  PushRosters: Rosters,
  PushMethods: Methods,
  /** In the rule's time zone, otherwise the tenant's; level 3 always passes. */
  NoDisturb: maybe(Type.Object({ Enabled: code(0, 1), Start: clock, End: clock, /** 1 drop, 2 hold until the end. */ Mode: code(1, 2) })),
  StepPush: maybe(
    Type.Object({
      Enabled: code(0, 1),
      /** Delay in minutes after the alarm was raised; a step is sent while the alarm is active and not acknowledged. */
      Steps: Type.Array(Step, { maxItems: 10 }),
    }),
  ),
  RecoveryNotice: maybe(code(0, 1)),
})
export type AlarmPush = Static<typeof AlarmPush>
export type PushStep = Static<typeof Step>

/** Defaults of a new rule: off (ruling 30). */
export const pushDefaults = {
  AntiShakeDuration: 5,
  AntiShakeDurationOfGateways: 10,
  AntiShakeFrequency: 3,
  NoDisturbStart: '08:00',
  NoDisturbEnd: '10:00',
  StepDelay: 10,
  RepeatMinutes: 30,
} as const

/** Maximum alarm messages per person and hour; the others are combined in a digest (design domain, 4 (d)). */
export const pushesPerHour = 60

/** Defaults of a rule's fields. */
export const ruleTemplate = { RuleName: '', RuleNo: '', RuleType: 1, Status: 0, Remark: '', IsSend: 0, IsDelete: 0, AlarmLevel: 2 } as const

const toPeople = (method: number) => method !== PushMethod.dingtalk && method !== PushMethod.webhook

/** Faults of a push configuration that matches its schema; words at the keys. */
export const pushFaults = (p: AlarmPush): ConfigureFault[] => {
  const faults: ConfigureFault[] = []
  const addFault = (Path: string, key: string) => void faults.push({ Path, key, values: {} })
  const has = (v: unknown) => v !== null && v !== undefined
  if (has(p.AntiShakeDuration) !== has(p.AntiShakeFrequency))
    addFault(has(p.AntiShakeDuration) ? 'AntiShakeFrequency' : 'AntiShakeDuration', 'fault.field.required')
  if (has(p.AntiShakeUnit) && !has(p.AntiShakeDuration)) addFault('AntiShakeUnit', 'alarmRule.fault.unused')
  if (p.PushStyle === 2 && !has(p.RepeatMinutes)) addFault('RepeatMinutes', 'fault.field.required')
  if (p.PushStyle !== 2 && has(p.RepeatMinutes)) addFault('RepeatMinutes', 'alarmRule.fault.unused')
  if (p.NoDisturb && p.NoDisturb.Start === p.NoDisturb.End) addFault('NoDisturb.End', 'alarmRule.fault.wholeDay')
  const audience = (at: Pick<PushStep, 'PushUsers' | 'PushRosters' | 'PushMethods'>, prefix: string) => {
    if (!at.PushMethods.length) addFault(`${prefix}PushMethods`, 'fault.field.required')
    if (at.PushMethods.some((m) => toPeople(m.Method)) && !at.PushUsers.length && !at.PushRosters?.length)
      addFault(`${prefix}PushUsers`, 'fault.field.required')
    for (const [i, { Method, TemplateId }] of at.PushMethods.entries()) {
      const path = `${prefix}PushMethods.${i}`
      if (Method === PushMethod.voice) addFault(`${path}.Method`, 'alarmRule.fault.noVoice')
      if (Method === PushMethod.dingtalk && !has(TemplateId)) addFault(`${path}.TemplateId`, 'fault.field.required')
      if ((Method === PushMethod.site || Method === PushMethod.webhook) && has(TemplateId))
        addFault(`${path}.TemplateId`, 'alarmRule.fault.unused')
      const same = at.PushMethods.findIndex((m) => m.Method === Method && m.TemplateId === TemplateId)
      if (same < i) addFault(`${path}.Method`, 'alarmRule.fault.twice')
    }
  }
  audience(p, '')
  const steps = p.StepPush?.Steps ?? []
  if (p.StepPush?.Enabled && !steps.length) addFault('StepPush.Steps', 'fault.field.required')
  for (const [i, step] of steps.entries()) {
    if (i && step.Delay <= steps[i - 1]!.Delay) addFault(`StepPush.Steps.${i}.Delay`, 'alarmRule.fault.later')
    audience(step, `StepPush.Steps.${i}.`)
  }
  return faults
}
