import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import type { Area } from '../contract.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

type Row = { Id: number } & Record<string, unknown>
const base = '/V3/System/CrossRegionSale'
const post = <T = Row>(path: string, body: object, as = 'owner') => kit.data<T>(as, 'POST', `${base}/${path}`, body)
let count = 0
const newAgent = async (areas: string[] = [], Exclusive: 0 | 1 = 0) => {
  const made = await post('Agent', { AgentName: `Agent ${++count}`, Contact: 'Li' })
  if (areas.length) await kit.data('owner', 'PUT', `${base}/SetAgentRegions`, { AgentId: made.Id, AreaCodes: areas, Exclusive })
  return made.Id
}
const newSN = () => `YC53${String(++count).padStart(8, '0')}`
const ship = async (AgentId: number, more: object = {}) => {
  const SN = newSN()
  await post('SN_Agent_Region', { SNs: [SN], AgentId, OutNo: 'OUT-1', ...more })
  return SN
}
type Detail = Row & {
  CrossStatus: number
  Lines: { OpType: number; ToText: string; FromText: string; UserName: string }[]
  Positions: { IsCross: number; AreaName: string }[]
}
const detail = (SN: string, as = 'owner') => post<Detail>('SN_Agent_Detail', { SN }, as)
/** Seen so many hours ago. */
const seen = async (SN: string, AreaCode: string, hoursAgo = 0, more: object = {}) => {
  const { Id } = await post('SN_Position', { SN, AreaCode, Source: 1, ...more })
  await kit.db.rows(sql`update gateway_position set "PositionTime" = now() - make_interval(hours => ${hoursAgo}) where "Id" = ${Id}`)
}

it('agents are made, listed, changed and removed; one that has gateways stays', async () => {
  const Id = await newAgent()
  expect(
    (await post<Page<Row>>('AgentList', { QueryInfo: { QueryConditions: [{ Field: 'Id', Value: Id, LogicOP: 2 }] } })).Items,
  ).toMatchObject([{ Id, Contact: 'Li', Level: 1 }])
  expect(await kit.data('owner', 'PUT', `${base}/Agent`, { Id, Phone: '021-12345678' })).toMatchObject({ Phone: '021-12345678' })
  const SN = await ship(Id)
  expect(await kit.call('owner', 'DELETE', `${base}/Agent`, { Id })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: expect.arrayContaining([expect.objectContaining({ Resource: 'snAgent', Title: SN })]) },
  })
  await kit.data('owner', 'DELETE', `${base}/SN_Agent_Region`, { SN, AgentId: Id })
  expect(await kit.data('owner', 'DELETE', `${base}/Agent`, { Id })).toEqual({ Removed: 1 })
})

it('the tree of areas goes down to provinces, cities or counties', async () => {
  const tree = (type: number) => kit.data<Area[]>('owner', 'GET', `/V3/System/Area/AreasForTree?type=${type}`)
  const [provinces, counties] = [await tree(1), await tree(3)]
  expect(provinces).toHaveLength(34)
  expect(provinces.every((p) => p.Children.length === 0)).toBe(true)
  const jiangsu = counties.find((p) => p.AreaCode === '320000')!
  expect(jiangsu.AreaName).toBe('江苏省')
  expect(jiangsu.Children.find((c) => c.AreaCode === '320500')).toMatchObject({
    AreaName: '苏州市',
    Children: expect.arrayContaining([expect.objectContaining({ AreaCode: '320505' })]),
  })
})

it('regions belong to agents, and no other agent gets any part of an exclusive one', async () => {
  const one = await newAgent(['430000'], 1)
  expect(await post('AgentRegionList', { AgentId: one })).toMatchObject([{ AreaCode: '430000', AreaName: '湖南省', Exclusive: 1 }])
  const two = await newAgent()
  const set = (AreaCodes: string[]) => kit.call('owner', 'PUT', `${base}/SetAgentRegions`, { AgentId: two, AreaCodes })
  for (const code of ['430000', '430100', '430102'])
    expect(await set([code]), code).toMatchObject({ StatusCode: 409, Details: { Fault: 'regionTaken' } })
  expect(await set(['440000', '440300'])).toMatchObject({ Succeeded: true })
  expect(await set(['999999'])).toMatchObject({ StatusCode: 400 })
  expect(await set(['190000'])).toMatchObject({ StatusCode: 400, Details: { Fields: { 'AreaCodes.0': [expect.any(String)] } } })
  expect((await post<unknown[]>('AgentRegionList', { AgentId: two })).length).toBe(2)
})

it('serial numbers are shipped together or not at all, and each wrong one is named', async () => {
  const AgentId = await newAgent()
  const [a, b] = [newSN(), newSN()]
  expect(await post('SN_Agent_Region', { SNs: [a, ` ${b.toLowerCase()} `], AgentId, OutNo: 'N1' })).toEqual({ Added: 2 })
  const again = await kit.call('owner', 'POST', `${base}/SN_Agent_Region`, { SNs: [newSN(), a, 'short'], AgentId })
  expect(again).toMatchObject({ StatusCode: 400, Details: { Fields: { 'SNs.1': [expect.any(String)], 'SNs.2': [expect.any(String)] } } })
  const list = await post<Page<Row>>('SN_AgentList', { AgentId })
  expect(list.Items.map((r) => r.SN).sort()).toEqual([a, b].sort())
})

it('transfer, other regions, return: each leaves a line with who did it', async () => {
  const [one, two] = [await newAgent(), await newAgent()]
  const SN = await ship(one)
  expect(await kit.data('owner', 'PUT', `${base}/SN_Agent_Region`, { SN, AgentId: two, AreaCodes: ['110000'] })).toMatchObject({
    AgentId: two,
    AreaCodes: ['110000'],
  })
  const { Lines } = await detail(SN)
  expect(Lines.map((l) => l.OpType)).toEqual([4, 3, 1])
  expect(Lines[0]).toMatchObject({ ToText: '北京市', UserName: 'owner' })
  expect(await kit.call('owner', 'DELETE', `${base}/SN_Agent_Region`, { SN, AgentId: one })).toMatchObject({ StatusCode: 404 })
  expect(await kit.data('owner', 'DELETE', `${base}/SN_Agent_Region`, { SN, AgentId: two })).toEqual({ Removed: 1 })
  const log = await post<Page<Row>>('SN_Agent_OPLogList', { SN })
  expect(log.Items.map((l) => l.OpType)).toEqual([2, 4, 3, 1])
})

it('a gateway outside its regions is suspected, confirmed after a day there, and released by a person until it is back', async () => {
  const SN = await ship(await newAgent(['320000', '310000']))
  await seen(SN, '320505', 50)
  expect(await detail(SN)).toMatchObject({ CrossStatus: 0, Lines: [{ OpType: 5, ToText: '江苏省 苏州市 虎丘区' }, { OpType: 1 }] })
  await seen(SN, '330100', 30)
  expect(await detail(SN)).toMatchObject({ CrossStatus: 1, Positions: [{ IsCross: 1, AreaName: '浙江省 杭州市' }, { IsCross: 0 }] })
  await seen(SN, '330100')
  expect(await detail(SN)).toMatchObject({ CrossStatus: 2 })
  await seen(SN, '330100')
  const told = await kit.db.rows<{ WordValues: object }>(sql`select "WordValues" from notice where "Wording" = 'diverted'`)
  expect(told).toEqual([{ WordValues: { SN, From: '上海市, 江苏省', To: '浙江省 杭州市' } }])
  const map = await kit.data<{ AreaCode: string; Outside: number }[]>('owner', 'GET', `${base}/SN_PositionMap`)
  expect(map.find((m) => m.AreaCode === '330000')).toMatchObject({ AreaName: '浙江省', Outside: 1 })
  await kit.data('owner', 'PUT', `${base}/SN_Agent_Region`, { SN, Release: 1 })
  await seen(SN, '330100')
  expect(await detail(SN)).toMatchObject({ CrossStatus: 3 })
  await seen(SN, '310101')
  expect(await detail(SN)).toMatchObject({ CrossStatus: 0 })
  expect((await detail(SN)).Lines.map((l) => l.OpType)).toEqual([7, 6, 6, 5, 1])
})

it('positions too vague to say where it is accuse nobody; the regions of the shipment go before the agent’s', async () => {
  const AgentId = await newAgent(['510000'])
  const vague = await ship(AgentId)
  await seen(vague, '500100', 0, { AccuracyM: 60_000 })
  expect(await detail(vague)).toMatchObject({ CrossStatus: 0, Positions: [{ IsCross: 0 }] })
  const narrow = await ship(AgentId, { AreaCodes: ['510100'] })
  await seen(narrow, '510700')
  expect(await detail(narrow)).toMatchObject({ CrossStatus: 1 })
})

it('another tenant sees nothing of it, and a viewer changes nothing', async () => {
  const AgentId = await newAgent()
  const SN = await ship(AgentId)
  expect(await kit.call('stranger', 'POST', `${base}/SN_Agent_Detail`, { SN })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'PUT', `${base}/SN_Agent_Region`, { SN, Release: 1 })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'POST', `${base}/AgentRegionList`, { AgentId })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'PUT', `${base}/SetAgentRegions`, { AgentId, AreaCodes: [] })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'POST', `${base}/SN_Agent_Region`, { SNs: [newSN()], AgentId })).toMatchObject({ StatusCode: 400 })
  // The same number in another tenant is another matter.
  const theirs = await post('Agent', { AgentName: 'Theirs' }, 'stranger')
  expect(await post('SN_Agent_Region', { SNs: [SN], AgentId: theirs.Id }, 'stranger')).toEqual({ Added: 1 })
  for (const [method, path] of [
    ['POST', 'SN_Agent_Region'],
    ['PUT', 'SN_Agent_Region'],
    ['DELETE', 'SN_Agent_Region'],
    ['PUT', 'SetAgentRegions'],
    ['POST', 'SN_Position'],
  ] as const)
    expect(await kit.call('viewer', method, `${base}/${path}`, {})).toMatchObject({ StatusCode: 403 })
})

it('a gateway shows its last position in a list and all of them in another, to those who see the gateway', async () => {
  const make = maker(kit)
  const add = (SN: string) => make.create(gateways, { SN }) as Promise<Row>
  const [one, other] = [await add(newSN()), await add(newSN())]
  for (const [area, hours] of [
    ['110101', 5],
    ['320505', 2],
    ['310101', 9],
  ] as const)
    await seen(String(one.SN), area, hours, { Lng: 120.5, Lat: 31.3 })
  const ask = (path: string, body: object, as = 'owner') => kit.call<Page<Row>>(as, 'POST', `/V3/Project/Gateway/${path}`, body)
  const { Data } = await ask('GatewayPositionList', { PageSize: 1000 })
  const of = (id: number) => Data.Items.find(({ Id }) => Id === id)
  expect(of(one.Id)).toMatchObject({ SN: one.SN, AreaCode: '320505', AreaName: expect.stringContaining('苏州'), Lng: 120.5, Source: 1 })
  expect(of(other.Id)).toMatchObject({ SN: other.SN, PositionTime: null, AreaCode: null })
  const all = await ask('GatewayPositionDetailList', { GatewayId: one.Id })
  expect(all.Data.Items.map((p) => p.AreaCode)).toEqual(['320505', '110101', '310101'])
  expect(all.Data.Items[0]).not.toHaveProperty('IsCross')
  expect(await ask('GatewayPositionDetailList', {})).toMatchObject({ StatusCode: 400 })
  expect(await ask('GatewayPositionDetailList', { GatewayId: one.Id }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect((await ask('GatewayPositionList', { PageSize: 1000 }, 'stranger')).Data.Items).toEqual([])
})
