// Fault reports without sign-in: the machine's label opens the form, and a report becomes a waiting order.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { openGuesses } from '../../../../server/http/guesses.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import type { Files } from '../../../system/files/server/service.ts'
import { machinePage, mtnEquipment } from '../../equipment/contract.ts'
import { mtnMaintenanceOrder, myOrders } from '../../orders/contract.ts'
import { addHistory, create as createOrder, orderNow, setClocks } from '../../orders/server/service.ts'
import { mostReports, type requestCalls, stateDays } from '../contract.ts'
import { type Machine, openLabels } from './labels.ts'

export type Needs = { database: Database; files: Pick<Files, 'keepPhoto'>; key: Buffer; clock: () => number; steady?: () => number }

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Attaches a report to a waiting order of the same machine, or opens a new one. */
const orderOf = async (db: Db, actor: Actor, machine: Machine, desc: string) => {
  const [waiting] = await db.rows<{ Id: number }>(sql`
    select o."Id" from mtn_report r join mtn_maintenance_order o on o."Id" = r."OrderId"
    where r."EquipmentId" = ${machine.Id} and o."Status" = 0 and o."Source" = 5 order by o."Id" desc limit 1`)
  if (waiting) return { order: (await orderNow(db, actor, waiting.Id))!, isNew: false }
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into mtn_maintenance_order ("EnterpriseId", "Title", "Urgency", "ProjectId", "GatewayId", "DeviceId", "EquipmentId", "Source", "FaultDesc", "ReportUserId")
    select ${machine.EnterpriseId}, ${machine.EquipmentName.slice(0, 60)}, 1, ${machine.ProjectId}, (select "GatewayId" from device where "Id" = ${machine.DeviceId}),
      ${machine.DeviceId}, ${machine.Id}, 5, ${desc}, ${actor.UserId || null} returning "Id"`)
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
  // Serialized: two reports of one machine make one order, and the daily limits hold.
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
  const { machineOf, ...labels } = openLabels(db, key)
  const guess = openGuesses(steady)
  const senders = new Map<string, Rate>()
  const assertRate = (sender: string) => {
    const own = senders.get(sender) ?? rate(mostReports.perHour / 3600, mostReports.perHour, steady)
    if (senders.size >= 10_000) senders.clear()
    senders.set(sender, own)
    if (own.left() < 1) throw new Fault('reportsTooMany')
    own.take()
  }
  const described = async ({ EquipmentName, EnterpriseId }: Machine) => {
    const [company] = await db.rows<{ Name: string; Logo: string | null }>(
      sql`select "Name", "Logo" from enterprise where "Id" = ${EnterpriseId}`,
    )
    return { MachineName: EquipmentName, CompanyName: company?.Name ?? '', Logo: company?.Logo ?? '' }
  }
  type Sent = { machine: Machine; text: string; Photos: readonly string[] | undefined; sender: string }
  const receive = async (actor: Actor, { machine, text, Photos = [], sender }: Sent) => {
    if (!text.trim()) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
    await assertRoom(db, machine)
    assertRate(sender)
    const kept: Attachment[] = []
    for (const [i, photo] of Photos.entries()) kept.push(await files.keepPhoto(actor, `report-${i + 1}.webp`, Buffer.from(photo, 'base64')))
    const Token = randomBytes(24).toString('base64url')
    await db.tx((db) => take(db, actor, machine, { desc: text.trim().slice(0, 500), kept, Token }), `equipment ${machine.Id}`)
    return { Token }
  }

  return {
    ...labels,
    async machine(label: string, ip: string): Promise<Answer<typeof requestCalls.machine>> {
      return described(await guess(ip, () => machineOf(label)))
    },
    async report({ Label, Desc, Contact, Photos }: Body<typeof requestCalls.report>, ip: string) {
      const machine = await guess(ip, () => machineOf(Label))
      const text = Desc.trim() && [Desc.trim(), Contact?.trim()].filter(Boolean).join('\n')
      return receive(serverActor(machine.EnterpriseId), { machine, text, Photos, sender: networkOf(ip) })
    },
    async machineOfLabel(own: Db, actor: Actor, label: string, ip: string): Promise<Answer<typeof requestCalls.machineOfLabel>> {
      const machine = await guess(ip, () => machineOf(label, actor))
      const [seen] = actor.may.has(machinePage)
        ? await own.rows(sql`select 1 from mtn_equipment t where "Id" = ${machine.Id} and ${visible(mtnEquipment, actor)}`)
        : []
      return { Id: machine.Id, MayOpen: seen ? 1 : 0, ...(await described(machine)) }
    },
    /** Like an anonymous report, but with the name of the user. */
    async reportByLabel(actor: Actor, { Label, Desc, Photos }: Body<typeof requestCalls.reportByLabel>, ip: string) {
      const machine = await guess(ip, () => machineOf(Label, actor))
      const isColleague = actor.EnterpriseId === machine.EnterpriseId
      const by = { ...serverActor(machine.EnterpriseId), ...(isColleague && { UserId: actor.UserId }) }
      return receive(by, { machine, text: Desc, Photos, sender: `user ${actor.UserId}` })
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
  }
}
