import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { gatewaySn } from '../../../people/serials/contract.ts'
import { project } from '../../projects/contract.ts'
import { gateway } from '../contract.ts'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
let ProjectId: number
beforeAll(async () => {
  plant = await startPlant()
  ProjectId = (await plant.create(project)).Id
})
// Failures of one test must not count in the next.
beforeEach(() => {
  plant.clock.now += 2 * 3_600_000
})
afterAll(() => plant.close())

let count = 0
const newSN = () => `BIND${String(++count).padStart(8, '0')}`
const right = 'AB23CD45'
/** Adds a serial number to an account's stock. */
const stocked = async (as = 'stranger', Code = right) => {
  const SN = newSN()
  await plant.kit.data(as, 'POST', `${gatewaySn.path}/BatchAdd`, { Items: [{ SN, Code }] })
  return SN
}
const entry = async (SN: string) =>
  (await plant.kit.data<Page<{ Status: number }>>('platform', 'GET', `${gatewaySn.path}/List?SN=${SN}`)).Items[0]
type Row = { Id: number; SN: string | null; FormerSN: string | null } & Record<string, unknown>
const call = (path: 'Bind' | 'Bind_APP' | 'UnBind' | 'Replace', body: object, as = 'owner') =>
  plant.kit.call<Row>(as, 'POST', `/Project/Gateway/${path}`, body)
const bind = (SN: string, Code = right, as = 'owner') => call('Bind', { SN, Code, ProjectId, GatewayName: `Of ${SN}` }, as)

test('serial number and code on the label take a gateway out of another company’s stock into a project', async () => {
  const [a, b] = [await stocked(), await stocked()]
  expect(await bind(a)).toMatchObject({ Data: { SN: a, ProjectId, GatewayName: `Of ${a}`, OnlineStatus: 2, FormerSN: null } })
  expect(await entry(a)).toMatchObject({ Status: 3 })
  // Lower case and blanks, as typed; no name.
  const phone = await call('Bind_APP', { SN: ` ${b.toLowerCase()} `, Code: ' ab23cd45', ProjectId })
  expect(phone).toMatchObject({ Data: { SN: b, GatewayName: b } })
  expect(await plant.kit.call('owner', 'POST', '/Project/Gateway/ResetKey', { Id: phone.Data!.Id })).toMatchObject({ Data: { SN: b } })
  // The owner of the stock does not see the new company.
  const { Id } = (await entry(a)) as unknown as { Id: number }
  expect(await plant.kit.data('stranger', 'GET', `${gatewaySn.path}/Life?Id=${Id}`)).toMatchObject([
    { OpType: 8, FromText: null, ToText: null, UserName: null },
  ])
})

test('an unknown number, one in use, a scrapped one and a wrong code get one and the same answer', async () => {
  const [SN, used, scrapped] = [await stocked(), await stocked(), await stocked()]
  await bind(used)
  await plant.kit.db.rows(sql`update gateway_sn set "Status" = 5 where "SN" = ${scrapped}`)
  const answers = [
    await bind(SN, 'WRONG222'),
    await bind(newSN()),
    await bind(used),
    await bind(scrapped),
    await bind(String((await plant.create(gateway)).SN)),
  ]
  const same = ({ StatusCode, Errors, Details }: (typeof answers)[number]) => ({ StatusCode, Errors, ...Details, RequestId: '' })
  expect(new Set(answers.map((answer) => JSON.stringify(same(answer)))).size).toBe(1)
  expect(answers[0]).toMatchObject({ StatusCode: 400, Details: { Fault: 'bindRefused' } })
})

test('a code is guessed five times at a number and twenty times in all, and the right one does not help then', async () => {
  const SN = await stocked()
  for (let i = 0; i < 5; i++) expect(await bind(SN, `WRONG22${i}`)).toMatchObject({ Details: { Fault: 'bindRefused' } })
  for (const Code of ['WRONG229', right])
    expect(await bind(SN, Code)).toMatchObject({ StatusCode: 429, Details: { Fault: 'tooManyTries' } })
  // The person's limit also applies to a hundred concurrent calls.
  const others = await Promise.all(Array.from({ length: 100 }, () => newSN()).map((sn) => bind(sn)))
  expect(others.filter((a) => a.Details?.Fault === 'bindRefused').length).toBeLessThanOrEqual(15)
  const mine = await stocked()
  expect(await bind(mine)).toMatchObject({ Details: { Fault: 'tooManyTries' } })
  expect(await entry(mine)).toMatchObject({ Status: 1 })
  plant.clock.now += 61 * 60_000
  expect(await bind(mine)).toMatchObject({ Data: { SN: mine } })
})

test('of two who bind one gateway at the same time one gets it', async () => {
  const SN = await stocked()
  const both = await Promise.all([bind(SN), bind(SN), call('Replace', { Id: (await plant.create(gateway)).Id, SN, Code: right })])
  expect(both.filter((a) => a.Succeeded)).toHaveLength(1)
  expect(both.filter((a) => a.Details?.Fault === 'bindRefused')).toHaveLength(2)
  const rows = await plant.kit.db.rows(sql`select 1 from gateway where "SN" = ${SN}`)
  expect(rows).toHaveLength(1)
})

test('unbinding ends key and connection and returns the box; devices, points and history stay, and it is bound again elsewhere', async () => {
  const SN = await stocked()
  const { Id } = (await bind(SN)).Data!
  const g = { Id, SN }
  const { client, report, Key } = await plant.connect(g)
  await report('state', { Online: 1, ConfigVersion: 3 })
  await vi.waitFor(async () => expect(await plant.row(Id)).toMatchObject({ OnlineStatus: 1, ConfigVersion: 3 }))
  const closed = new Promise((done) => client.once('close', () => done(undefined)))
  expect(await call('UnBind', { Id })).toMatchObject({
    Data: { SN: null, FormerSN: SN, OnlineStatus: 0, ConfigStatus: 1, ConfigVersion: null },
  })
  await closed
  expect(await entry(SN)).toMatchObject({ Status: 4 })
  expect(await call('UnBind', { Id })).toMatchObject({ StatusCode: 409, Details: { Fault: 'gatewayReleased' } })
  const again = (await bind(SN)).Data!
  expect(again).toMatchObject({ SN })
  await vi.waitFor(() => expect(plant.registry.gateway(SN)?.Id).toBe(again.Id))
  // The former key no longer works.
  const stored = await plant.kit.db.rows<{ SecretHash: string | null }>(sql`select "SecretHash" from gateway where "Id" = ${again.Id}`)
  expect(stored).toEqual([{ SecretHash: null }])
  expect(Key).toBeTruthy()
})

test('a spare takes over devices and points; the configuration waits to be pushed, and the old box is heard no more', async () => {
  const g = await plant.equip(2)
  const old = await plant.connect(g)
  await old.report('state', { Online: 1 })
  expect(await plant.kit.data('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })).toMatchObject({ Code: 0 })
  const spare = await stocked()
  expect(await call('Replace', { Id: g.Id, SN: spare, Code: right })).toMatchObject({
    Data: { Id: g.Id, SN: spare, FormerSN: g.SN, ConfigStatus: 1, ConfigVersion: null, OnlineStatus: 2 },
  })
  await vi.waitFor(() => expect(plant.registry.ofGateway(spare)).toHaveLength(2))
  await plant.says(g.SN, 'data', { MsgId: 'late', Ts: plant.clock.now, Data: { Items: [] } })
  const list = await plant.kit.data<Page<{ SN: string; reason: string }>>('owner', 'GET', `/Project/Gateway/RejectedList?GatewayId=${g.Id}`)
  expect(list.Items).toContainEqual(expect.objectContaining({ SN: g.SN, reason: 'formerGateway' }))
  plant.clock.now += 1000
  const fresh = await plant.connect({ Id: g.Id, SN: spare })
  // The version number it ran elsewhere equals our version number.
  await fresh.report('state', { Online: 1, ConfigVersion: 1 })
  await new Promise((done) => setTimeout(done, 700))
  expect(await plant.row(g.Id)).toMatchObject({ OnlineStatus: 1, ConfigStatus: 1 })
  expect(await plant.kit.data('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })).toMatchObject({ Code: 0 })
  await new Promise((done) => setTimeout(done, 700))
  expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 0 })
})

test('a spare that is in no other company’s stock needs no code; others do', async () => {
  const { Id, SN } = (await plant.create(gateway)) as unknown as Row
  const [free, own, foreign] = [newSN(), await stocked('owner'), await stocked()]
  for (const wrong of [foreign, SN, String((await plant.create(gateway)).SN)])
    expect(await call('Replace', { Id, SN: wrong })).toMatchObject({ StatusCode: 409, Details: { Fields: { SN: [expect.any(String)] } } })
  expect(await call('Replace', { Id, SN: free })).toMatchObject({ Data: { SN: free, FormerSN: SN } })
  expect(await call('Replace', { Id, SN: own })).toMatchObject({ Data: { SN: own, FormerSN: free } })
  expect(await entry(own)).toMatchObject({ Status: 3 })
  await call('UnBind', { Id })
  expect(await call('Replace', { Id, SN: foreign, Code: right })).toMatchObject({ Data: { SN: foreign, FormerSN: own } })
})

test('projects and gateways of others are as good as none, and a viewer binds nothing', async () => {
  const SN = await stocked()
  const { Id } = await plant.create(gateway)
  expect(await bind(SN, right, 'stranger')).toMatchObject({ StatusCode: 400, Details: { Fields: { ProjectId: [expect.any(String)] } } })
  expect(await call('UnBind', { Id }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await call('Replace', { Id, SN, Code: right }, 'stranger')).toMatchObject({ StatusCode: 404 })
  for (const path of ['Bind', 'Bind_APP', 'UnBind', 'Replace'] as const)
    expect(await call(path, { Id, SN, Code: right, ProjectId }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await entry(SN)).toMatchObject({ Status: 1 })
})
