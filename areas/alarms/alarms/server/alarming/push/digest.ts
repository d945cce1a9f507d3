// Rate limit of pushes per person (or robot) and hour. Further alarms are combined in a digest.

import { sql } from 'kysely'
import { firstLanguage } from '../../../../../../contract/languages.ts'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Way } from '../../../../../../server/channels/prepare.ts'
import type { Db } from '../../../../../../server/database/db.ts'
import { word } from '../../../../../../server/http/words.ts'
import { pushesPerHour } from '../../../../alarm-rules/alarm-push.ts'
import type { Target } from './audience.ts'
import { wordingOf } from './message.ts'

/** Pushes per person and hour; time over which a digest collects, ms; alarms listed in a digest. */
export const guard = { most: pushesPerHour, windowMs: 3_600_000, gatherMs: 600_000, named: 10 } as const

/** Whether a push to this target must wait for a digest at `now`, epoch ms. */
export const guarded = async (db: Db, enterprise: number, { UserId, RobotId, Method }: Target, now: number): Promise<boolean> => {
  const whose = UserId ? sql`"UserId" = ${UserId}` : sql`"UserId" is null and "Method" = ${Method} and "Address" = ${String(RobotId ?? 0)}`
  const rows = await db.rows(sql`
    select 1 from alm_push_record where "EnterpriseId" = ${enterprise} and ${whose} and "CreateTime" > ${new Date(now - guard.windowMs)}
      and "Kind" is not null and "SendStatus" <> 5 and not ("SendStatus" = 4 and "NextTime" is null) limit ${guard.most}`)
  return rows.length >= guard.most
}

type Waiting = {
  EnterpriseId: number
  Method: Way
  UserId: number | null
  Address: string
  Count: number
  Last: number
  Titles: string[]
  Language: string | null
  TenantLanguage: string | null
}

/** Sends due digests. */
export const tellDigests = async (db: Db, { deliver, dropLost }: Pick<Delivery, 'deliver' | 'dropLost'>, now: number) => {
  const waiting = sql<Waiting>`
    select w.*, u."Language", e."Language" as "TenantLanguage" from (
      select "EnterpriseId", "Method", "UserId", "Address", count(*)::int as "Count", max("Id") as "Last", (array_agg("Title" order by "Id"))[1:${guard.named}] as "Titles"
      from alm_push_record where "SendStatus" = 4 and "NextTime" is null group by 1, 2, 3, 4 having min("CreateTime") <= ${new Date(now - guard.gatherMs)}) w
    join enterprise e on e."Id" = w."EnterpriseId" left join "user" u on u."Id" = w."UserId"`
  if (!(await db.rows(waiting)).length) return
  await dropLost(db, 'digest')
  for (const w of await db.rows(waiting))
    await db.tx(async (db) => {
      const language = firstLanguage(w.Language, w.TenantLanguage)
      const Wording = wordingOf('digest')
      const more = w.Count > w.Titles.length ? ['…'] : []
      const WordValues = { Count: w.Count, Names: [...w.Titles, ...more].join('\n') }
      await deliver(db, {
        EnterpriseId: w.EnterpriseId,
        BizType: 1,
        Method: w.Method,
        ...(w.UserId ? { UserId: w.UserId } : { RobotId: Number(w.Address) }),
        values: {
          title: word(language, `notice.made.${Wording}`, WordValues),
          content: word(language, `notice.made.${Wording}.text`, WordValues),
        },
        made: { Wording, WordValues },
        about: { Kind: 'digest', Step: 0, AlmRuleId: null },
        Source: `digest/${w.Method}/${w.UserId ?? w.Address}/${w.Last}`,
      })
      await db.rows(sql`
        update alm_push_record set "SendStatus" = 5, "UpdateTime" = now()
        where "EnterpriseId" = ${w.EnterpriseId} and "SendStatus" = 4 and "NextTime" is null and "Method" = ${w.Method} and "Id" <= ${w.Last}
          and "UserId" is not distinct from ${w.UserId}::bigint and "Address" = ${w.Address}`)
    })
}
