import { sql } from 'kysely'
import type { Answer, Query } from '../../../../contract/call.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { type Sql, table, titleOf, visible } from '../../../../server/resource/sql.ts'
import { type Check, recordAll, store } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { cleanRichText } from '../../../system/notices/server/service.ts'
import { namedEquipment, withEquipment } from '../../equipment/server/service.ts'
import type { Item } from '../../job-sheets/contract.ts'
import { assertItems } from '../../job-sheets/server/service.ts'
import { type knowledgeCalls, mostOffered, mtnKnowledgeBase } from '../contract.ts'

type Article = Row<typeof mtnKnowledgeBase>
const r = mtnKnowledgeBase
const mayPublish = (actor: Actor) => actor.may.has(`${r.permission}.publish`)

/** Sanitizes rich text. Only publishers change a published article; each change makes a version. */
export const check: Check<typeof r> = async (db, actor, given, held) => {
  if (held?.Status === 1 && !mayPublish(actor)) throw new Fault('wrongState', { title: held.Title })
  const items = (given.Items ?? []) as Item[]
  const ofPoints = items.findIndex(({ ValueType, ParaId }) => ValueType === 6 || ParaId)
  if (ofPoints >= 0) throw new FieldFaults([{ field: `Items.${ofPoints}.ValueType`, rule: 'fault.field.itemOfPoint' }])
  await assertItems(db, actor, items, null)
  const named = await withEquipment(db, actor, given, held)
  const cleaned = typeof named.Solution === 'string' ? { ...named, Solution: cleanRichText(named.Solution) } : named
  if (typeof cleaned.Solution === 'string' && cleaned.Solution.length > 2 * r.fields.Solution.max)
    throw new FieldFaults([{ field: 'Solution', rule: 'maxLength', values: { max: r.fields.Solution.max } }])
  return cleaned
}
export const articles = store(r, check)

/** Saves the current state as the next version; keeps the last 50. */
const keepVersion = async (db: Db, actor: Actor, id: number) => {
  await db.rows(sql`
    with made as (update mtn_knowledge_base set "Status" = 1, "Version" = "Version" + 1, "PublishTime" = now(), "UpdateTime" = clock_timestamp() where "Id" = ${id} returning *)
    insert into mtn_knowledge_version ("EnterpriseId", "ArticleId", "Version", "Title", "Phenomenon", "Reason", "Solution", "UserId")
    select "EnterpriseId", "Id", "Version", "Title", "Phenomenon", "Reason", "Solution", ${actor.UserId || null} from made`)
  await db.rows(
    sql`delete from mtn_knowledge_version where "ArticleId" = ${id} and "Version" <= (select "Version" - 50 from mtn_knowledge_base where "Id" = ${id})`,
  )
}
const recorded = async (db: Db, actor: Actor, before: Article, work: (db: Db) => Promise<unknown>) => {
  await work(db)
  const after = await articles.find(db, actor, before.Id)
  await recordAll(db, actor, r, 'update', [{ Id: before.Id, EnterpriseId: before.EnterpriseId, Before: before, After: after }])
  return after
}
export const publish: ActHandler = ({ db, actor, row }) =>
  db.tx((db) => recorded(db, actor, row as unknown as Article, (db) => keepVersion(db, actor, row.Id)), `article ${row.Id}`)
export const withdraw: ActHandler = ({ db, actor, row }) =>
  db.tx((db) =>
    recorded(db, actor, row as unknown as Article, (db) =>
      db.rows(sql`update mtn_knowledge_base set "Status" = 0, "UpdateTime" = clock_timestamp() where "Id" = ${row.Id}`),
    ),
  )

export const update = (db: Db, actor: Actor, id: number, change: Record<string, unknown>) =>
  db.tx(async (db) => {
    const before = await articles.find(db, actor, id)
    const after = await articles.update(db, actor, id, change)
    if (after.Status !== 1 || after.UpdateStamp === before.UpdateStamp) return after
    await keepVersion(db, actor, id)
    return articles.find(db, actor, id)
  }, `article ${id}`)

const searches = boundedQueue({ concurrency: 4, perKey: 2, backlog: 100, maxWaitMs: 5000 })
/** Number of the newest articles sampled to estimate how frequent a text is; frequent means at least one in five. */
const sample = 500
const isFrequent = async (system: Db, { EnterpriseId }: Actor, holds: Sql) => {
  const [row] = await system.rows<{ some: number }>(sql`
    select count(*)::int as some from (select "Words" from mtn_knowledge_base where "EnterpriseId" = ${EnterpriseId} order by "UpdateTime" desc limit ${sample}) t where ${holds}`)
  return row!.some * 5 >= sample
}

/**
 * Searches parts of words by pairs of characters, in any language; a query without a pair is compared as it is. A frequent text is found
 * faster by a scan in list order. `system`: under row-level security, PostgreSQL cannot use an index for operators that are not leakproof
 * and would read every article. The kernel's statement filters by the actor's scope in either case. The server's connection has no tenant,
 * so its tenants take turns here.
 */
export const list = (db: Db, actor: Actor, q: Listing, system: Db) => {
  const { search } = q
  if (typeof search !== 'string' || !search.trim()) return articles.list(db, actor, q)
  const holds = sql`t."Words" like '%' || lower(${search.replace(/[\\%_]/g, '\\$&')}) || '%'`
  const find = async () => {
    const found = (await isFrequent(system, actor, holds)) ? holds : sql`(t."Grams" @> penstock_grams(${search}) and ${holds})`
    return articles.list(system, actor, { ...q, search: found })
  }
  return searches(find, { key: actor.EnterpriseId })
}

/** Maximum articles compared with a query, newest first. */
const mostWeighed = 500
type Offer = Answer<typeof knowledgeCalls.offer>['Items'][number]
type Facts = {
  FaultCodeId: number | null
  DeviceId: number | null
  EquipmentId: number | null
  ModelId: number | null
  Text: string | null
}
const factsOfAlarm = async (db: Db, actor: Actor, id: number) => {
  const [facts] = await db.rows<Facts>(sql`
    select t."FaultCodeId", t."DeviceId", d."ModelId", concat_ws(' ', t."RuleName", c."Code", c."Name") as "Text" from ${table(alarmInfo)} t
    left join device d on d."Id" = t."DeviceId" left join alarm_code c on c."Id" = t."FaultCodeId" where t."Id" = ${id} and ${visible(alarmInfo, actor)}`)
  if (!facts) throw notFound()
  return facts
}
const factsOfDevice = async (db: Db, actor: Actor, id: number) => {
  const [facts] = await db.rows<Pick<Facts, 'ModelId'>>(
    sql`select t."ModelId" from ${table(device)} t where t."Id" = ${id} and ${visible(device, actor)}`,
  )
  if (!facts) throw notFound()
  return { DeviceId: id, ModelId: facts.ModelId }
}

/** Includes the articles of the device if the equipment is one. */
const factsOfEquipment = async (db: Db, actor: Actor, EquipmentId: number) => {
  const { DeviceId } = (await namedEquipment(db, actor, { EquipmentId }))!
  return { EquipmentId, ...(DeviceId && (await factsOfDevice(db, actor, DeviceId))) }
}

type Asked = Query<typeof knowledgeCalls.offer>
export const offer = async (db: Db, actor: Actor, { AlmInfoId, DeviceId, EquipmentId, FaultCodeId, Words }: Asked) => {
  const facts: Facts = {
    ...{ FaultCodeId: null, DeviceId: null, EquipmentId: null, ModelId: null, Text: null },
    ...(AlmInfoId ? await factsOfAlarm(db, actor, AlmInfoId) : {}),
    ...(DeviceId ? await factsOfDevice(db, actor, DeviceId) : {}),
    ...(EquipmentId ? await factsOfEquipment(db, actor, EquipmentId) : {}),
    ...(FaultCodeId ? { FaultCodeId } : {}),
    ...(Words ? { Text: Words } : {}),
  }
  const { FaultCodeId: code, DeviceId: machine, EquipmentId: thing, ModelId: model, Text } = facts
  const ofMachine = sql`(t."DeviceId" = ${machine}::bigint or t."EquipmentId" = ${thing}::bigint)`
  // At least a third of the query's pairs must match; fewer are chance.
  const Items = await db.rows<Offer>(sql`
    with asked as (select penstock_grams(${Text ?? ''}) as grams),
    candidate as (
      select t.*, t."FaultCodeId" = ${code}::bigint as by_code, t."DeviceModelId" = ${model}::bigint as by_model, ${ofMachine} as by_device,
        case when cardinality(asked.grams) = 0 then 0 else
          (select count(*) from unnest(asked.grams) g where g = any(t."Grams"))::float8 / cardinality(asked.grams) end as share
      from mtn_knowledge_base t, asked
      where t."Status" = 1 and ${visible(r, actor)}
        and (t."FaultCodeId" = ${code}::bigint or t."DeviceModelId" = ${model}::bigint or ${ofMachine} or t."Grams" && asked.grams)
      order by by_code desc nulls last, by_model desc nulls last, by_device desc nulls last, t."Id" desc limit ${mostWeighed})
    select c."Id", c."Title", c."Phenomenon", c."Reason", c."Solution", c."Files", c."Helped", c."NotHelped",
      case when by_code then 1 when by_model then 2 when by_device then 3 else 4 end as "Because",
      (select v."Helped" from mtn_knowledge_vote v where v."ArticleId" = c."Id" and v."UserId" = ${actor.UserId}) as "Voted"
    from candidate c where by_code or by_model or by_device or share >= 0.34
    order by by_code desc nulls last, by_model desc nulls last, by_device desc nulls last, round(share::numeric, 1) desc,
      (c."Helped" + 1.0) / (c."Helped" + c."NotHelped" + 2) desc, c."Id" desc limit ${mostOffered}`)
  return { Items }
}

export const vote = (db: Db, actor: Actor, id: number, Helped: 0 | 1) =>
  db.tx(async (db) => {
    const { EnterpriseId } = await articles.find(db, actor, id)
    const [changed] = await db.rows<{ Id: number }>(sql`
      insert into mtn_knowledge_vote ("EnterpriseId", "ArticleId", "UserId", "Helped") values (${EnterpriseId}, ${id}, ${actor.UserId}, ${Helped})
      on conflict ("ArticleId", "UserId") do update set "Helped" = excluded."Helped" where mtn_knowledge_vote."Helped" <> excluded."Helped" returning "Id"`)
    if (!changed) return { Changed: 0 }
    const of = (value: number) => sql`(select count(*) from mtn_knowledge_vote v where v."ArticleId" = ${id} and v."Helped" = ${value})`
    await db.rows(sql`update mtn_knowledge_base set "Helped" = ${of(1)}, "NotHelped" = ${of(0)} where "Id" = ${id}`)
    db.emit({ resource: r.name, id, verb: 'update', EnterpriseId })
    return { Changed: 1 }
  }, `article ${id}`)

export const versions = async (db: Db, actor: Actor, id: number) => {
  await articles.find(db, actor, id)
  const Items = await db.rows<Answer<typeof knowledgeCalls.versions>['Items'][number]>(sql`
    select v."Version", v."Title", v."Phenomenon", v."Reason", v."Solution", ${titleOf(['UserName', 'UserId', 'user'], actor, { alias: 'v' })} as "UserName",
      to_char(v."CreateTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "PublishTime"
    from mtn_knowledge_version v where v."ArticleId" = ${id} order by v."Version" desc`)
  return { Items }
}
