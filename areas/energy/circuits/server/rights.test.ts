// Who reads and changes what of energy, where one right is not another's.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { addRoles } from '../../../../server/identity/setup.ts'
import { named } from '../../../../server/resource/sql.ts'

const base = '/Energy/Info'
let kit: Kit
let make: ReturnType<typeof maker>
let project: number
let device: number
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  project = (await make.create(named('project'))).Id
  device = (await make.create(named('device'), { GatewayId: (await make.create(named('gateway'), { ProjectId: project })).Id })).Id
  await kit.person('narrow', kit.enterprises.ours, { projects: [project] })
})
afterAll(() => kit?.close())

const call = <T = unknown>(as: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  kit.call<T>(as, method, path, body)
const add = async (EnergyCode: string, more: object = {}) =>
  (await kit.data<{ Id: number }>('owner', 'POST', base, { EnergyName: EnergyCode, EnergyCode, ProjectId: project, Source: 2, ...more })).Id

it('a moved circuit and the sheet of circuits show formulas in the codes that their reader sees', async () => {
  const elsewhere = (await make.create(named('project'))).Id
  await add('V1', { ProjectId: elsewhere })
  await add('V2')
  const above = await add('V3')
  const sum = await add('V4', { Source: 3, Formula: '[V1]+[V2]' })
  const moved = await call('narrow', 'PUT', `${base}/Move`, { Id: sum, ParentId: above })
  expect(moved).toMatchObject({ Data: { ParentId: above, Formula: '[?]+[V2]', FormulaIds: [expect.any(Number)] } })
  const sheet = (as: string) => kit.request(as, 'GET', `${base}/Output?Format=csv&Fields=EnergyCode,Formula`)
  expect((await sheet('narrow')).body).toContain('[?]+[V2]')
  expect((await sheet('owner')).body).toContain('[V1]+[V2]')
})

it('a formula that would be too long with its Ids is refused, and none is stored that cannot be read', async () => {
  await kit.db.rows(sql`
    insert into energy_info ("Id", "EnterpriseId", "EnergyName", "EnergyCode", "ProjectId", "Source", "Unit") overriding system value
    values (100000000, ${kit.enterprises.ours}, 'M', 'M', ${project}, 2, 'kWh')`)
  const Formula = Array.from({ length: 150 }, () => '[M]').join('+')
  expect(await call('owner', 'POST', base, { EnergyName: 'N', EnergyCode: 'N', ProjectId: project, Source: 3, Formula })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Formula: [expect.anything()] } },
  })
})

it('points become circuits while others add some: nobody waits for a lock that waits for him', async () => {
  const meters = []
  for (let i = 0; i < 3; i++) {
    const { Id } = await make.create(named('point'), { DeviceId: device, ParaUnitName: 'kWh' })
    await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${Id}, ${kit.enterprises.ours}, 1)`)
    meters.push(Id)
  }
  const circuit = (i: number) => ({ EnergyName: `C${i}`, EnergyCode: `C${i}`, ProjectId: project, Source: 2 })
  const done = await Promise.all([
    call('owner', 'POST', `${base}/Proposal`, { ProjectId: project, ParaIds: meters }),
    ...Array.from({ length: 6 }, (_, i) => call('owner', 'POST', base, circuit(i))),
  ])
  expect(done.map(({ StatusCode }) => StatusCode)).toEqual(Array.from({ length: 7 }, () => 200))
})

it('only who may change points makes one a counter by a proposal, and the log says so', async () => {
  const standard = await make.create(named('standardPara'), { Aggregation: 4 })
  const { Id } = await make.create(named('point'), { DeviceId: device, ParaUnitName: 'kWh', StandardParaId: standard.Id })
  await kit.person('adds', kit.enterprises.ours, { menus: ['m10702', 'm10702.add', 'm10102'] })
  const take = (as: string) => call(as, 'POST', `${base}/Proposal`, { ProjectId: project, ParaIds: [Id] })
  expect(await take('adds')).toMatchObject({ StatusCode: 403 })
  expect(await take('owner')).toMatchObject({ Data: { Added: 1 } })
  const logged = await kit.db.rows(
    sql`select 1 from change where "Resource" = 'point' and "RecordId" = ${Id} and "After"->>'CalDataType' = '1'`,
  )
  expect(logged).toHaveLength(1)
})

it('who sees a part of the company changes neither its conversion factors nor the settings of its analysis', async () => {
  const factor = { EnergyType: 2, From: '2026-05-01', Kgce: 1, Kgco2e: 1 }
  expect(await call('narrow', 'POST', `${base}/Factor`, factor)).toMatchObject({ StatusCode: 403 })
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', `${base}/Factor`, factor)
  expect(await call('narrow', 'PUT', `${base}/Factor`, { Id, Kgce: 2 })).toMatchObject({ StatusCode: 403 })
  expect(await call('narrow', 'DELETE', `${base}/Factor`, { Id })).toMatchObject({ StatusCode: 403 })
  expect(await call('narrow', 'PUT', '/DataCenter/AnalysisSettings', { EnoughCoverage: 1 })).toMatchObject({ StatusCode: 403 })
  expect(await call('owner', 'POST', `${base}/Factor`, { ...factor, From: '2026-02-30' })).toMatchObject({ StatusCode: 400 })
  expect(await call('owner', 'DELETE', `${base}/Factor`, { Id })).toMatchObject({ Succeeded: true })
})

it('the answer of a changed invoice shows no money to whoever may not see it', async () => {
  const circuit = await add('B1')
  const bill = { BillNo: '7', EnergyInfoId: circuit, StartDate: '2026-01-01', EndDate: '2026-01-31', TotalAmount: 99 }
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Bill', bill)
  await kit.person('edits', kit.enterprises.ours, { menus: ['m10712', 'm10712.edit', 'm10702', 'm10102'] })
  expect(await call('edits', 'PUT', '/Energy/Bill', { Id, Remark: 'x' })).toMatchObject({ StatusCode: 403 })
})

it('a circuit names no tariff of another kind', async () => {
  const price = (EnergyType: number) => make.create(named('electricityPriceStandard'), { EnergyType, TariffType: 1, BasePrice: 1 })
  const [power, water] = [(await price(1)).Id, (await price(2)).Id]
  const circuit = await add('T1', { PriceStandardId: power })
  expect(await call('owner', 'PUT', base, { Id: circuit, PriceStandardId: water })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { PriceStandardId: [expect.stringContaining('another kind')] } },
  })
})

it('of the first roles, managers do everything, editors all but closing months, viewers look without money, and maintainers see none of it', async () => {
  await addRoles(kit.db, kit.enterprises.theirs)
  const rows = await kit.db.rows<{ RoleName: string; MenuCodes: string[] }>(
    sql`select "RoleName", "MenuCodes" from role where "EnterpriseId" = ${kit.enterprises.theirs}`,
  )
  const screens = ['m10701', 'm10702', 'm10703', 'm10704', 'm10705', 'm10706', 'm10707', 'm10708', 'm10709', 'm10710', 'm10712']
  const all = permissions.filter((code) => screens.includes(code.split('.')[0]!))
  const of = (role: string) => all.filter((code) => rows.find(({ RoleName }) => RoleName === role)!.MenuCodes.includes(code))
  expect(of('Company manager')).toEqual(all)
  expect(of('Editor')).toEqual(all.filter((code) => code !== 'm10703.close'))
  // Invoices are money alone.
  expect(of('Viewer')).toEqual(all.filter((code) => !code.includes('.') && code !== 'm10712'))
  expect(of('Maintainer')).toEqual([])
})
