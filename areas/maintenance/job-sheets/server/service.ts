// Validates job sheets: the points of a checklist, the results, and the readings behind them.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Query } from '../../../../contract/call.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { namedFiles } from '../../../../server/resource/attachments.ts'
import { holds } from '../../../../server/resource/list.ts'
import { hiddenFields, table, visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { faultOf, type Item, judged, type points, type Read, type Readings, type Result } from '../contract.ts'

/** Access to the readings of points. */
export type Live = { latest: Pick<Telemetry['latest'], 'get'> } & Pick<Telemetry, 'read'>

/** Validates a checklist: its points belong to the project, its author sees them, and each item has the fields of its kind. */
export const itemFaults = async (
  db: Db,
  actor: Actor,
  items: readonly Item[],
  ProjectId: number | null | undefined,
): Promise<FieldFault[]> => {
  const ids = items.flatMap(({ ParaId }) => ParaId ?? [])
  const rows = ids.length
    ? await db.rows<{ Id: number }>(sql`
        select t."Id" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
        where t."Id" = any(${ids}::bigint[]) and g."ProjectId" = ${ProjectId ?? null} and ${visible(point, actor)} for key share of t`)
    : []
  const known = new Set(rows.map(({ Id }) => Id))
  return items.flatMap((item, i): FieldFault[] => {
    if (item.ValueType === 6 && !item.ParaId) return [{ field: `Items.${i}.ParaId`, rule: 'required' }]
    if (item.ParaId && !known.has(item.ParaId)) return [{ field: `Items.${i}.ParaId`, rule: 'unknownReference' }]
    return item.ValueType === 4 && !item.Choices?.length ? [{ field: `Items.${i}.Choices`, rule: 'required' }] : []
  })
}
const mostPoints = 50
/** Visible points of a project, with machine and point name. */
export const pointsOf = async (db: Db, actor: Actor, { ProjectId, Search = '', ParaId = 0 }: Query<typeof points>) => {
  if (hiddenFields(point, actor)?.has('ParaName') || hiddenFields(device, actor)?.has('DeviceName')) return { Items: [] }
  const name = sql`(d."DeviceName" || ' · ' || t."ParaName")`
  const Items = await db.rows<{ ParaId: number; Name: string }>(sql`
    select t."Id" as "ParaId", ${name} as "Name" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where g."ProjectId" = ${ProjectId} and ${visible(point, actor)} and (t."Id" = ${ParaId} or ${holds(name, Search)})
    order by t."Id" = ${ParaId} desc, d."DeviceName", t."ParaName", t."Id" limit ${mostPoints}`)
  return { Items }
}
export const assertItems = async (db: Db, actor: Actor, items: readonly Item[], ProjectId: number | null | undefined) => {
  const faults = await itemFaults(db, actor, items, ProjectId)
  if (faults.length) throw new FieldFaults(faults)
}

type Sheet = { EnterpriseId: number; Items: unknown; Results: unknown; HandleAttach?: unknown }
type Found = { results: readonly Result[]; files?: readonly Attachment[] | undefined }
export const photosOf = (results: readonly Result[]) => results.flatMap(({ Photos = [] }) => Photos)
export const itemsOf = ({ Items }: Pick<Sheet, 'Items'>) => (Items ?? []) as Item[]
export const resultsOf = ({ Results }: Pick<Sheet, 'Results'>) => (Results ?? []) as Result[]

/** Validates and judges the results of each item. Faults name the field. `files`: attachments of the form first, then photos. */
export const takeResults = async (db: Db, actor: Actor, sheet: Sheet, { results, files = [] }: Found) => {
  const items = itemsOf(sheet)
  const byItem = new Map(results.map((result) => [result.Item, result]))
  const faults: FieldFault[] = items.flatMap((item, i) => {
    const rule = faultOf(item, byItem.get(i))
    return rule ? [{ field: `Results.${i}`, rule }] : []
  })
  if (results.some(({ Item }) => Item >= items.length) || byItem.size < results.length)
    faults.push({ field: 'Results', rule: 'unknownReference' })
  if (faults.length) throw new FieldFaults(faults)
  const held = [...((sheet.HandleAttach ?? []) as Attachment[]), ...photosOf(resultsOf(sheet))]
  const named = await namedFiles(db, actor, [...files, ...photosOf(results)], { field: 'Files', enterprise: sheet.EnterpriseId, held })
  const byPath = new Map(named.map((file) => [file.FilePath.split('/').at(-1), file]))
  const kept = judged(items, results).map((result) =>
    result.Photos ? { ...result, Photos: result.Photos.map((photo) => byPath.get(photo.FilePath.split('/').at(-1)) ?? photo) } : result,
  )
  return { results: kept, files: named, given: named.slice(0, files.length), abnormal: kept.filter(({ IsOk }) => !IsOk).length }
}

/** Carries results over to a changed checklist: those of items that stay at their index. */
export const keptResults = (before: Sheet, items: readonly Item[]) =>
  resultsOf(before).filter(({ Item }) => isDeepStrictEqual(itemsOf(before)[Item], items[Item]))

const isStored = async (live: Live, { ParaId, Time, Value, Quality }: Read) => {
  const is = (one: { time: number; value: number | null; quality: number }) =>
    one.time === Time && one.value === Value && one.quality === Quality
  const now = live.latest.get(ParaId)
  return (now !== undefined && is(now)) || (await live.read([ParaId], Time, Time + 1, 10)).some(is)
}
/**
 * Verifies the readings that a phone reports against the store. Asks only about points of the order's checklist: otherwise a caller
 * could probe any point.
 */
export const provenResults = async (db: Db, live: Live | undefined, order: Resource, id: number, results: readonly Result[]) => {
  if (!results.some(({ Read }) => Read)) return [...results]
  const [row] = await db.rows<Pick<Sheet, 'Items'>>(sql`select "Items" from ${table(order)} where "Id" = ${id}`)
  const items = row ? itemsOf(row) : []
  const proven: Result[] = []
  // Sequential, to leave capacity of the store to other callers.
  for (const { Read, ...result } of results) {
    const item = items[result.Item]
    const isOfItem = live !== undefined && Read !== undefined && item?.ValueType === 6 && item.ParaId === Read.ParaId
    proven.push(isOfItem && (await isStored(live, Read)) ? { ...result, Read } : result)
  }
  return proven
}
/** Content of a step for the hash of its key. Readings are left out, so a resent step has the same hash. */
export const withoutReads = <G extends { Results?: readonly Result[] | undefined }>({ Results, ...given }: G) => ({
  ...given,
  ...(Results && { Results: Results.map(({ Read: _, ...result }) => result) }),
})

/** Latest values of the points in an order's checklist, for points of the order's project. Open to everyone who works on the order. */
export const readingsOf = async (
  db: Db,
  live: Live | undefined,
  order: { ProjectId: number | null; Items: unknown },
): Promise<Readings> => {
  const items = itemsOf(order)
  const rows = await db.rows<{ Id: number }>(sql`
    select t."Id" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${items.flatMap(({ ParaId }) => ParaId ?? [])}::bigint[]) and g."ProjectId" = ${order.ProjectId}`)
  const known = new Set(rows.map(({ Id }) => Id))
  return {
    Items: items.flatMap(({ ParaId, ValueType }, Item) => {
      const reading = ValueType === 6 && ParaId && known.has(ParaId) ? live?.latest.get(ParaId) : undefined
      return reading && ParaId ? [{ Item, ParaId, Value: reading.value, Time: reading.time, Quality: reading.quality }] : []
    }),
  }
}

/** Copies files to another record as uploads of the actor. Skips missing files and files that exceed the quota. */
export type CopyFile = (actor: Actor, path: string) => Promise<Attachment>
export const copies = async (copy: CopyFile | undefined, actor: Actor, files: readonly Attachment[], most = 10): Promise<Attachment[]> => {
  const made: Attachment[] = []
  if (copy)
    for (const { FilePath } of files.slice(0, most)) {
      const file = await copy(actor, FilePath).catch(() => undefined)
      if (file) made.push({ FilePath: file.FilePath, FileName: file.FileName })
    }
  return made
}
