import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Body, Query } from '../../../../contract/call.ts'
import { type Mapping, mappingFaults, openMapping, type Parsed, parseText } from '../../../../contract/parsing/mapping.ts'
import type { Input } from '../../../../contract/parsing/script.ts'
import { hashOfScript, openSandbox, type Sandbox, type Script } from '../../../../sandbox/sandbox.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Work } from '../../../../server/resource/crud.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import {
  type DataParse,
  dataParse,
  type dataParseCalls,
  listedNames,
  listedReadings,
  type NamedPoint,
  type ParseVersion,
  pointFinder,
  type Tested,
} from '../contract.ts'

/** A sandbox that ends with the application. */
export const ownSandbox = (app: FastifyInstance) => {
  const sandbox = openSandbox()
  app.addHook('onClose', () => sandbox.close())
  return sandbox
}

/** Maximum versions per parser. */
const mostVersions = 50

/** Canonical form: independent of the order of fields. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, of]) => [name, canonical(of)]),
  )
}
const hashOf = (mapping: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(mapping)))
    .digest('hex')

const fieldFaults = (mapping: Mapping) =>
  mappingFaults(mapping).map(({ rule, field, reason, at }) => ({
    field: `Mapping.${rule}.${field}`,
    rule: { path: 'parsePath', wildcard: 'parseWildcard', empty: 'required' }[reason],
    values: { at: at + 1 },
  }))

const inputNames = { 1: 'json', 2: 'text', 3: 'bytes' } as const satisfies Record<number, Input>
/** Identity of a script for sandbox and counters. */
export const scriptOf = ({ EnterpriseId, Script }: Pick<DataParse, 'EnterpriseId' | 'Script'>): Script => ({
  ...{ tenant: EnterpriseId, code: Script ?? '', hash: hashOfScript(Script ?? '') },
})
export const inputOf = (input: DataParse['Input']): Input => inputNames[input]

/** Errors of a script source. */
const scriptFaultsOf = async (sandbox: Sandbox, tenant: number, code: string) => {
  const fault = await sandbox.compile(scriptOf({ EnterpriseId: tenant, Script: code }))
  if (!fault) return []
  const { reason, text, line, column } = fault
  if (reason === 'busy' || reason === 'crashed' || reason === 'off') throw new Fault('busy')
  const place = { line: line ?? 1, column: column ?? 1 }
  return [{ field: 'Script', rule: reason === 'noFunction' ? 'scriptFunction' : 'scriptError', values: { text, ...place } }]
}

type Parts = Pick<DataParse, 'Kind' | 'Input' | 'Mapping' | 'Script'>
const checkWith =
  (sandbox: Sandbox): Check<typeof dataParse> =>
  async (_db, actor, given, held) => {
    const before: Parts = { Kind: held?.Kind ?? 1, Input: held?.Input ?? 1, Mapping: held?.Mapping ?? null, Script: held?.Script ?? null }
    if (held && !Object.keys(before).some((name) => name in given)) return given
    const { Kind, Input, Mapping, Script } = { ...before, ...given } as Parts
    const isScript = Kind === 2
    const missing = (field: string) => [{ field, rule: 'required', values: {} }]
    const tenant = (held as DataParse | undefined)?.EnterpriseId ?? actor.EnterpriseId
    const faults = isScript
      ? Script?.trim()
        ? await scriptFaultsOf(sandbox, tenant, Script)
        : missing('Script')
      : Mapping
        ? fieldFaults(Mapping as Mapping)
        : missing('Mapping')
    if (faults.length) throw new FieldFaults(faults)
    const Hash = hashOf(isScript ? { Input, Script } : Mapping)
    const own = isScript ? { Kind, Input, Script, Mapping: null } : { Kind, Input: 1 as const, Mapping, Script: null }
    return { ...given, ...own, Hash, Version: (held?.Version ?? 0) + (held?.Hash === Hash ? 0 : 1) }
  }

const keepVersion = async (db: Db, actor: Actor, { Id, EnterpriseId, Version, Hash, Kind, Input, Mapping, Script }: DataParse) => {
  await db.rows(sql`
    insert into data_parse_version ("EnterpriseId", "DataParseId", "Version", "Hash", "Kind", "Input", "Mapping", "Script", "UserId")
    values (${EnterpriseId}, ${Id}, ${Version}, ${Hash}, ${Kind}, ${Input}, ${Mapping && JSON.stringify(Mapping)}::jsonb, ${Script ?? null},
      ${actor.UserId || null}) on conflict do nothing`)
  await db.rows(sql`delete from data_parse_version where "DataParseId" = ${Id} and "Version" <= ${Version - mostVersions}`)
}

const written = (work: (db: Db) => Promise<DataParse>, db: Db, actor: Actor) =>
  db.tx(async (db) => {
    const row = await work(db)
    await keepVersion(db, actor, row)
    return row
  })
/** Reads and writes parsers. Rejects invalid mappings and scripts that do not compile. */
export const parseWorkWith = (sandbox: Sandbox) => {
  const parses = store(dataParse, checkWith(sandbox))
  return {
    find: parses.find,
    list: parses.list,
    create: (db, actor, draft) => written((db) => parses.create(db, actor, draft), db, actor),
    update: (db, actor, id, change) => written((db) => parses.update(db, actor, id, change), db, actor),
    remove: parses.remove,
  } satisfies Work
}
export type ParseWork = ReturnType<typeof parseWorkWith>

export const versionsOf = async (db: Db, actor: Actor, id: number): Promise<ParseVersion[]> => {
  await store(dataParse).find(db, actor, id)
  const zone = actor.zone ?? actor.tenantZone
  return db.rows<ParseVersion>(sql`
    select v."Version", v."Hash", v."Kind", u."UserName", to_char(v."CreateTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "CreateTime"
    from data_parse_version v left join "user" u on u."Id" = v."UserId" where v."DataParseId" = ${id} order by v."Version" desc`)
}

export const rollback = (work: ParseWork, db: Db, actor: Actor, { Id, Version }: Body<typeof dataParseCalls.rollback>) =>
  db.tx(async (db) => {
    await work.find(db, actor, Id)
    const [found] = await db.rows<Parts>(
      sql`select "Kind", "Input", "Mapping", "Script" from data_parse_version where "DataParseId" = ${Id} and "Version" = ${Version}`,
    )
    if (!found) throw notFound()
    return work.update(db, actor, Id, found)
  })

/** The points of a gateway by name. Values without a device name belong to the gateway's only device. */
const namedPoints = async (db: Db, id: number): Promise<NamedPoint[]> =>
  db.rows<NamedPoint>(sql`
    select p."Id", p."ParaName", p."Address", d."DeviceName", count(*) over () = count(*) over (partition by d."Id") as "IsOwn"
    from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${id}`)

const answered = (
  readings: readonly Pick<Parsed, 'device' | 'key' | 'value' | 'time'>[],
  find: ReturnType<typeof pointFinder> | undefined,
) => {
  const missing = new Map<string, Tested['Missing'][number]>()
  if (find)
    for (const { device, key } of readings)
      if (missing.size < listedNames && find({ device, key }) === undefined) missing.set(`${device}\n${key}`, { Device: device, Key: key })
  return {
    Readings: readings.slice(0, listedReadings).map(({ device, key, value, time }) => ({
      ...{ Device: device, Key: key, Value: value, Time: time },
      ParaId: find?.({ device, key }) ?? null,
    })),
    Count: readings.length,
    Found: find ? readings.reduce((n, reading) => n + Number(find(reading) !== undefined), 0) : null,
    Missing: [...missing.values()],
  }
}
const nothing = { Faults: [], Fault: null, Lines: [], Events: [], Encoded: null }

const testedMapping = (mapping: Mapping, { Payload, Topic = '' }: Tried, find: ReturnType<typeof pointFinder> | undefined): Tested => {
  const faults = fieldFaults(mapping)
  if (faults.length) throw new FieldFaults(faults)
  const began = performance.now()
  const { readings, faults: found } = parseText(openMapping(mapping), Payload, Topic)
  const Milliseconds = Math.round((performance.now() - began) * 1000) / 1000
  const Faults = found.map(({ reason, rule, text }) => ({ Reason: reason, Rule: rule === null ? null : rule + 1, Text: text }))
  return { ...nothing, ...answered(readings, find), Faults, Milliseconds }
}

const payloadOf = (input: Input, text: string): Buffer => {
  if (input !== 'bytes') return Buffer.from(text)
  const hex = text.replace(/\s+/g, '')
  if (hex.length % 2 || /[^0-9a-f]/i.test(hex)) throw new FieldFaults([{ field: 'Payload', rule: 'notHex' }])
  return Buffer.from(hex, 'hex')
}
const testedScript = async (
  sandbox: Sandbox,
  script: Script,
  { Payload, Topic = '', Write, Input = 1 }: Tried,
  find: ReturnType<typeof pointFinder> | undefined,
): Promise<Tested> => {
  const input = inputOf(Input)
  const meta = { time: Date.now(), gateway: '', device: '' }
  const outcome = await sandbox.test(script, Write ?? { input, topic: Topic, payload: payloadOf(input, Payload), meta })
  const { readings, wrong, fault, encoded, events, lines, ms } = outcome
  if (fault?.reason === 'busy') throw new Fault('busy')
  const isHex = typeof encoded?.payload === 'object'
  return {
    ...answered(readings, find),
    Faults: wrong.map(({ reason, text }) => ({ Reason: reason, Rule: null, Text: text })),
    Fault: fault ? { Reason: fault.reason, Text: fault.text, Line: fault.line, Column: fault.column } : null,
    Lines: lines,
    Events: events,
    Encoded: encoded
      ? { Topic: encoded.topic, Payload: typeof encoded.payload === 'string' ? encoded.payload : encoded.payload.hex, IsHex: Number(isHex) }
      : null,
    Milliseconds: ms,
  }
}

type Tried = Body<typeof dataParseCalls.tryOut>
/** Parses a message and matches it to points of a gateway. Nothing is stored. */
export const tested = async (sandbox: Sandbox, db: Db, actor: Actor, of: Tried): Promise<Tested> => {
  const { GatewayId, Mapping, Script } = of
  if (GatewayId) await store(gateway).find(db, actor, GatewayId)
  const find = GatewayId ? pointFinder(await namedPoints(db, GatewayId)) : undefined
  if (Script !== undefined) return testedScript(sandbox, scriptOf({ EnterpriseId: actor.EnterpriseId, Script }), of, find)
  if (!Mapping) throw new FieldFaults([{ field: 'Mapping', rule: 'required' }])
  return testedMapping(Mapping, of, find)
}

type Of = { GatewayId: number; ProjectId: number; DeviceId: number | null }
type Nearest = Parts &
  Pick<DataParse, 'EnterpriseId' | 'Hash'> & { DataParseId: number; ParseName: string; AssignedTo: NonNullable<Effective['AssignedTo']> }
/** The parser of a device, else of its gateway, else of its project. */
export const nearestParse = async (db: Db, { GatewayId, ProjectId, DeviceId }: Of): Promise<Nearest | undefined> => {
  const [found] = await db.rows<Nearest>(sql`
    select p."Id" as "DataParseId", p."ParseName", a."AssignedTo", p."EnterpriseId", p."Hash", p."Kind", p."Input", p."Mapping", p."Script" from (
      select "DataParseId", 'device' as "AssignedTo", 1 as "Rank" from data_parse_device where "DeviceId" = ${DeviceId}
      union all select "DataParseId", 'gateway', 2 from data_parse_gateway where "GatewayId" = ${GatewayId}
      union all select "DataParseId", 'project', 3 from data_parse_project where "ProjectId" = ${ProjectId}
    ) a join data_parse p on p."Id" = a."DataParseId" order by a."Rank" limit 1`)
  return found
}

type Effective = { DataParseId: number | null; ParseName: string | null; AssignedTo: 'device' | 'gateway' | 'project' | null }
/** The nearest parser of a gateway or one of its devices. */
export const effectiveParse = async (
  db: Db,
  actor: Actor,
  { GatewayId, DeviceId }: Query<typeof dataParseCalls.effective>,
): Promise<Effective> => {
  const { ProjectId } = await store(gateway).find(db, actor, GatewayId)
  if (DeviceId && (await store(device).find(db, actor, DeviceId)).GatewayId !== GatewayId) throw notFound()
  const found = await nearestParse(db, { GatewayId, ProjectId, DeviceId: DeviceId ?? null })
  if (!found) return { DataParseId: null, ParseName: null, AssignedTo: null }
  const { DataParseId, ParseName, AssignedTo } = found
  return { DataParseId, ParseName, AssignedTo }
}
