import { sql } from 'kysely'
import type { Method } from '../../../../contract/channel-settings.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Values } from '../../../../contract/message.ts'
import type { Resource, Row } from '../../../../contract/resource.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { type almEmailTemplate, almPushRecord } from '../contract.ts'

const methodOf: Record<string, Method> = { almWechatTemplate: 'wechat', almEmailTemplate: 'email', almSmsTemplate: 'sms' }

/** Default sample values, marked as a sample, in the caller's language. */
export const sample = (language: Language, given: Values): Values => {
  const said = Object.fromEntries(Object.entries(given).filter(([, v]) => v))
  const words = Object.fromEntries((['title', 'content', 'source', 'remark'] as const).map((k) => [k, word(language, `sample.${k}`)]))
  return {
    ...words,
    DeviceName: word(language, 'sample.DeviceName'),
    Value: '81.5',
    Time: new Date().toISOString().slice(0, 16).replace('T', ' '),
    Level: '3',
    ProjectName: word(language, 'sample.ProjectName'),
    ...said,
  }
}

type Given = { Id: number } & Values

/** Sends a template with the sample to the caller. */
export const share = (db: Db, actor: Actor, delivery: Delivery, r: Resource, language: Language, { Id, ...given }: Given) =>
  db.tx(async (db) => {
    const template = (await store(r).find(db, actor, Id)) as unknown as Row<typeof almEmailTemplate>
    const sent = await delivery.deliver(db, {
      EnterpriseId: template.EnterpriseId,
      Method: methodOf[r.name]!,
      BizType: template.BizType,
      UserId: actor.UserId,
      TemplateId: Id,
      values: sample(language, given),
      asked: true,
    })
    return sent!
  })

/** Resets a message or cancels a pending one; a message that is being sent is left alone. */
const move = async (db: Db, actor: Actor, id: number, from: readonly number[], to: 0 | 5) => {
  const [row] = await db.rows<{ Id: number; Target: string; EnterpriseId: number }>(sql`
    update alm_push_record t set "SendStatus" = ${to}, "RetryCount" = 0, "NextTime" = least("NextTime", now()), "ErrorText" = null, "UpdateTime" = now()
    where "Id" = ${id} and "SendStatus" = any(${from}::smallint[]) and "LeaseUntil" is null and "Address" <> '' and ${visible(almPushRecord, actor)}
    returning "Id", "Target", "EnterpriseId"`)
  if (!row) throw notFound()
  db.emit({ resource: almPushRecord.name, id, verb: to === 0 ? 'create' : 'update', EnterpriseId: row.EnterpriseId })
  return { Id: row.Id, Target: row.Target }
}
export const resend = (db: Db, actor: Actor, id: number) => move(db, actor, id, [3, 5], 0)
export const cancel = (db: Db, actor: Actor, id: number) => move(db, actor, id, [0], 5)
