// Whom an alarm is told to, when, and how often (rulings 26 and 30).
import { type Static, type TSchema, Type } from 'typebox'
import { Id } from '../base/resource.ts'

const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const code = <T extends number>(...of: T[]) => Type.Unsafe<T>(Type.Union(of.map((v) => Type.Literal(v))))
const Users = Type.Array(Id, { maxItems: 200 })
/** 1 site message, 2 SMS, 3 e-mail, 4 WeChat, 5 DingTalk, 6 voice. */
const Method = Type.Object({ Method: code(1, 2, 3, 4, 5, 6), TemplateId: maybe(Id) })
const Methods = Type.Array(Method, { maxItems: 6 })
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

export const AlarmPush = Type.Object({
  /** A push goes out when the alarm was raised Frequency times within Duration; off where either is missing. */
  AntiShakeDuration: maybe(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** 1 seconds, 2 minutes. */
  AntiShakeUnit: maybe(code(1, 2)),
  AntiShakeFrequency: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** 1 the first only, 2 again and again until acknowledged, 3 the first and the recovery. */
  PushStyle: maybe(code(1, 2, 3)),
  AlarmLevel: maybe(code(1, 2, 3)),
  PushUsers: Users,
  PushMethods: Methods,
  NoDisturb: maybe(Type.Object({ Enabled: code(0, 1), Start: clock, End: clock, /** 1 drop, 2 hold until the end. */ Mode: code(1, 2) })),
  StepPush: maybe(
    Type.Object({
      Enabled: code(0, 1),
      /** Delay in minutes after the alarm was raised. */
      Steps: Type.Array(Type.Object({ Delay: Type.Integer({ minimum: 1, maximum: 10_080 }), PushUsers: Users, PushMethods: Methods }), {
        maxItems: 10,
      }),
    }),
  ),
  RecoveryNotice: maybe(code(0, 1)),
})
export type AlarmPush = Static<typeof AlarmPush>

/** What a new rule begins with: off unless chosen (ruling 30). */
export const pushDefaults = {
  AntiShakeDuration: 5,
  AntiShakeDurationOfGateways: 10,
  AntiShakeFrequency: 3,
  NoDisturbStart: '08:00',
  NoDisturbEnd: '10:00',
  StepDelay: 10,
} as const

/** The fields a rule begins with. */
export const ruleTemplate = { RuleName: '', RuleNo: '', RuleType: 1, Status: 0, Remark: '', IsSend: 0, IsDelete: 0, AlarmLevel: 2 } as const
