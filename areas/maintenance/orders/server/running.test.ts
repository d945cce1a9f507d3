// Downtime, running hours and verification from running points.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { verifyDue } from './proof.ts'
import { figureRoutes, orderRoutes } from './routes.ts'
import { runningPointsOf } from './running.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Maintenance/MtnMaintenanceOrder'
const hour = 3_600_000
const t0 = Date.parse('2026-03-01T00:00:00Z')
const at = (hours: number) => new Date(t0 + hours * hour)
let now = t0
const clock = () => now
let kit: Kit
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let site = { ProjectId: 0, GatewayId: 0 }
const standard: Record<string, number> = {}
let make: ReturnType<typeof maker>

const machine = async (codes: string[]) => {
  const { Id: DeviceId } = await make.create(devices, { GatewayId: site.GatewayId })
  const ids: number[] = []
  for (const code of codes) {
    const of = { DeviceId, ParaDataType: 0, UploadMode: 0, UploadPeriod: 900, StandardParaId: standard[code] ?? null }
    ids.push((await make.create(points, of)).Id)
  }
  return { DeviceId, ids }
}
/** Writes a state every 15 minutes: on during the given hours. */
const shows = async (point: number, isOn: (hours: number) => boolean, from: number, to: number) => {
  const samples = Array.from({ length: (to - from) * 4 }, (_, i) => from + i / 4).map((hours) => ({
    ...{ point, time: t0 + hours * hour, value: isOn(hours) ? 1 : 0, quality: 0 },
  }))
  // Readings of a past are loaded day by day.
  for (const of of Map.groupBy(samples, ({ time }) => Math.floor(time / (24 * hour))).values())
    await telemetry.load(
      (async function* () {
        yield of
      })(),
    )
}
beforeAll(async () => {
  folder = await temporaryFolder('running')
  telemetry = await openTelemetry({
    ...{ folder: folder.folder, registry: registryOf([]), clock, log: { warn: () => {}, error: () => {} } as never },
  })
  kit = await startKit({
    clock,
    areas: () => [(api) => orderRoutes(api, { telemetry, clock }), (api) => figureRoutes(api, { clock, telemetry })],
  })
  make = maker(kit)
  const { Id: ProjectId } = await make.create(projects)
  site = { ProjectId, GatewayId: (await make.create(gateways, { ProjectId })).Id }
  for (const Code of ['state.running', 'state.pump']) {
    const [row] = await kit.db.rows<Row>(sql`select "Id" from standard_para where "Code" = ${Code} limit 1`)
    const draft = { Code, NameEn: Code, Category: 4, ValueType: 2 }
    standard[Code] = row?.Id ?? (await kit.data<Row>('owner', 'POST', '/Project/StandardPara', draft)).Id
  }
})
afterAll(async () => {
  await telemetry?.close()
  await kit?.close()
  await folder?.remove()
})

const repair = async (DeviceId: number, more: object = {}) => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, { Title: 'Stands', DeviceId, Stopped: 1, ...more })
  const all = { ReportTime: at(10), Status: 2, AssignUserId: kit.people.get('owner')!.id }
  await kit.db.rows(sql`
    update mtn_maintenance_order set "ReportTime" = ${all.ReportTime}, "Status" = ${all.Status}, "AssignUserId" = ${all.AssignUserId} where "Id" = ${Id}`)
  return Id
}
const find = (Id: number) => kit.data<Row>('owner', 'GET', `${path}?Id=${Id}`)

it('a machine has one running point: the general one before others, and none where two of one kind say when parts of it run', async () => {
  const [blower, pair, bare] = [
    await machine(['state.pump', 'state.running']),
    await machine(['state.pump', 'state.pump']),
    await machine(['']),
  ]
  const { Id: hours } = await make.create(points, { DeviceId: pair.DeviceId, ParaUnitName: 'h' })
  await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${hours}, ${kit.enterprises.ours}, 1)`)
  const ids = [blower, pair, bare].map(({ DeviceId }) => DeviceId)
  const found = await runningPointsOf({ db: kit.db, actor: serverActor(kit.enterprises.ours) }, ids)
  expect(ids.map((id) => found.get(id)?.Id)).toEqual([blower.ids[1], hours, undefined])
})

it('downtime is when the machine stood until its repair was finished, overlaps once; a report without hours takes them from there', async () => {
  const { DeviceId, ids } = await machine(['state.running'])
  // Stopped from 12 to 18 h and from 30 to 31 h.
  await shows(ids[0]!, (hours) => !(hours >= 12 && hours < 18) && !(hours >= 30 && hours < 31), 0, 40)
  const [one, other] = [await repair(DeviceId), await repair(DeviceId)]
  now = t0 + 20 * hour
  const finish = { OrderId: one, Desc: 'New belt', ClientKey: 'done-0001' }
  for (let i = 0; i < 2; i++) {
    expect(await kit.call('owner', 'POST', '/Maintenance/MtnMyOrder/OrderFinish', finish)).toMatchObject({ Data: { Status: 4 } })
    now += hour
  }
  expect((await find(one)).StopHours).toBeCloseTo(6, 1)
  await kit.data('owner', 'POST', '/Maintenance/MtnMyOrder/OrderFinish', { OrderId: other, Desc: 'Seen to', StopHours: 2 })
  expect((await find(other)).StopHours).toBe(2)
  await kit.db.rows(sql`update mtn_maintenance_order set "FinishTime" = ${at(20)} where "DeviceId" = ${DeviceId}`)
  now = t0 + 40 * hour
  const query = `${path}/Figures?DateFrom=2026-03-01&DateTo=2026-03-02`
  const { Machines } = await kit.data<{ Machines: Record<string, number>[] }>('owner', 'GET', query)
  const of = Machines.find((row) => row.DeviceId === DeviceId)!
  expect(of).toMatchObject({ Failures: 2, ByCounter: 2 })
  expect([of.StopHours, of.RunningHours]).toEqual([expect.closeTo(6, 1), expect.closeTo(33, 0)])
})

it('the time of proof is that of running: a machine that stands is not proven', async () => {
  const { DeviceId, ids } = await machine(['state.running'])
  // It runs every second hour of the first two days, then all the time.
  await shows(ids[0]!, (hours) => hours >= 68 || Math.floor(hours) % 2 === 0, 20, 100)
  const id = await repair(DeviceId)
  await kit.db.rows(sql`
    update mtn_maintenance_order set "Status" = 5, "FinishTime" = ${at(20)}, "AlarmCount" = 1 where "Id" = ${id}`)
  const verified = async (hours: number) => {
    now = t0 + hours * hour
    const decided = await verifyDue(kit.database, now, telemetry)
    return [decided, (await find(id)).Verified]
  }
  expect(await verified(43)).toEqual([0, 0])
  // Ran 12 of 24 hours: the next check is 12 hours later, with 18 running hours by then.
  expect(await verified(44.1)).toEqual([0, 0])
  expect(await verified(50)).toEqual([0, 0])
  expect(await verified(57)).toEqual([0, 0])
  expect(await verified(68.5)).toEqual([1, 1])
})

it('figures wait while other figures of their company are computed, since they read the states of many machines', async () => {
  const other = Promise.withResolvers<void>()
  const computed = reckonInTurn(serverActor(kit.enterprises.ours), () => other.promise)
  let isOver = false
  const figures = kit.data('owner', 'GET', `${path}/Figures?DateFrom=2026-03-01&DateTo=2026-03-02`).finally(() => {
    isOver = true
  })
  // Requests of another company are not blocked.
  for (let i = 0; i < 20; i++) await kit.data('stranger', 'GET', `${path}/Figures?DateFrom=2026-03-01&DateTo=2026-03-02`)
  expect(isOver).toBe(false)
  other.resolve()
  await Promise.all([computed, figures])
  expect(isOver).toBe(true)
})
