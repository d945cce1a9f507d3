import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { netProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { proModel } from '../../models/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
const kit = await startKit()
afterAll(() => kit.close())
const make = maker(kit)
const path = '/Project/Project/QProjectCopyGatewayAndDevices'
const list = async (base: string, query: string) => (await kit.data<Page<Row>>('owner', 'GET', `${base}/List?${query}`)).Items

const plant = async () => {
  const site = await make.create(project, { ProjectName: `Site ${Math.random()}`, Address: 'River road' })
  const box = await make.create(gateway, { ProjectId: site.Id, GatewayName: 'Pump house' })
  const line = await make.create(netProtocol, { GatewayId: box.Id, ProtocolName: 'Line' })
  const model = await make.create(proModel)
  const pump = await make.create(device, {
    ...{ GatewayId: box.Id, DeviceName: 'Pump', CommType: 0, NetProtocolId: line.Id, SerialProtocolId: null, ModelId: model.Id },
  })
  await make.create(point, { DeviceId: pump.Id, ParaName: 'Flow', Address: '1' })
  await make.create(point, { DeviceId: pump.Id, ParaName: 'Pressure', Address: '2' })
  return { site, box, model }
}
const copy = (as: string, body: object) => kit.call<Row>(as, 'POST', path, body)

it('the plan lists the contents of a copy and writes nothing', async () => {
  const { site, box } = await plant()
  const before = await list('/Project/Project', 'PageSize=1000')
  expect(await kit.data('owner', 'GET', `${path}?ProjectId=${site.Id}`)).toMatchObject({
    ...{ ProjectName: `${String(site.ProjectName).slice(0, 44)} (2)`, Channels: 1, Devices: 1, Points: 2, Rules: [] },
    Gateways: [{ Id: box.Id, GatewayName: 'Pump house', SN: box.SN, Devices: 1, Points: 2 }],
  })
  expect(await list('/Project/Project', 'PageSize=1000')).toEqual(before)
})

it('a copy has the same channels, devices and points under a new serial number, with their models', async () => {
  const { site, box, model } = await plant()
  const answer = await copy('owner', { ProjectId: site.Id, ProjectName: 'Second site', Gateways: [{ Id: box.Id, SN: 'COPY00000001' }] })
  expect(answer.Data).toMatchObject({ Gateways: 1, Channels: 1, Devices: 1, Points: 2 })
  expect(await kit.data('owner', 'GET', `${project.path}?Id=${answer.Data.Id}`)).toMatchObject({ Address: 'River road' })
  const [other] = await list(gateway.path, `ProjectId=${answer.Data.Id}`)
  expect(other).toMatchObject({ GatewayName: 'Pump house', SN: 'COPY00000001', ConfigStatus: 1, OnlineStatus: 2 })
  const [pump] = await list(device.path, `GatewayId=${other!.Id}`)
  const [line] = await list(netProtocol.path, `GatewayId=${other!.Id}`)
  expect(pump).toMatchObject({ DeviceName: 'Pump', ModelId: model.Id, NetProtocolId: line!.Id })
  const points = await list(point.path, `DeviceId=${pump!.Id}`)
  expect(points.map((p) => [p.ParaName, p.Address]).sort()).toEqual([
    ['Flow', '1'],
    ['Pressure', '2'],
  ])
  const [entries] = await kit.database.system.rows<{ n: number }>(
    sql`select count(*)::int as n from change where "Resource" = 'point' and "Verb" = 'create' and "RecordId" = any(${points.map((p) => p.Id)}::bigint[])`,
  )
  expect(entries!.n).toBe(2)
})

it('a used name or serial number, or too little room, copies nothing and is reported by field', async () => {
  const { site, box } = await plant()
  const gateways = (SN: unknown) => ({ ProjectId: site.Id, ProjectName: 'Third site', Gateways: [{ Id: box.Id, SN }] })
  expect((await copy('owner', gateways(box.SN))).Details).toMatchObject({ Fields: { 'Gateways.0.SN': [expect.any(String)] } })
  expect((await copy('owner', { ...gateways('COPY00000002'), ProjectName: site.ProjectName })).Details).toMatchObject({
    Fields: { ProjectName: [expect.any(String)] },
  })
  const limit = (most: number | null) =>
    kit.database.system.rows(sql`update enterprise set "MaxPoints" = ${most} where "Id" = ${kit.enterprises.ours}`)
  await limit(1)
  expect(await copy('owner', gateways('COPY00000003'))).toMatchObject({ StatusCode: 403, Details: { Fault: 'noRoomPoints' } })
  await limit(null)
  expect(await list(project.path, `ProjectName=Third%20site`)).toEqual([])
})

it('copies no project and no gateway of another company, and needs the permission to add each part', async () => {
  const { site, box } = await plant()
  const body = { ProjectId: site.Id, ProjectName: 'Taken', Gateways: [{ Id: box.Id, SN: 'COPY00000004' }] }
  expect((await copy('stranger', body)).StatusCode).toBe(404)
  expect((await kit.call('stranger', 'GET', `${path}?ProjectId=${site.Id}`)).StatusCode).toBe(404)
  const theirs = await maker(kit, 'stranger').create(gateway)
  expect((await copy('owner', { ...body, Gateways: [{ Id: theirs.Id, SN: 'COPY00000005' }] })).StatusCode).toBe(404)
  expect((await copy('viewer', body)).StatusCode).toBe(403)
})
