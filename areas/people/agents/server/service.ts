import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { countsBy } from '../../../../server/resource/figures.ts'
import { columns, visible } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { user } from '../../users/contract.ts'
import { agent, gatewayPosition, snAgent } from '../contract.ts'
import { areaName, isArea, liesIn } from './areas.ts'
import type { Geocoder } from './geocoder.ts'

type Values = Record<string, unknown>
type Shipped = Row<typeof snAgent> & { AreaCodes: string[] }
const agents = store(agent)
const positions = store(gatewayPosition)
const described = snAgent
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
const op = { outbound: 1, takenBack: 2, transfer: 3, regions: 4, activate: 5, diversion: 6, release: 7 } as const

const checkAreas = (codes: readonly string[], field = 'AreaCodes') => {
  const at = codes.findIndex((code) => !isArea(code))
  if (at >= 0) throw new FieldFaults([{ field: field === 'AreaCodes' ? `${field}.${at}` : field, rule: 'unknownReference' }])
}
const spoken = (codes: readonly string[]) => codes.map(areaName).join(', ').slice(0, 200)

const note = (db: Db, actor: Actor, enterprise: number, of: { SN: string; OpType: number; AgentId?: number; from?: string; to?: string }) =>
  db.rows(sql`
    insert into sn_agent_log ("EnterpriseId", "SN", "OpType", "AgentId", "FromText", "ToText", "UserId")
    values (${enterprise}, ${of.SN}, ${of.OpType}, ${of.AgentId ?? null}::bigint, ${of.from || null}, ${of.to || null}, ${actor.UserId || null}::bigint)`)

const bySN = async (db: Db, actor: Actor, SN: string, lock = sql``): Promise<Shipped> => {
  const [row] = await db.rows(sql<Shipped>`
    select ${columns(snAgent, actor)} from sn_agent t where "SN" = ${SN} and ${visible(snAgent, actor)} order by "Id" limit 1 ${lock}`)
  if (!row) throw notFound()
  return row
}

const agentOf = async (db: Db, actor: Actor, id: number, enterprise?: number) => {
  const row = await agents.find(db, actor, id).catch(() => undefined)
  if (!row || (enterprise !== undefined && row.EnterpriseId !== enterprise))
    throw new FieldFaults([{ field: 'AgentId', rule: 'unknownReference' }])
  return row
}

/** Ships serial numbers, all or none. Errors are reported by line. */
export const outbound = (
  db: Db,
  actor: Actor,
  { SNs, AgentId, AreaCodes = [], OutNo }: { SNs: string[]; AgentId: number; AreaCodes?: string[]; OutNo?: string },
) =>
  db.tx(async (db) => {
    checkAreas(AreaCodes)
    const to = await agentOf(db, actor, AgentId)
    const given = SNs.map((sn) => sn.trim().toUpperCase())
    const taken = new Set(
      (
        await db.rows<{ SN: string }>(
          sql`select "SN" from sn_agent where "EnterpriseId" = ${to.EnterpriseId} and "SN" = any(${given}::text[])`,
        )
      ).map((r) => r.SN),
    )
    const wrong = given.flatMap((sn, i) =>
      !/^[0-9A-Z]{8,32}$/.test(sn)
        ? [{ field: `SNs.${i}`, rule: 'pattern' }]
        : given.indexOf(sn) !== i || taken.has(sn)
          ? [{ field: `SNs.${i}`, rule: 'taken' }]
          : [],
    )
    if (wrong.length) throw new FieldFaults(wrong)
    for (const sn of given) {
      const [row] = await db.rows<{ Id: number }>(sql`
        insert into sn_agent ("EnterpriseId", "SN", "AgentId", "AreaCodes", "OutNo") values (${to.EnterpriseId}, ${sn}, ${AgentId}, ${JSON.stringify(AreaCodes)}::jsonb, ${OutNo ?? null}) returning "Id"`)
      await note(db, actor, to.EnterpriseId, { SN: sn, OpType: op.outbound, AgentId, to: to.AgentName })
      await record(db, actor, described, 'create', row!.Id, to.EnterpriseId, null, { SN: sn, AgentId, AreaCodes, OutNo })
    }
    return { Added: given.length }
  })

export const change = (db: Db, actor: Actor, given: { SN: string; AgentId?: number; AreaCodes?: string[]; Release?: 1 }) =>
  db.tx(async (db) => {
    const before = await bySN(db, actor, given.SN, sql`for update of t`)
    const enterprise = before.EnterpriseId
    if (given.AgentId && given.AgentId !== before.AgentId) {
      const [from, to] = [await agents.find(db, actor, before.AgentId!), await agentOf(db, actor, given.AgentId, enterprise)]
      await db.rows(sql`update sn_agent set "AgentId" = ${to.Id}, "UpdateTime" = now() where "Id" = ${before.Id}`)
      await note(db, actor, enterprise, { SN: given.SN, OpType: op.transfer, AgentId: to.Id, from: from.AgentName, to: to.AgentName })
    }
    if (given.AreaCodes) {
      checkAreas(given.AreaCodes)
      await db.rows(
        sql`update sn_agent set "AreaCodes" = ${JSON.stringify(given.AreaCodes)}::jsonb, "UpdateTime" = now() where "Id" = ${before.Id}`,
      )
      await note(db, actor, enterprise, { SN: given.SN, OpType: op.regions, from: spoken(before.AreaCodes), to: spoken(given.AreaCodes) })
    }
    if (given.Release && (before.CrossStatus === 1 || before.CrossStatus === 2)) {
      await db.rows(sql`update sn_agent set "CrossStatus" = 3, "UpdateTime" = now() where "Id" = ${before.Id}`)
      await note(db, actor, enterprise, {
        SN: given.SN,
        OpType: op.release,
        ...(before.AreaCode ? { from: areaName(before.AreaCode) } : {}),
      })
    }
    const after = await bySN(db, actor, given.SN)
    await record(db, actor, described, 'update', before.Id, enterprise, before, after)
    return after
  })

export const takeBack = (db: Db, actor: Actor, { SN, AgentId }: { SN: string; AgentId?: number }) =>
  db.tx(async (db) => {
    const row = await bySN(db, actor, SN, sql`for update of t`)
    if (AgentId && AgentId !== row.AgentId) throw notFound()
    await db.rows(sql`delete from sn_agent where "Id" = ${row.Id}`)
    const from = await agents.find(db, actor, row.AgentId!)
    await note(db, actor, row.EnterpriseId, { SN, OpType: op.takenBack, AgentId: from.Id, from: from.AgentName })
    await record(db, actor, described, 'remove', row.Id, row.EnterpriseId, row, null)
    return { Removed: 1 }
  })

export const regions = async (db: Db, actor: Actor, AgentId?: number) => {
  if (AgentId) await agents.find(db, actor, AgentId)
  const rows = await db.rows<{ AgentId: number; AgentName: string; AreaCode: string; Exclusive: number }>(sql`
    select r."AgentId", t."AgentName", r."AreaCode", r."Exclusive" from agent_region r join agent t on t."Id" = r."AgentId"
    where ${visible(agent, actor)} and (${AgentId ?? null}::bigint is null or r."AgentId" = ${AgentId ?? null}::bigint) order by r."AreaCode", t."AgentName" limit 10000`)
  return rows.map((row) => ({ ...row, AreaName: areaName(row.AreaCode) }))
}

/** Sets exactly these regions. A region that is exclusive to one agent is refused for others. */
export const setRegions = (db: Db, actor: Actor, id: number, codes: readonly string[], exclusive: 0 | 1) =>
  db.tx(async (db) => {
    checkAreas(codes)
    const row = await agents.find(db, actor, id)
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`agent regions ${row.EnterpriseId}`}, 0))`)
    const others = await db.rows<{ AreaCode: string; Exclusive: number; AgentName: string }>(sql`
      select r."AreaCode", r."Exclusive", a."AgentName" from agent_region r join agent a on a."Id" = r."AgentId" where r."EnterpriseId" = ${row.EnterpriseId} and r."AgentId" <> ${id}`)
    const clash = others.find(
      (o) => (exclusive || o.Exclusive) && codes.some((code) => liesIn(code, [o.AreaCode]) || liesIn(o.AreaCode, [code])),
    )
    if (clash) throw new Fault('regionTaken', { region: areaName(clash.AreaCode), agent: clash.AgentName })
    const before = await regions(db, actor, id)
    await db.rows(sql`delete from agent_region where "AgentId" = ${id}`)
    await db.rows(sql`
      insert into agent_region ("EnterpriseId", "AgentId", "AreaCode", "Exclusive") select ${row.EnterpriseId}, ${id}, code, ${exclusive} from unnest(${[...new Set(codes)]}::text[]) code`)
    const part = (of: { AreaCode: string }[]) => ({ AreaCodes: of.map((r) => r.AreaCode) })
    const after = await regions(db, actor, id)
    await record(db, actor, agent, 'update', id, row.EnterpriseId, part(before), part(after))
    return after
  })

/** Minimum accuracy of a position for the region check, m. */
const judgedWithinM = 5000

/**
 * Records a position of a gateway. A position outside its shipping regions is a suspicion; positions on three days, or over more than
 * a day, are a diversion. A release by a person holds until the gateway is back in its regions.
 */
export const addPosition = async (db: Db, actor: Actor, given: Values, geocode?: Geocoder) => {
  const draft = given.AreaCode ? given : { ...given, ...(await placeOf(actor, given, geocode)) }
  return enterPosition(db, actor, draft as Values & { AreaCode: string })
}

const placeOf = async (actor: Actor, { Lng, Lat, Address, EnterpriseId }: Values, geocode: Geocoder | undefined) => {
  const there = typeof Lng === 'number' && typeof Lat === 'number'
  const enterprise = actor.platform && typeof EnterpriseId === 'number' ? EnterpriseId : actor.EnterpriseId
  const place = there ? await geocode?.(enterprise, Lng, Lat) : undefined
  if (!place) throw new FieldFaults([{ field: 'AreaCode', rule: 'required' }])
  return { AreaCode: place.AreaCode, Address: Address || place.Address }
}

const enterPosition = (db: Db, actor: Actor, draft: Values & { AreaCode: string }) =>
  db.tx(async (db) => {
    checkAreas([draft.AreaCode], 'AreaCode')
    const made = { ...(await positions.create(db, actor, draft)), AreaCode: draft.AreaCode }
    const [held] = await db.rows<Shipped>(
      sql`select * from sn_agent where "SN" = ${made.SN} and "EnterpriseId" = ${made.EnterpriseId} for update`,
    )
    if (!held) return made
    const own = held.AreaCodes.length ? held.AreaCodes : (await regions(db, actor, held.AgentId!)).map((r) => r.AreaCode)
    const judged = (made.AccuracyM ?? 0) <= judgedWithinM && own.length > 0
    const outside = judged && !liesIn(made.AreaCode, own)
    if (outside) await db.rows(sql`update gateway_position set "IsCross" = 1 where "Id" = ${made.Id}`)
    const [seen] = await db.rows<{ Days: number; Hours: number }>(sql`
      with since as (select coalesce(max("PositionTime"), '-infinity') as at from gateway_position where "EnterpriseId" = ${made.EnterpriseId} and "SN" = ${made.SN} and "IsCross" = 0)
      select count(distinct ("PositionTime" at time zone ${actor.tenantZone}::text)::date)::int as "Days", coalesce(extract(epoch from max("PositionTime") - min("PositionTime")) / 3600, 0)::float as "Hours"
      from gateway_position, since where "EnterpriseId" = ${made.EnterpriseId} and "SN" = ${made.SN} and "IsCross" = 1 and "PositionTime" > since.at`)
    const next = !outside ? 0 : held.CrossStatus === 3 ? 3 : seen!.Days >= 3 || seen!.Hours >= 24 ? 2 : 1
    const first = held.PositionTime === null
    await db.rows(sql`
      update sn_agent set "CrossStatus" = ${judged ? next : held.CrossStatus}, "AreaCode" = ${made.AreaCode},
        "PositionTime" = (select "PositionTime" from gateway_position where "Id" = ${made.Id}), "UpdateTime" = now() where "Id" = ${held.Id}`)
    if (first) await note(db, actor, made.EnterpriseId, { SN: made.SN, OpType: op.activate, to: areaName(made.AreaCode) })
    if (judged && next > held.CrossStatus && next < 3)
      await note(db, actor, made.EnterpriseId, { SN: made.SN, OpType: op.diversion, from: spoken(own), to: areaName(made.AreaCode) })
    if (judged && next === 2 && held.CrossStatus !== 2)
      await notify(db, {
        EnterpriseId: made.EnterpriseId,
        BizType: 11,
        Wording: 'diverted',
        WordValues: { SN: made.SN, From: spoken(own), To: areaName(made.AreaCode) },
        Source: `diversion/${made.Id}`,
        Permission: 'm12003',
        ObjectType: snAgent.name,
        ObjectId: held.Id,
      })
    db.emit({ resource: snAgent.name, id: held.Id, verb: 'update', EnterpriseId: made.EnterpriseId })
    return positions.find(db, actor, made.Id)
  })

export const detail = async (db: Db, actor: Actor, SN: string) => {
  const row = await bySN(db, actor, SN)
  const time = (name: string) => sql`to_char(${sql.raw(name)} at time zone ${zoneOf(actor)}::text, 'YYYY-MM-DD HH24:MI:SS')`
  const [Lines, seen] = await db.all([
    sql<{ Time: string; OpType: number; FromText: string | null; ToText: string | null; UserName: string | null }>`
      select ${time('l."OpTime"')} as "Time", l."OpType", l."FromText", l."ToText", t."UserName"
      from sn_agent_log l left join "user" t on t."Id" = l."UserId" and ${visible(user, actor)} where l."EnterpriseId" = ${row.EnterpriseId} and l."SN" = ${SN} order by l."Id" desc limit 200`,
    sql<{ PositionTime: string; Source: number; AreaCode: string; IsCross: number }>`
      select ${time('p."PositionTime"')} as "PositionTime", p."Source", p."AreaCode", p."IsCross"
      from gateway_position p where p."EnterpriseId" = ${row.EnterpriseId} and p."SN" = ${SN} order by p."PositionTime" desc limit 200`,
  ])
  return { ...row, Lines, Positions: seen.map((p) => ({ ...p, AreaName: areaName(p.AreaCode) })) }
}

/** Last positions of gateways, by province. */
export const positionMap = async (db: Db, actor: Actor) => {
  const outside = sql`, count(*) filter (where "CrossStatus" in (1, 2))::int as "Outside"`
  const rows = await db.rows<{ AreaCode: string; Count: number; Outside: number }>(sql`
    select left(c."Value", 2) || '0000' as "AreaCode", sum(c."Count")::int as "Count", sum(c."Outside")::int as "Outside"
    from (${countsBy(actor, snAgent, 'AreaCode', outside)}) c where c."Value" is not null group by 1 order by 1`)
  return rows.map((row) => ({ ...row, AreaName: areaName(row.AreaCode) }))
}
