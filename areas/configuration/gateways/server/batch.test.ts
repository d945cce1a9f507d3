import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { project } from '../../projects/contract.ts'
import { type Plant, startPlant } from './harness.ts'

const path = '/Project/Gateway'
let plant: Plant
let kit: Kit
let ProjectId: number
beforeAll(async () => {
  plant = await startPlant()
  kit = plant.kit
  ProjectId = (await maker(kit).create(project)).Id
})
afterAll(() => plant.close())

const add = (body: object, as = 'owner') => kit.call<{ Added: number }>(as, 'POST', `${path}/BatchAdd`, { ProjectId, ...body })
const names = async () =>
  (await kit.data<{ Items: { GatewayName: string }[] }>('owner', 'GET', `${path}/List?ProjectId=${ProjectId}`)).Items.map(
    (g) => g.GatewayName,
  )

it('a pasted list of serial numbers adds gateways and names them by a rule', async () => {
  expect(await add({ SNs: ['BATCH0001', 'BATCH0002'], NameRule: 'Press {n} ({SN})' })).toMatchObject({ Data: { Added: 2 } })
  expect(await names()).toEqual(['Press 1 (BATCH0001)', 'Press 2 (BATCH0002)'])
})

it('an invalid, repeated or used number rejects the whole list and is reported by position', async () => {
  const before = await names()
  const wrong = async (...SNs: string[]) => Object.keys((await add({ SNs })).Details?.Fields ?? {})
  expect(await wrong('BATCH0003', 'short')).toEqual(['SNs.1'])
  expect(await wrong('BATCH0003', 'BATCH0004', 'BATCH0003')).toEqual(['SNs.2'])
  expect(await wrong('BATCH0003', 'BATCH0004', 'BATCH0002')).toEqual(['SNs.2'])
  expect(await names()).toEqual(before)
})

it('adds nothing to a project of another tenant, or without permission', async () => {
  expect(await add({ SNs: ['BATCH0009'] }, 'stranger')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { ProjectId: [expect.any(String)] } },
  })
  expect(await add({ SNs: ['BATCH0009'] }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await add({ SNs: Array.from({ length: 1001 }, (_, i) => `MANY${i + 10_000}`) })).toMatchObject({ StatusCode: 400 })
})
