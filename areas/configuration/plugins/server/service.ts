import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, inUse, type User } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import { type Check, record, store, tenantOf } from '../../../../server/resource/store.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { dataParse } from '../../data-parse/contract.ts'
import type { ParseWork } from '../../data-parse/server/service.ts'
import { networkComponent } from '../../network-components/contract.ts'
import { selfParse } from '../../self-parse/contract.ts'
import { descriptionCheck } from '../../self-parse/server/service.ts'
import { builtIn, namedUses, type ProtocolPlugin, type pluginCalls, protocolPlugin, type Uses } from '../contract.ts'

export const plugins = store(protocolPlugin, async (_db, _actor, given, held) => {
  const isBuiltIn = held && (builtIn as readonly number[]).includes(held.Kind)
  if (isBuiltIn && (given.PluginName ?? held.PluginName) !== held.PluginName)
    throw new FieldFaults([{ field: 'PluginName', rule: 'builtIn' }])
  return given
})

/** The users of a driver or a language, by the field with its number. */
const usersOf: Record<(typeof builtIn)[number], readonly [r: Resource, field: string][]> = {
  1: [
    [netProtocol, 'ProtocolType'],
    [serialProtocol, 'ProtocolType'],
  ],
  2: [[networkComponent, 'Language']],
}
type Built = { Kind: number; Number: number | null; EnterpriseId: number }
const usersOfBuiltIn = ({ Kind }: Built) => usersOf[Kind as 1 | 2] ?? []

const users = async (db: Db, actor: Actor, plugin: Built): Promise<User[]> => {
  const found = await Promise.all(
    usersOfBuiltIn(plugin).map(([r, field]) =>
      db.rows<User>(sql`
        select ${r.name}::text as "Resource", t."Id", ${column(r.title, 't')}::text as "Title", (${visible(r, actor)}) as "Seen" from ${table(r)} t
        where t."EnterpriseId" = ${plugin.EnterpriseId} and ${column(field, 't')} = ${plugin.Number} order by "Seen" desc, t."Id" limit ${namedUses}`),
    ),
  )
  return found.flat()
}

/** Refuses to disable a driver or language in use. */
export const switchCheck: Check = async (db, actor, given, held) => {
  if (!held || given.Status !== 0) return given
  const using = await users(db, actor, held as unknown as Built)
  if (using.length) throw inUse(using)
  return given
}

/** For each plugin in use: the channels and senders that use it, limited to those the caller may see. */
export const usesOf = async (db: Db, actor: Actor): Promise<Uses[]> => {
  const own = actor.platform ? sql`true` : sql`p."EnterpriseId" = ${actor.EnterpriseId}`
  const rows = await db.rows<Uses>(
    sql`${sql.join(
      Object.entries(usersOf).flatMap(([kind, all]) =>
        all.map(
          ([r, field]) => sql`
            select p."Id", count(*)::int as "Count",
              (array_agg(json_build_object('Resource', ${r.name}::text, 'Id', t."Id", 'Title', ${column(r.title, 't')}) order by t."Id"))[1:${sql.lit(namedUses)}] as "UsedBy"
            from protocol_plugin p join ${table(r)} t on t."EnterpriseId" = p."EnterpriseId" and ${column(field, 't')} = p."Number"
            where p."Kind" = ${Number(kind)} and ${own} and ${visible(r, actor)} group by p."Id"`,
        ),
      ),
      sql` union all `,
    )} limit 2000`,
  )
  return [...Map.groupBy(rows, ({ Id }) => Id)].map(([Id, parts]) => ({
    Id,
    Count: parts.reduce((sum, { Count }) => sum + Count, 0),
    UsedBy: parts.flatMap(({ UsedBy }) => UsedBy).slice(0, namedUses),
  }))
}

/** Maps errors of the result to the fields of the package. */
const inPackage = (error: unknown) => Promise.reject(error instanceof FieldFaults ? error.below('Package') : error)

type Given = Body<typeof pluginCalls.create>
const unpack = async (db: Db, actor: Actor, parse: ParseWork, { PluginName, Package, EnterpriseId }: Given) => {
  const of = EnterpriseId === undefined ? {} : { EnterpriseId }
  const { Kind, Frame, Requests, Sample = null, Topic = null, Mapping, Script, Input } = Package
  if (Kind === 'selfParse') {
    const missing = Object.entries({ Frame, Requests }).filter(([, value]) => value === undefined)
    if (missing.length) throw new FieldFaults(missing.map(([field]) => ({ field: `Package.${field}`, rule: 'required' })))
    const draft = { CustomName: PluginName, Frame, Requests, Sample, ...of }
    const made = await store(selfParse, descriptionCheck).create(db, actor, draft).catch(inPackage)
    return { SelfParseId: made.Id, DataParseId: null, EnterpriseId: made.EnterpriseId, Kind: 3 }
  }
  const reader = Script === undefined ? { Kind: 1, Mapping } : { Kind: 2, Script, ...(Input === undefined ? {} : { Input }) }
  const made = await parse.create(db, actor, { ParseName: PluginName, ...reader, Sample, Topic, ...of }).catch(inPackage)
  return { SelfParseId: null, DataParseId: made.Id, EnterpriseId: made.EnterpriseId, Kind: 4 }
}

const contentOf = { selfParse, dataParse } as const

/** Imports a package: stores it and the described protocol or parser that it becomes. */
export const importPlugin = (db: Db, actor: Actor, parse: ParseWork, given: Given): Promise<ProtocolPlugin> => {
  assertHolds(actor, [`${contentOf[given.Package.Kind].permission}.add`])
  return db.tx(async (db) => {
    const enterprise = await tenantOf(db, actor, protocolPlugin, given)
    const content = contentOf[given.Package.Kind]
    const taken = await db.rows(sql`
      select 1 from protocol_plugin where "EnterpriseId" = ${enterprise} and "PluginName" = ${given.PluginName}
      union all select 1 from ${table(content)} t where t."EnterpriseId" = ${enterprise} and ${column(content.title)} = ${given.PluginName}`)
    if (taken.length) throw new FieldFaults([{ field: 'PluginName', rule: 'taken' }])
    const { SelfParseId, DataParseId, EnterpriseId, Kind } = await unpack(db, actor, parse, given)
    const [row] = await db.rows<{ Id: number }>(sql`
      insert into protocol_plugin ("EnterpriseId", "PluginName", "Kind", "SelfParseId", "DataParseId", "Remark")
      values (${EnterpriseId}, ${given.PluginName}, ${Kind}, ${SelfParseId}, ${DataParseId}, ${given.Remark ?? null}) returning "Id"`)
    const made = await plugins.find(db, actor, row!.Id)
    await record(db, actor, protocolPlugin, 'create', made.Id, EnterpriseId, null, made)
    return made
  })
}

/** Deletes imported plugins with what they became. Refuses if these are in use. */
export const removePlugins = (db: Db, actor: Actor, ids: readonly number[]): Promise<number> =>
  db.tx(async (db) => {
    const rows = []
    for (const id of new Set(ids)) rows.push(await plugins.find(db, actor, id))
    const fixed = rows.find(({ Kind }) => (builtIn as readonly number[]).includes(Kind))
    if (fixed) throw new Fault('wrongState', { title: fixed.PluginName })
    const removed = await plugins.remove(db, actor, ids)
    for (const [r, field] of [
      [selfParse, 'SelfParseId'],
      [dataParse, 'DataParseId'],
    ] as const) {
      const contents = rows.flatMap((row) => row[field] ?? [])
      if (!contents.length) continue
      assertHolds(actor, [`${r.permission}.remove`])
      await store<Resource>(r).remove(db, actor, contents)
    }
    return removed
  })
