// Drafts an article from a completed order.
import { sql } from 'kysely'
import type { Attachment } from '../../../../contract/field.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { hiddenFields, table, visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import { type Item, isNumeric, lineOf, type Result } from '../../job-sheets/contract.ts'
import { type CopyFile, copies, itemsOf, photosOf, resultsOf } from '../../job-sheets/server/service.ts'
import { mtnMaintenanceOrder } from '../../orders/contract.ts'
import { mtnComponentRecord } from '../../spare-parts/contract.ts'
import { mtnKnowledgeBase } from '../contract.ts'
import { articles } from './service.ts'

type Order = {
  EnterpriseId: number
  OrderNo: string
  Title: string
  Status: number
  FaultCodeId: number | null
  DeviceId: number | null
  EquipmentId: number | null
  ModelId: number | null
  FaultDesc: string | null
  CauseType: number | null
  CheckDesc: string | null
  HandleDesc: string | null
  Solution: string | null
  Alarms: string[]
  Parts: { Name: string; Qty: number; Unit: string | null }[]
  Items: Item[] | null
  Results: Result[] | null
  Files: Attachment[] | null
  HandleAttach: Attachment[] | null
}
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)
const lines = (...texts: (string | null | undefined)[]) => [...new Set(texts.filter(Boolean) as string[])]

/** Fields that identify an order even when others are hidden. */
const keysOf = ({ EnterpriseId, OrderNo, Title, Status, Alarms, Parts }: Order) => ({ EnterpriseId, OrderNo, Title, Status, Alarms, Parts })

/** The order with its alarms and parts, as far as the actor sees them. */
const orderOf = async (db: Db, actor: Actor, id: number): Promise<Order | undefined> => {
  const mayAlarms = actor.may.has(alarmInfo.permission) && !hiddenFields(alarmInfo, actor)?.has('RuleName')
  const [order] = await db.rows<Order>(sql`
    select t."EnterpriseId", t."OrderNo", t."Title", t."Status", t."FaultCodeId", d."Id" as "DeviceId", d."ModelId", e."Id" as "EquipmentId", t."FaultDesc", t."CauseType", t."CheckDesc",
      t."HandleDesc", t."Solution", t."Items", t."Results", t."Files", t."HandleAttach",
      coalesce((select jsonb_agg(distinct a."RuleName") from (select t.* from ${table(alarmInfo)} t where t."OrderId" = ${id} and ${mayAlarms} and ${visible(alarmInfo, actor)} limit 20) a), '[]') as "Alarms",
      coalesce((select jsonb_agg(jsonb_build_object('Name', p.name, 'Qty', p.qty, 'Unit', p.unit) order by p.name) from (
        select c."ComponentName" as name, c."Unit" as unit, sum(r."BeforeQty" - r."AfterQty")::float8 as qty
        from (select t.* from ${table(mtnComponentRecord)} t where t."OrderId" = ${id} and ${actor.may.has(mtnComponentRecord.permission)} and ${visible(mtnComponentRecord, actor)}) r
          join mtn_component c on c."Id" = r."ComponentId" group by 1, 2 having sum(r."BeforeQty" - r."AfterQty") > 0) p), '[]') as "Parts"
    from mtn_maintenance_order t left join (select t.* from ${table(device)} t where ${visible(device, actor)}) d on d."Id" = t."DeviceId"
      left join (select t.* from ${table(mtnEquipment)} t where ${visible(mtnEquipment, actor)}) e on e."Id" = t."EquipmentId"
    where t."Id" = ${id} and ${visible(mtnMaintenanceOrder, actor)}`)
  const hidden = hiddenFields(mtnMaintenanceOrder, actor)
  if (!order || !hidden) return order
  const seen = Object.entries(order).map(([name, value]) => [name, hidden.has(name) ? null : value])
  return { ...(Object.fromEntries(seen) as Order), ...keysOf(order), ...(hidden.has('DeviceId') && { ModelId: null }) }
}

const madeFrom = async (db: Db, id: number) =>
  (await db.rows<{ Id: number }>(sql`select "Id" from mtn_knowledge_base where "OrderId" = ${id}`))[0]

/** Photos of the report, the work and the checklist. Signatures are personal and stay with the order. */
const filesOf = (order: Order): Attachment[] => {
  const items = itemsOf(order)
  const photos = photosOf(resultsOf(order).filter(({ Item }) => items[Item]?.ValueType !== 7))
  return [...(order.Files ?? []), ...(order.HandleAttach ?? []), ...photos]
}

const list = (rows: readonly string[]) => (rows.length ? `<ul>${rows.map((row) => `<li>${escaped(row)}</li>`).join('')}</ul>` : '')
const solutionOf = (order: Order) => {
  const items = itemsOf(order)
  const done = lines(order.Solution, order.HandleDesc).map((text) => `<p>${escaped(text)}</p>`)
  const parts = order.Parts.map(({ Name, Qty, Unit }) => `${Name}: ${[Qty, Unit].filter(Boolean).join(' ')}`)
  const readings = resultsOf(order).flatMap((result) => {
    const item = items[result.Item]
    return item && isNumeric(item) ? [lineOf(item, result)] : []
  })
  // A list that exceeds the field's maximum length is left out.
  const { max } = mtnKnowledgeBase.fields.Solution
  return [done.join(''), list(parts), list(readings)].reduce((text, more) => (text.length + more.length > max ? text : text + more))
}

export const fromOrder = async (db: Db, actor: Actor, id: number, copy?: CopyFile) => {
  const order = await orderOf(db, actor, id)
  if (!order) throw notFound()
  if (order.Status !== 5) throw new Fault('wrongState', { title: order.OrderNo })
  const before = await madeFrom(db, id)
  if (before) return before
  const copied = await copies(copy, actor, filesOf(order))
  return db.tx(async (db) => {
    const say = (key: string) => word(actor.language, key)
    const phenomenon = lines(order.FaultDesc, ...order.Alarms)
    const reason = lines(order.CauseType ? say(`mtnMaintenanceOrder.CauseType.${order.CauseType}`) : null, order.CheckDesc)
    // A point belongs to one machine, so an article has none.
    const items = itemsOf(order).map(({ ParaId, ...item }) => (item.ValueType === 6 ? { ...item, ValueType: 2 } : item))
    const files = await namedFiles(db, actor, copied, { field: 'Files', enterprise: order.EnterpriseId })
    const [made] = await db.rows<{ Id: number }>(sql`
      insert into mtn_knowledge_base ("EnterpriseId", "Title", "FaultCodeId", "DeviceModelId", "DeviceId", "EquipmentId", "Phenomenon", "Reason", "Solution", "Items", "Files", "OrderId")
      values (${order.EnterpriseId}, ${order.Title}, ${order.FaultCodeId}, ${order.ModelId}, ${order.DeviceId}, ${order.EquipmentId}, ${phenomenon.join('\n').slice(0, 1000) || null},
        ${reason.join('\n').slice(0, 1000) || null}, ${solutionOf(order) || null}, ${items.length ? JSON.stringify(items) : null}::jsonb,
        ${files.length ? JSON.stringify(files) : null}::jsonb, ${id}) on conflict ("OrderId") do nothing returning "Id"`)
    if (!made) return (await madeFrom(db, id))!
    await giveFiles(db, { resource: mtnKnowledgeBase.name, id: made.Id, permission: mtnKnowledgeBase.permission }, files)
    const article = await articles.find(db, actor, made.Id)
    await record(db, actor, mtnKnowledgeBase, 'create', article.Id, article.EnterpriseId, null, article)
    return made
  }, `article of ${id}`)
}
