import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { point, type pointCalls } from '../contract.ts'
import { pointRoutes } from './routes.ts'

type Found = Answer<typeof pointCalls.violations>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  make = maker(kit)
})
afterAll(() => kit.close())

it('points that break a rule or have a warning are listed for a project, and no other project', async () => {
  const [ProjectId, other] = [(await make.create(project)).Id, (await make.create(project)).Id]
  const deviceOf = async (of: number) => (await make.create(device, { GatewayId: (await make.create(gateway, { ProjectId: of })).Id })).Id
  const [DeviceId, elsewhere] = [await deviceOf(ProjectId), await deviceOf(other)]
  const list = (as = 'owner') => kit.call<Found>(as, 'GET', `${point.path}/Violations?ProjectId=${ProjectId}`)
  for (let i = 0; i < 7; i++)
    await make.create(point, { DeviceId, ParaName: `Chart ${i}`, IsChartShow: 2, Timeout: 1000, CollectPeriod: 1000 })
  expect((await list()).Data).toEqual({ Broken: 0, Warnings: 0, Rows: [] })
  // Warnings do not prevent a write.
  await make.create(point, { DeviceId, ParaName: 'Slow', Timeout: 3000, CollectPeriod: 1000, IsChartShow: 2 })
  const range = { ProjectLow: 10, ProjectHigh: 0 }
  await make.create(point, { DeviceId, ParaName: 'Outside', ...range, AlarmLow: -1, AlarmHigh: 5 })
  const old = await make.create(point, { DeviceId, ParaName: 'Old', AlarmLow: 1, AlarmHigh: 3 })
  await make.create(point, { DeviceId: elsewhere, ParaName: 'Slow', Timeout: 3000, CollectPeriod: 1000 })
  await kit.db.rows(sql`update point set "AlarmLow" = 5 where "Id" = ${old.Id}`)
  const { Broken, Warnings, Rows } = (await list()).Data
  expect([Broken, Warnings]).toEqual([1, 3])
  expect(Rows.map((r) => [r.ParaName, r.Field, r.IsBroken])).toEqual([
    ['Slow', 'Timeout', 0],
    ['Outside', 'AlarmLow', 0],
    ['Old', 'AlarmHigh', 1],
    ['', 'IsChartShow', 0],
  ])
  expect(Rows.every((r) => r.DeviceId === DeviceId && /\.$/.test(r.Message))).toBe(true)
  expect(await list('stranger')).toMatchObject({ StatusCode: 404 })
  expect(await list('nobody')).toMatchObject({ StatusCode: 403 })
})
