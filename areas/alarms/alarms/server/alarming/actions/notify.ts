// Webhooks and notices that a rule sends when its alarm is raised.

import { sql } from 'kysely'
import { firstLanguage } from '../../../../../../contract/languages.ts'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Message } from '../../../../../../server/channels/prepare.ts'
import type { Db } from '../../../../../../server/database/db.ts'
import { isOf, mayReceive } from '../../../../../../server/identity/receivers.ts'
import type { MessageFacts } from '../names.ts'
import { messageOf } from '../push/message.ts'

export type Payload = { ParaId?: number; Value?: number; DelayS?: number; Type?: number; Url?: string; PushUsers?: number[]; Text?: string }
export type RaisedAlarm = {
  AlmInfoId: number
  EnterpriseId: number
  ProjectId: number | null
  AlmRuleId: number | null
  RuleName: string
  AlarmLevel: number
  Facts: MessageFacts
  DeviceName: string | null
  ProjectName: string | null
  Time: string
  TenantZone: string
  Language: string | null
}

export const notify = async (
  db: Db,
  { deliver }: Pick<Delivery, 'deliver'>,
  a: RaisedAlarm & { Kind: string; Place: number; Payload: Payload },
  now: Date,
) => {
  const { Url, PushUsers = [], Text } = a.Payload
  const alarm = {
    ...a,
    ...{ AlarmType: 1, GatewayFault: null },
    ...{
      Id: a.AlmInfoId,
      RecoverTime: '',
      DeviceName: a.DeviceName ?? '-',
      ProjectName: a.ProjectName ?? '-',
    },
  }
  const message = (language: string | null): Omit<Message, 'Method'> => {
    const { values, made } = messageOf(alarm, 'action', 0, firstLanguage(language, a.Language))
    return {
      EnterpriseId: a.EnterpriseId,
      BizType: 1,
      AlmInfoId: a.AlmInfoId,
      about: { Kind: 'action', Step: a.Place, AlmRuleId: a.AlmRuleId },
      values: { ...values, ...(Text ? { content: Text } : {}) },
      made: Text ? { Wording: 'alarmActionText', WordValues: { ...made.WordValues, Text } } : made,
      Source: `alarm/${a.AlmInfoId}/action/${a.Place}`,
    }
  }
  if (Url) return void (await deliver(db, { ...message(null), Method: 'webhook', Url }))
  const people = await db.rows<{ Id: number; Language: string | null }>(
    sql`select "Id", "Language" from "user" u where "Id" = any(${PushUsers}::bigint[]) and ${isOf('u', a.EnterpriseId)}
      and ${mayReceive('u', sql`${a.ProjectId}`, now)} order by "Id"`,
  )
  for (const { Id, Language } of people) {
    const m = message(Language)
    await deliver(db, { ...m, Method: 'site', UserId: Id, Source: `${m.Source}/u${Id}` })
  }
}
