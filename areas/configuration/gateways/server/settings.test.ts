import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { gatewayCalls, gatewayPara } from '../contract.ts'
import { configHash } from './config.ts'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const data = <T>(method: string, at: string, body?: unknown) => plant.kit.data<T>('owner', method, at, body)
const set = (GatewayId: number, ParaCode: string, ParaValue: string) =>
  plant.kit.call('owner', 'POST', gatewayPara.path, { GatewayId, ParaCode, ParaValue })
const push = (GatewayId: number) => data<{ Code: number }>('POST', '/Project/Protocol/OptionPush', { GatewayId })
/** A gateway that accepts every push, and the pushes it received. */
const connected = async (capabilities: string[], more: object = {}) => {
  const g = await plant.equip(1)
  const client = await plant.connect(g)
  await client.report('state', { Online: 1, Capabilities: capabilities, ...more })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ OnlineStatus: 1, Capabilities: capabilities }))
  return { ...g, client, heard: () => client.heard.filter(({ kind }) => kind === 'config').map(({ message }) => message.Data) }
}

test('settings travel with the push, and what the gateway runs is beside what people want', async () => {
  const g = await connected(['settings'], { Settings: { BackfillRate: 20 } })
  expect(await plant.row(g.Id)).toMatchObject({ ReportedSettings: { BackfillRate: 20 } })
  await push(g.Id)
  expect(g.heard()[0]).not.toHaveProperty('Settings')
  const before = g.heard()[0]!.Hash
  expect(await set(g.Id, 'BackfillRate', '7')).toMatchObject({ Succeeded: true })
  await set(g.Id, 'LogLevel', 'debug')
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 1 }))
  expect(await push(g.Id)).toMatchObject({ Code: 0 })
  expect(g.heard()[1]).toMatchObject({ Settings: { BackfillRate: 7, LogLevel: 'debug' } })
  expect(g.heard()[1]!.Hash).not.toBe(before)
  type Found = { Rows: { Resource: string; Title: string; Verb: string }[] }
  const { Rows } = await data<Found>('POST', '/Project/Gateway/Version/Compare', { GatewayId: g.Id, From: 1, To: 2 })
  expect(Rows.map(({ Resource, Title, Verb }) => [Resource, Title, Verb])).toEqual([
    ['gatewayPara', 'BackfillRate', 'add'],
    ['gatewayPara', 'LogLevel', 'add'],
  ])
  // Without settings, the hash is as before.
  const { Items } = await data<Page<{ Id: number }>>('GET', `${gatewayPara.path}/List?GatewayId=${g.Id}`)
  for (const { Id } of Items) await data('DELETE', gatewayPara.path, { Id })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 1 }))
  await push(g.Id)
  expect(g.heard()[2]!.Hash).toBe(before)
  await data('POST', '/Project/Gateway/Reset', { Id: g.Id, ConfigVersion: 2 })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 1 }))
  await push(g.Id)
  expect(g.heard()[3]).toMatchObject({ Settings: { BackfillRate: 7, LogLevel: 'debug' }, Hash: g.heard()[1]!.Hash })
})

test('a gateway without the capability gets no settings, and is pushed them once it has it', async () => {
  const g = await connected([])
  await set(g.Id, 'BufferSize', '64')
  await push(g.Id)
  expect(g.heard()[0]).not.toHaveProperty('Settings')
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 0 }))
  await g.client.report('state', { Online: 1, ConfigVersion: 1, Capabilities: ['settings'] })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 1 }))
  await push(g.Id)
  expect(g.heard()[1]).toMatchObject({ Settings: { BufferSize: 64 } })
})

test('a version holds no settings that its gateway never received, and putting it back leaves them alone', async () => {
  const g = await connected([])
  await push(g.Id)
  await set(g.Id, 'BufferSize', '64')
  await push(g.Id)
  const compare = (From: number, To?: number) =>
    data<{ Rows: object[] }>('POST', '/Project/Gateway/Version/Compare', { GatewayId: g.Id, From, ...(To && { To }) })
  expect((await compare(1, 2)).Rows).toEqual([])
  expect((await compare(1)).Rows).toEqual([])
  await data('POST', '/Project/Gateway/Reset', { Id: g.Id, ConfigVersion: 1 })
  const kept = async () => (await data<Page<{ ParaCode: string }>>('GET', `${gatewayPara.path}/List?GatewayId=${g.Id}`)).Items
  expect((await kept()).map((row) => row.ParaCode)).toEqual(['BufferSize'])
  // When the gateway supports settings, they are new compared with its configuration.
  await g.client.report('state', { Online: 1, ConfigVersion: 2, Capabilities: ['settings'] })
  await vi.waitFor(async () => expect((await compare(2)).Rows).toMatchObject([{ Resource: 'gatewayPara', Verb: 'add' }]))
})

test('unknown settings, those of other types and values out of range are refused by field', async () => {
  const g = await plant.equip(0)
  const field = async (code: string, value: string) => Object.keys((await set(g.Id, code, value)).Details?.Fields ?? {})
  expect(await field('Turbo', '1')).toEqual(['ParaCode'])
  expect(await field('TimeServer', 'ntp.example')).toEqual(['ParaCode'])
  for (const value of ['0', '201', '2.5', 'x', '1e2', ' 7']) expect(await field('BackfillRate', value)).toEqual(['ParaValue'])
  expect(await field('LogLevel', 'loud')).toEqual(['ParaValue'])
  expect((await set(g.Id, 'BackfillRate', '0')).Details?.Fields?.ParaValue?.[0]).toMatch(/1.*200/)
  expect(await set(g.Id, 'BackfillRate', '7')).toMatchObject({ Succeeded: true })
  expect(await field('BackfillRate', '8')).toEqual(['ParaCode'])
})

test('a configuration without settings has the hash that it had before there were any', async () => {
  const none = { Channels: [], Devices: [], Points: [] }
  expect(await configHash(none)).toBe('d1c3489c8f4506d87ce0704cc7ae21e1d9b94dd856c00e7a75c278c8d4c2cbe4')
})

test('what a box said of its settings goes with it', async () => {
  const g = await connected(['settings'], { Settings: { BackfillRate: 20 } })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ReportedSettings: { BackfillRate: 20 } }))
  await data('POST', gatewayCalls.unbind.path, { Id: g.Id })
  expect(await plant.row(g.Id)).toMatchObject({ SN: null, Capabilities: null, ReportedSettings: null })
})
