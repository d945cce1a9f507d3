// Hints through the front door: which circuits are named, by whom they are found of no use, and who sees money.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import type { hintCalls } from '../hints.ts'
import { startWorks } from './consumption.fixture.ts'

const now = Date.parse('2026-05-20T10:00:00Z')
const hour = 3_600_000
/** Local midnight in Madrid, and 62 days before it. */
const midnight = Date.parse('2026-05-19T22:00:00Z')
const begin = midnight - 62 * 24 * hour
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
const ids: Record<string, number> = {}

beforeAll(async () => {
  works = await startWorks(() => now)
  kit = works.kit
  const { ProjectId, meter } = works
  const PriceStandardId = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) =>
    (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/Info', { EnergyName: EnergyCode, EnergyCode, ProjectId, ...more })).Id
  const counted = async (before: number, tonight: number) => {
    const point = await meter()
    await works.count(point, { from: begin, to: midnight }, 100, before, hour / 4)
    await works.count(point, { from: midnight, to: now }, 100 + before * 62 * 24, tonight, hour / 4)
    return point
  }
  ids.site = await circuit('site', { Source: 1, ParaId: await counted(10, 10), PriceStandardId })
  ids.quiet = await circuit('quiet', { Source: 1, ParaId: await counted(4, 4), ParentId: ids.site, PriceStandardId })
  ids.loud = await circuit('loud', { Source: 1, ParaId: await counted(5, 9), ParentId: ids.site, PriceStandardId })
  ids.flow = await counted(2, 2)
  ids.water = await circuit('water', { Source: 1, ParaId: ids.flow, EnergyType: 2 })
  await kit.person('modest', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10701.cost') })
}, 120_000)
afterAll(() => works?.close())

const hints = (as = 'owner') => kit.data<Answer<typeof hintCalls.list>>(as, 'GET', `/Energy/Hint/List?ProjectId=${works.ProjectId}`)
const named = async (as?: string) => (await hints(as)).Items.map(({ EnergyName, Rule }) => `${EnergyName} ${Rule}`)
const mute = (body: object, as = 'owner') => kit.call(as, 'POST', '/Energy/Hint/NotUseful', body)
const set = (body: object) =>
  kit.db.rows(sql`
    insert into tenant_config ("EnterpriseId", "Name", "Config") values (${kit.enterprises.ours}, 'energyHints', ${JSON.stringify(body)}::jsonb)
    on conflict ("EnterpriseId", "Name") do update set "Config" = tenant_config."Config" || excluded."Config"`)

it('a loud night and water that never stands still are named, the dearest first; quiet circuits are not', async () => {
  const { Items, Currency } = await hints()
  expect(Items.map(({ EnergyName, Rule }) => `${EnergyName} ${Rule}`)).toEqual(['loud night', 'water water'])
  expect(Currency).toBe('EUR')
  // 20 kWh more than 25, at the mean price of 8 h at 0.10 and 16 h at 0.20.
  expect(Items[0]).toMatchObject({ Value: 45, Base: 25, Amount: 20, Unit: 'kWh' })
  expect(Items[0]!.Cost).toBeCloseTo((20 * (8 * 0.1 + 16 * 0.2)) / 24, 6)
})

it('without the right to see money there is none, and other companies see nothing', async () => {
  const { Items, ...rest } = await hints('modest')
  expect(rest).toEqual({})
  expect(Items.every((hint) => !('Cost' in hint))).toBe(true)
  expect(await kit.call('stranger', 'GET', `/Energy/Hint/List?ProjectId=${works.ProjectId}`)).toMatchObject({ StatusCode: 404 })
  expect(await mute({ EnergyInfoId: ids.loud, Rule: 'night' }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await mute({ EnergyInfoId: ids.loud, Rule: 'night' }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await mute({ EnergyInfoId: ids.loud, Rule: '__proto__' })).toMatchObject({ StatusCode: 400 })
})

it('what was found of no use is remembered by circuit and rule, by whom, and may be shown again', async () => {
  expect(await mute({ EnergyInfoId: ids.loud, Rule: 'night' })).toMatchObject({ Succeeded: true })
  expect(await named()).toEqual(['water water'])
  const muted = () => kit.data<Answer<typeof hintCalls.muted>>('owner', 'GET', `/Energy/Hint/Muted?ProjectId=${works.ProjectId}`)
  expect((await muted()).Items).toMatchObject([{ EnergyName: 'loud', Rule: 'night', MutedBy: expect.any(String) }])
  await mute({ EnergyInfoId: ids.loud, Rule: 'night', Muted: 0 })
  expect(await named()).toEqual(['loud night', 'water water'])
})

it('thresholds are the company’s: lower ones name more, higher ones less, and hints can be off', async () => {
  await set({ NightPercent: 90 })
  expect(await named()).toEqual(['water water'])
  // The two below the site come to 9 of its 10 kW: no more than it, and never named.
  await set({ NightPercent: 20, ChildrenPercent: 1, IsOn: 0 })
  expect(await named()).toEqual([])
  await set({ IsOn: 1 })
  expect(await named()).toEqual(['loud night', 'water water'])
})

it('of more than five, the five dearest are named', async () => {
  const water = { ProjectId: works.ProjectId, Source: 1, ParaId: ids.flow, EnergyType: 2 }
  for (const EnergyCode of ['water2', 'water3', 'water4', 'water5', 'water6'])
    await kit.data('owner', 'POST', '/Energy/Info', { EnergyName: EnergyCode, EnergyCode, ...water })
  expect(await named()).toEqual(['loud night', 'water water', 'water2 water', 'water3 water', 'water4 water'])
})
