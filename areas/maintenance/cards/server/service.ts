// Stores card readings of gateways and derives attendance from them.
import { sql } from 'kysely'
import type { Change, Db } from '../../../../server/database/db.ts'
import { normalCardNo } from '../cardNo.ts'
import { mtnPunchRecord, ofPerson, proRfidHistory } from '../contract.ts'
import { dutiesIn, judgeDuties } from './duties.ts'
import type { Duty } from './judge.ts'

type Gateway = { Id: number; EnterpriseId: number; ProjectId: number | null }
export type CardRead = { CardNo: string; Reader: string; ReadTime: number }

/** Card readings kept for each gateway, and how often older ones are pruned. */
const [keptReads, everyReads] = [100_000, 500]
const oddMs = 400 * 86_400_000
const againMs = 60_000

type Row = { Id: number; Count: number; UserId: number | null }
/** Stores a reading, once per reader, card and time. */
const insertRead = (db: Db, { Id, EnterpriseId }: Gateway, cardNo: string, Reader: string, at: Date) =>
  db.rows<Row>(sql`
    with card as (select "Id", "Status", case when "CardType" = ${ofPerson} then "UserId" end as "UserId" from pro_rfid_info where "EnterpriseId" = ${EnterpriseId} and "CardNo" = ${cardNo}),
    made as (
      insert into pro_rfid_history ("EnterpriseId", "CardNo", "RfidId", "ReadTime", "ReaderType", "GatewayId", "Reader", "UserId", "Result")
      select ${EnterpriseId}, ${cardNo}, card."Id", ${at}, 1, ${Id}, ${Reader}, card."UserId",
        case when card."Id" is null then 1 when card."Status" <> 1 then 2 when exists (
          select 1 from pro_rfid_history h where h."EnterpriseId" = ${EnterpriseId} and h."CardNo" = ${cardNo} and h."GatewayId" = ${Id} and h."Reader" = ${Reader}
            and h."ReadTime" > ${new Date(at.getTime() - againMs)} and h."ReadTime" < ${at}) then 6 else 0 end
      from (select 1) one left join card on true on conflict do nothing returning "Id", "UserId", "Result")
    select "Id", case when "Result" in (0, 6) then "UserId" end as "UserId" from made`)

/**
 * Sets the first and last reading of a day in the company's time zone: readings by card readers only, outside the person's shifts. Readings
 * arrive in any order, so both are recalculated.
 */
const punchDay = (db: Db, EnterpriseId: number, UserId: number, at: Date, duties: readonly Duty[]) =>
  db.rows<{ Id: number }>(sql`
    with zone as (select "TimeZoneKey" as name from enterprise where "Id" = ${EnterpriseId}),
    day as (select (${at}::timestamptz at time zone name)::date as d, name from zone),
    shifts as (select * from jsonb_to_recordset(${JSON.stringify(duties.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) })))}::jsonb)
      as s ("from" timestamptz, "to" timestamptz)),
    reads as (
      select h."ReadTime", h."RfidId" from pro_rfid_history h, day where h."EnterpriseId" = ${EnterpriseId} and h."UserId" = ${UserId} and h."Result" in (0, 6)
        and h."ReaderType" <> 2 and h."ReadTime" >= (d::timestamp at time zone name) and h."ReadTime" < ((d + 1)::timestamp at time zone name)
        and not exists (select 1 from shifts s where h."ReadTime" >= s."from" and h."ReadTime" < s."to")),
    ends as (
      (select 1 as type, * from reads order by "ReadTime" limit 1)
      union all (select 2, * from reads where "ReadTime" > (select min("ReadTime") from reads) order by "ReadTime" desc limit 1))
    insert into mtn_punch_record ("EnterpriseId", "UserId", "Day", "PunchType", "PunchTime", "Way", "RfidId")
    select ${EnterpriseId}, ${UserId}, to_char(d, 'YYYY-MM-DD'), type, "ReadTime", 2, "RfidId" from ends, day
    on conflict ("UserId", "Day", "PunchType") do update set "PunchTime" = excluded."PunchTime", "RfidId" = excluded."RfidId", "UpdateTime" = now()
      where mtn_punch_record."Status" <> 5 and mtn_punch_record."PlanTime" is null and mtn_punch_record."PunchTime" <> excluded."PunchTime" returning "Id"`)

/** Assigns a reading to the shift it falls into, otherwise to its day. */
const punch = async (db: Db, EnterpriseId: number, UserId: number, at: Date, now: number) => {
  const duties = await dutiesIn(db, EnterpriseId, at.getTime() - 86_400_000, at.getTime() + 86_400_000, UserId)
  const duty = duties.find(({ from, to }) => at.getTime() >= from && at.getTime() < to)
  return duty ? judgeDuties(db, EnterpriseId, [duty], now) : punchDay(db, EnterpriseId, UserId, at, duties)
}

/** Stores the card readings of gateways. Rejects on a storage failure, so that the gateway resends. */
export const openCardReads = ({ system, now, announce }: { system: Db; now: () => number; announce: (change: Change) => void }) => {
  const counts = new Map<number, number>()
  return async (gateway: Gateway, { CardNo, Reader, ReadTime }: CardRead) => {
    const at = new Date(Math.abs(ReadTime - now()) > oddMs ? now() : ReadTime)
    const cardNo = normalCardNo(CardNo) ?? CardNo.toUpperCase()
    const { EnterpriseId, ProjectId } = gateway
    const { read, punched } = await system.tx(async (db) => {
      const [read] = await insertRead(db, gateway, cardNo, Reader, at)
      return { read, punched: read?.UserId ? await punch(db, EnterpriseId, read.UserId, at, now()) : [] }
    }, `card ${EnterpriseId} ${cardNo}`)
    if (!read) return
    announce({ resource: proRfidHistory.name, id: read.Id, verb: 'create', EnterpriseId, ProjectId })
    for (const { Id } of punched) announce({ resource: mtnPunchRecord.name, id: Id, verb: 'update', EnterpriseId })
    const written = (counts.get(gateway.Id) ?? 0) + 1
    counts.set(gateway.Id, written % everyReads)
    if (written === everyReads)
      await system.rows(sql`delete from pro_rfid_history where "GatewayId" = ${gateway.Id} and "Id" <=
        (select "Id" from pro_rfid_history where "GatewayId" = ${gateway.Id} order by "Id" desc offset ${keptReads} limit 1)`)
  }
}
