// Fault reports without sign-in: a machine's label leads here, and a report becomes a waiting order.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { openGuesses } from '../../../../server/http/guesses.ts'
import { word } from '../../../../server/http/words.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import type { Files } from '../../../system/files/server/service.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import { orderClocks } from '../../orders/clocks.ts'
import { mtnMaintenanceOrder, myOrders } from '../../orders/contract.ts'
import { addHistory, create as createOrder, orderNow, setClocks } from '../../orders/server/service.ts'
import { mostReports, type requestCalls, stateDays } from '../contract.ts'

type Machine = { Id: number; EnterpriseId: number; ProjectId: number; DeviceId: number | null; EquipmentName: string; LabelNo: number }
export type Needs = { database: Database; files: Pick<Files, 'keepPhoto'>; key: Buffer; clock: () => number; steady?: () => number }

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const isOn = async (db: Db, EnterpriseId: number) => (await readSettings(db, orderClocks, EnterpriseId)).PublicReports === 1

/** Takes a report: attaches it to a waiting order of the same machine, or opens a new one. */
const orderOf = async (db: Db, actor: Actor, machine: Machine, desc: string) => {
  const [waiting] = await db.rows<{ Id: number }>(sql`
    select o."Id" from mtn_report r join mtn_maintenance_order o on o."Id" = r."OrderId"
    where r."EquipmentId" = ${machine.Id} and o."Status" = 0 and o."Source" = 5 order by o."Id" desc limit 1`)
  if (waiting) return { order: (await orderNow(db, actor, waiting.Id))!, isNew: false }
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into mtn_maintenance_order ("EnterpriseId", "Title", "Urgency", "ProjectId", "GatewayId", "DeviceId", "Source", "FaultDesc")
    select ${machine.EnterpriseId}, ${machine.EquipmentName.slice(0, 60)}, 1, ${machine.ProjectId}, (select "GatewayId" from device where "Id" = ${machine.DeviceId}),
      ${machine.DeviceId}, 5, ${desc} returning "Id"`)
  await setClocks(db, made!.Id)
  const order = (await orderNow(db, actor, made!.Id))!
  await record(db, actor, mtnMaintenanceOrder, 'create', order.Id, order.EnterpriseId, null, order)
  return { order, isNew: true }
}

const assertRoom = async (db: Db, { Id, EnterpriseId }: Machine) => {
  const day = sql`"CreateTime" > now() - interval '1 day'`
  const [row] = await db.rows<{ machine: number; company: number }>(sql`
    select (select count(*) from mtn_report where "EquipmentId" = ${Id} and ${day})::int as machine,
      (select count(*) from mtn_report where "EnterpriseId" = ${EnterpriseId} and ${day})::int as company`)
  if (row!.machine >= mostReports.perMachine || row!.company >= mostReports.perCompany) throw new Fault('reportsFull')
}

type Report = { desc: string; kept: readonly Attachment[]; Token: string }
const take = async (db: Db, actor: Actor, machine: Machine, { desc, kept, Token }: Report) => {
  // Serialized: two reports of one machine make one order, and daily limits hold.
  await db.rows(sql`select 1 from mtn_equipment where "Id" = ${machine.Id} for update`)
  await assertRoom(db, machine)
  const { order, isNew } = await orderOf(db, actor, machine, desc)
  const files = await namedFiles(db, actor, kept, { field: 'Photos', enterprise: machine.EnterpriseId })
  await giveFiles(db, { resource: mtnMaintenanceOrder.name, id: order.Id, permission: myOrders }, files)
  await addHistory(db, actor, { order, step: isNew ? 'open' : 'report', from: isNew ? null : 0, to: 0, desc, files })
  await db.rows(sql`
    insert into mtn_report ("EnterpriseId", "EquipmentId", "OrderId", "TokenHash") values (${machine.EnterpriseId}, ${machine.Id}, ${order.Id}, ${hashOf(Token)})`)
  const { Id, EnterpriseId, ProjectId } = order
  if (!isNew) db.emit({ resource: mtnMaintenanceOrder.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
}

/** Any technician may report a fault, even without permission to open orders. */
export const reportHere = async (db: Db, actor: Actor, { Id, Desc, Stopped = 0, Files }: Body<typeof requestCalls.reportHere>) => {
  const [machine] = await db.rows<Machine>(sql`select t.* from mtn_equipment t where "Id" = ${Id} and ${visible(mtnEquipment, actor)}`)
  if (!machine) throw notFound()
  if (!Desc.trim()) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
  const { EquipmentName, ProjectId, DeviceId } = machine
  const asPlanner = { ...actor, may: new Set([...actor.may, mtnMaintenanceOrder.permission]) }
  const order = await createOrder(db, asPlanner, {
    ...{ Title: EquipmentName.slice(0, 60), ProjectId, FaultDesc: Desc.trim(), Stopped },
    ...(DeviceId && { DeviceId }),
    ...(Files?.length && { Files }),
  })
  return { Id: order.Id, OrderNo: order.OrderNo }
}

export const openRequests = ({ database, files, key, clock, steady = () => performance.now() }: Needs) => {
  const db = database.system
  const guess = openGuesses(steady)
  const senders = new Map<string, Rate>()
  const secretOf = ({ Id, LabelNo }: Pick<Machine, 'Id' | 'LabelNo'>) =>
    createHmac('sha256', key).update(`label\n${Id}\n${LabelNo}`).digest().subarray(0, 24).toString('base64url')
  const pathOf = (machine: Pick<Machine, 'Id' | 'LabelNo'>) => `/report#${machine.Id}.${secretOf(machine)}`

  /** Finds the machine of a label. Wrong and renewed labels and companies that take no reports get the same answer. */
  const machineOf = async (db: Db, label: string): Promise<Machine> => {
    const [id, secret] = label.split('.') as [string, string]
    const [row] = Number.isSafeInteger(Number(id))
      ? await db.rows<Machine>(sql`
          select "Id", "EnterpriseId", "ProjectId", "DeviceId", "EquipmentName", "LabelNo" from mtn_equipment where "Id" = ${Number(id)}`)
      : []
    const wanted = Buffer.from(secretOf(row ?? { Id: 0, LabelNo: 0 }))
    const given = Buffer.from(secret)
    if (!row || given.length !== wanted.length || !timingSafeEqual(given, wanted) || !(await isOn(db, row.EnterpriseId))) throw notFound()
    return row
  }
  const assertRate = (ip: string) => {
    const network = networkOf(ip)
    const own = senders.get(network) ?? rate(mostReports.perHour / 3600, mostReports.perHour, steady)
    if (senders.size >= 10_000) senders.clear()
    senders.set(network, own)
    if (own.left() < 1) throw new Fault('reportsTooMany')
    own.take()
  }

  return {
    async machine(label: string, ip: string): Promise<Answer<typeof requestCalls.machine>> {
      const { EquipmentName, EnterpriseId } = await guess(ip, () => machineOf(db, label))
      const [company] = await db.rows<{ Name: string; Logo: string | null }>(
        sql`select "Name", "Logo" from enterprise where "Id" = ${EnterpriseId}`,
      )
      return { MachineName: EquipmentName, CompanyName: company?.Name ?? '', Logo: company?.Logo ?? '' }
    },
    async report({ Label, Desc, Contact, Photos = [] }: Body<typeof requestCalls.report>, ip: string) {
      const machine = await guess(ip, () => machineOf(db, Label))
      const text = Desc.trim()
      if (!text) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
      await assertRoom(db, machine)
      assertRate(ip)
      const actor = serverActor(machine.EnterpriseId)
      const kept: Attachment[] = []
      for (const [i, photo] of Photos.entries())
        kept.push(await files.keepPhoto(actor, `report-${i + 1}.webp`, Buffer.from(photo, 'base64')))
      const desc = [text, Contact?.trim()].filter(Boolean).join('\n').slice(0, 500)
      const Token = randomBytes(24).toString('base64url')
      await db.tx((db) => take(db, actor, machine, { desc, kept, Token }), `equipment ${machine.Id}`)
      return { Token }
    },
    async state(Token: string, ip: string): Promise<Answer<typeof requestCalls.state>> {
      return guess(ip, async () => {
        const [row] = await db.rows<{ Status: number }>(sql`
          select o."Status" from mtn_report r join mtn_maintenance_order o on o."Id" = r."OrderId" where r."TokenHash" = ${hashOf(Token)}
            and (o."Status" not in (5, 6) or coalesce(o."CheckTime", o."UpdateTime") > ${new Date(clock())}::timestamptz - make_interval(days => ${stateDays}))`)
        if (!row) throw notFound()
        return row
      })
    },
    async label(db: Db, actor: Actor, id: number): Promise<Answer<typeof requestCalls.label>> {
      const [row] = await db.rows<Machine>(sql`select t.* from mtn_equipment t where "Id" = ${id} and ${visible(mtnEquipment, actor)}`)
      if (!row) throw notFound()
      return { Path: pathOf(row), Takes: (await isOn(database.system, row.EnterpriseId)) ? 1 : 0 }
    },
    /** In the order of the Ids. */
    labels: (db: Db, actor: Actor, ids: readonly number[]): Promise<Answer<typeof requestCalls.labels>> =>
      db.tx(async (db) => {
        const rows = await db.rows<Machine>(sql`
          select t.* from mtn_equipment t where "Id" = any(${ids}::bigint[]) and ${visible(mtnEquipment, actor)} order by array_position(${ids}::bigint[], "Id")`)
        if (rows.length < new Set(ids).size) throw notFound()
        const companies = [...new Set(rows.map(({ EnterpriseId }) => EnterpriseId))]
        const on = await Promise.all(companies.map((id) => isOn(database.system, id)))
        for (const EnterpriseId of companies) {
          const Ids = rows.flatMap((row) => (row.EnterpriseId === EnterpriseId ? [row.Id] : []))
          const title = word(actor.language, 'equipment.labels')
          await noteExport(db, { ...actor, EnterpriseId }, mtnEquipment.name, title, { Filters: { Ids }, Rows: Ids.length })
        }
        return { Items: rows.map((row) => ({ Id: row.Id, Path: pathOf(row) })), Takes: on.every(Boolean) ? 1 : 0 }
      }),
    renewLabel: (db: Db, actor: Actor, id: number) =>
      db.tx(async (db) => {
        const [row] = await db.rows<Machine>(sql`
          update mtn_equipment t set "LabelNo" = "LabelNo" + 1, "UpdateTime" = now() where "Id" = ${id} and ${visible(mtnEquipment, actor)} returning *`)
        if (!row) throw notFound()
        await record(
          db,
          actor,
          mtnEquipment,
          'update',
          id,
          row.EnterpriseId,
          { LabelNo: row.LabelNo - 1 } as never,
          { LabelNo: row.LabelNo } as never,
        )
        return { Path: pathOf(row) }
      }),
  }
}
