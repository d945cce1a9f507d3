import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { descriptionTemplates } from '../../../../contract/described/templates.ts'
import { netProtocol } from '../../channels/contract.ts'
import { selfParse } from '../../self-parse/contract.ts'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const { Frame, Requests } = descriptionTemplates[0]!
const call = (method: string, at: string, body: object, as = 'owner') => plant.kit.call<{ Id: number }>(as, method, at, body)
const push = (GatewayId: number) => plant.kit.data<{ Code: number }>('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId })

it('a channel of a described protocol goes to a gateway with its description, and again when that changes', async () => {
  const { Data: own } = await call('POST', selfParse.path, { CustomName: 'Scale', Frame, Requests })
  const { Data: theirs } = await call('POST', selfParse.path, { CustomName: 'Theirs', Frame, Requests }, 'stranger')
  const g = await plant.equip(1)
  const change = (more: object) => call('PUT', netProtocol.path, { Id: g.net, ...more })
  for (const wrong of [{ ProtocolType: 200 }, { SelfParseId: own.Id }, { ProtocolType: 200, SelfParseId: theirs.Id }])
    expect((await change(wrong)).Details?.Fields).toHaveProperty('SelfParseId')
  expect((await change({ ProtocolType: 200, SelfParseId: own.Id })).Data).toMatchObject({ SelfParseId: own.Id, SelfParseName: 'Scale' })
  expect(await call('DELETE', selfParse.path, { Id: own.Id })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'netProtocol', Id: g.net }] },
  })
  for (const Id of g.points) await call('PUT', '/Project/DevPara', { Id, Address: 'temperature' })
  const client = await plant.connect(g)
  await client.report('state', { Online: 1, Capabilities: ['modbus-tcp'] })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ OnlineStatus: 1 }))
  expect(await push(g.Id)).toMatchObject({ Code: 3 })
  await client.report('state', { Online: 1, Capabilities: ['modbus-tcp', 'described'] })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ Capabilities: ['modbus-tcp', 'described'] }))
  expect(await push(g.Id)).toMatchObject({ Code: 0 })
  const heard = () => client.heard.filter(({ kind }) => kind === 'config').map(({ message }) => message.Data)
  expect(heard()[0]).toMatchObject({ Channels: [{ ProtocolType: 200, Description: { Frame, Requests } }] })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 0 }))
  await call('PUT', selfParse.path, { Id: own.Id, Frame: { ...Frame, SilenceMs: 99 } })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 1 }))
  await push(g.Id)
  expect(heard()[1]).toMatchObject({ Channels: [{ Description: { Frame: { SilenceMs: 99 } } }] })
  await call('PUT', '/Project/DevPara', { Id: g.points[0], Address: 'unheard_of' })
  expect(await push(g.Id)).toMatchObject({ Code: 10, Detail: [{ Field: 'Address', Reason: expect.stringContaining('unheard_of') }] })
  // Another protocol needs no description, so the description is unused again.
  expect((await change({ ProtocolType: 0 })).Data).toMatchObject({ SelfParseId: null })
  expect((await call('DELETE', selfParse.path, { Id: own.Id })).StatusCode).toBe(200)
})
