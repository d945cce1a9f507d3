import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { descriptionTemplates } from '../../../../contract/described/templates.ts'
import { protocols } from '../../../../contract/protocols/index.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { netProtocol } from '../../channels/contract.ts'
import { foreignLanguages, gateway as gateways } from '../../gateways/contract.ts'
import { selfParse } from '../../self-parse/contract.ts'
import { type ProtocolPlugin, protocolPlugin, type Uses } from '../contract.ts'

const { path } = protocolPlugin
let kit: Kit
let make: ReturnType<typeof maker>
let gateway: { Id: number } & Record<string, unknown>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  gateway = await make.create(gateways)
})
afterAll(() => kit.close())

const all = async (as = 'owner') => (await kit.data<Page<ProtocolPlugin>>(as, 'GET', `${path}/List?PageSize=100`)).Items
const builtIn = async (kind: number, number: number, as = 'owner') =>
  (await all(as)).find((row) => row.Kind === kind && row.Number === number)!
const act = (name: 'Enable' | 'Disable', Id: number, as = 'owner') => kit.call<ProtocolPlugin>(as, 'POST', `${path}/${name}`, { Id })
const [template] = descriptionTemplates
const { Frame, Requests } = template!
const add = (PluginName: string, Package: object, as = 'owner') => kit.call<ProtocolPlugin>(as, 'POST', path, { PluginName, Package })

it('every driver and language is a plugin of every company', async () => {
  const rows = await all()
  const numbers = (kind: number) => rows.filter(({ Kind }) => Kind === kind).map((row) => row.Number)
  // Packages of drivers do not exist yet.
  expect(numbers(1).sort()).toEqual(
    protocols
      .map((p) => p.number)
      .filter((number) => number !== 201)
      .sort(),
  )
  expect(numbers(2).sort()).toEqual([...foreignLanguages])
  expect((await all('stranger')).map(({ Id }) => Id)).not.toContain(rows[0]!.Id)
})

it('one that is used stays on; off, it is neither offered nor taken, and on again it is', async () => {
  const [used, free] = [await builtIn(1, 0), await builtIn(1, 100)]
  const channel = (await make.create(netProtocol, { GatewayId: gateway.Id, ProtocolType: 0 })) as { Id: number }
  expect(await act('Disable', used.Id)).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'netProtocol', Id: channel.Id }] },
  })
  const uses = await kit.data<Uses[]>('owner', 'GET', `${path}/UseList`)
  expect(uses).toMatchObject([{ Id: used.Id, Count: 1, UsedBy: [{ Resource: 'netProtocol', Id: channel.Id }] }])
  expect(await kit.data('stranger', 'GET', `${path}/UseList`)).toEqual([])
  expect((await act('Disable', free.Id)).Data).toMatchObject({ Status: 0 })
  const types = () => kit.data<{ ProtocolType: number }[]>('owner', 'GET', '/V2/Project/Protocol/TypeList')
  expect((await types()).map((one) => one.ProtocolType)).not.toContain(100)
  const snmp = { GatewayId: gateway.Id, ProtocolType: 100, ProtocolName: 'UPS', Port: 161 }
  const draft = await make.draft(netProtocol, snmp)
  expect((await kit.call('owner', 'POST', netProtocol.path, draft)).Details?.Fields).toHaveProperty('ProtocolType')
  expect((await kit.call('owner', 'PUT', netProtocol.path, { Id: channel.Id, ProtocolType: 100 })).Details?.Fields).toHaveProperty(
    'ProtocolType',
  )
  // Each company enables plugins separately.
  expect((await builtIn(1, 100, 'stranger')).Status).toBe(1)
  await act('Enable', free.Id)
  expect((await kit.call('owner', 'POST', netProtocol.path, draft)).StatusCode).toBe(200)
})

it('built-in ones keep their name and stay', async () => {
  const { Id, PluginName } = await builtIn(1, 1)
  expect((await kit.call('owner', 'PUT', path, { Id, PluginName: 'Mine' })).Details?.Fields).toHaveProperty('PluginName')
  expect((await kit.call<ProtocolPlugin>('owner', 'PUT', path, { Id, Remark: 'panels' })).Data).toMatchObject({
    PluginName,
    Remark: 'panels',
  })
  expect((await kit.call('owner', 'DELETE', '/Protocol/BatchPlugins', { Ids: [Id] })).StatusCode).toBe(409)
})

it('a package becomes a described protocol or a parser, is refused by its fields, and goes with what it became', async () => {
  const { Data: made } = await add('Vendor frames', { Kind: 'selfParse', Frame, Requests })
  expect(made).toMatchObject({ Kind: 3, SelfParseName: 'Vendor frames', Number: null, Status: 1 })
  expect((await add('Vendor frames', { Kind: 'selfParse', Frame, Requests })).Details?.Fields).toHaveProperty('PluginName')
  const { Data: parser } = await add('Vendor lines', { Kind: 'dataParse', Script: 'const parse = () => ({ Items: [] })', Input: 2 })
  expect(parser).toMatchObject({ Kind: 4, DataParseName: 'Vendor lines' })
  const wrong = (more: object) => add('Wrong', more).then(({ StatusCode, Details }) => [StatusCode, Object.keys(Details?.Fields ?? {})])
  expect(await wrong({ Kind: 'selfParse', Frame: { ...Frame, By: 'length' }, Requests })).toEqual([400, ['Package.Frame.Length']])
  expect(await wrong({ Kind: 'selfParse', Frame })).toEqual([400, ['Package.Requests']])
  expect(await wrong({ Kind: 'dataParse', Script: 'let parse = (' })).toEqual([400, ['Package.Script']])
  expect(await wrong({ Kind: 'dataParse' })).toEqual([400, ['Package.Mapping']])
  // The result of an import can only be deleted with its plugin.
  expect((await kit.call('owner', 'DELETE', selfParse.path, { Id: made.SelfParseId })).StatusCode).toBe(409)
  expect((await kit.call('stranger', 'DELETE', '/Protocol/BatchPlugins', { Ids: [made.Id] })).StatusCode).toBe(404)
  expect(await kit.data('owner', 'DELETE', '/Protocol/BatchPlugins', { Ids: [made.Id, parser.Id] })).toEqual({ Removed: 2 })
  expect((await kit.call('owner', 'GET', `${selfParse.path}?Id=${made.SelfParseId}`)).StatusCode).toBe(404)
  expect((await add('Theirs', { Kind: 'selfParse', Frame, Requests }, 'viewer')).StatusCode).toBe(403)
})
