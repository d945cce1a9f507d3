// Builds the message of an alarm in the language of its reader.

import type { Language } from '../../../../../../contract/languages.ts'
import type { Values } from '../../../../../../contract/message.ts'
import type { PushKind } from '../../../../../../contract/push-reasons.ts'
import { word } from '../../../../../../server/http/words.ts'
import { type MessageFacts, nameIn, valueIn } from '../names.ts'

/** An alarm as messages need it; times are texts in the tenant's time zone. */
export type PushedAlarm = {
  Id: number
  EnterpriseId: number
  AlmRuleId: number | null
  RuleName: string
  AlarmLevel: number
  /** 1 device, 2 gateway. */
  AlarmType: number
  GatewayFault: number | null
  ProjectId: number | null
  Facts: MessageFacts
  DeviceName: string
  ProjectName: string
  Time: string
  RecoverTime: string
  /** Language of the tenant. */
  Language: string | null
  TenantZone: string
}

export const wordingOf = (kind: PushKind) => `alarm${kind[0]!.toUpperCase()}${kind.slice(1)}`

/** Names the time zone, because the reader may be in another one. */
const zoned = (time: string, zone: string) => time && `${time} (${zone})`

const wordValues = (a: Omit<PushedAlarm, 'Facts'>, Value: string, step: number) => ({
  RuleName: a.RuleName,
  AlarmLevel: a.AlarmLevel,
  Value,
  DeviceName: a.DeviceName,
  ProjectName: a.ProjectName,
  Time: zoned(a.Time, a.TenantZone),
  RecoverTime: zoned(a.RecoverTime, a.TenantZone),
  Step: step,
})

/** Values for templates, and the texts of the in-app message. */
export const messageOf = (a: PushedAlarm, kind: PushKind, step: number, language: Language) => {
  const Wording = wordingOf(kind)
  const Value = valueIn(language, a.Facts, kind === 'recovered')
  const WordValues = wordValues({ ...a, RuleName: nameIn(language, a) }, Value, step)
  const Level = word(language, `alarmInfo.AlarmLevel.${a.AlarmLevel}`)
  const blanks = { ...WordValues, AlarmLevel: Level }
  const values: Values = {
    title: word(language, `notice.made.${Wording}`, blanks),
    content: word(language, `notice.made.${Wording}.text`, blanks),
    DeviceName: a.DeviceName,
    ProjectName: a.ProjectName,
    Value,
    Time: a.Time,
    Level,
  }
  return { values, made: { Wording, WordValues } }
}
