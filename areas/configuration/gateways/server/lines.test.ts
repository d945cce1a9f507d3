import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const [browse, trace, frames] = ['/Project/Protocol/Browse', '/Project/Protocol/Trace', '/Project/Protocol/TraceFrames']
const trust = '/Project/Protocol/Trust'
const nodes = [{ Id: 'a', Name: 'Voltage', HasMore: 0, Address: '02010100', Unit: 'V' }]

it('a device is browsed through its gateway, and the history says what was asked', async () => {
  const { kit } = plant
  const g = await plant.equip(1)
  const asked = { NetProtocolId: g.net, Below: 'group' }
  const answers: object[] = [
    { Code: 0, Msg: '', Data: { Nodes: nodes, Total: 700 } },
    { Code: 0, Msg: '', Data: { Nodes: [{ Id: 7 }] } },
  ]
  const { report, heard } = await plant.connect(g, (kind) => (kind === 'browse' ? answers.shift()! : { Code: 0, Msg: '' }))
  await report('state', { Online: 1, Capabilities: ['config'] })
  expect(await kit.data('owner', 'POST', browse, asked)).toMatchObject({ Code: 3, Nodes: [] })
  await report('state', { Online: 1, Capabilities: ['config', 'browse'] })
  await expect.poll(async () => (await plant.row(g.Id)).Capabilities).toContain('browse')
  expect(await kit.data('owner', 'POST', browse, asked)).toMatchObject({ Code: 0, Nodes: nodes, Total: 700 })
  expect(heard.find(({ kind }) => kind === 'browse')!.message.Data).toEqual({ CommType: 0, ChannelId: g.net, Below: 'group' })
  // A gateway may answer with anything.
  expect(await kit.data('owner', 'POST', browse, asked)).toMatchObject({ Code: 0, Nodes: [], Total: 0 })
  const history = (await plant.history(g.Id)).filter(({ CmdType }) => CmdType === 'browse')
  expect(history).toMatchObject([
    { Code: 0, Detail: null },
    { Code: 0, Detail: null },
  ])
  for (const who of ['viewer', 'stranger'])
    expect(await kit.call(who, 'POST', browse, asked)).toMatchObject({ StatusCode: who === 'viewer' ? 403 : 404 })
  expect(await kit.call('owner', 'POST', browse, {})).toMatchObject({ StatusCode: 400 })
})

it('frames of a traced channel are shown while they come, the newest 200 of them, and nobody else’s', async () => {
  const { kit, clock } = plant
  const g = await plant.equip(1)
  const { report } = await plant.connect(g)
  await report('state', { Online: 1, Capabilities: ['trace'] })
  await expect.poll(async () => (await plant.row(g.Id)).Capabilities).toContain('trace')
  const frame = (i: number) => ({ T: clock.now, Sent: i % 2, Hex: '0103', Meaning: `frame ${i}` })
  const come = (from: number, count: number, ChannelId = g.net) =>
    report('trace', { CommType: 0, ChannelId, Frames: Array.from({ length: count }, (_, i) => frame(from + i)), Missed: 1 })
  const shown = (After = 0, who = 'owner') =>
    kit.data<{ Left: number; Missed: number; Frames: { N: number; Meaning: string }[] }>(
      who,
      'GET',
      `${frames}?NetProtocolId=${g.net}&After=${After}`,
    )
  await come(1, 1)
  expect(await shown()).toMatchObject({ Left: 0, Frames: [] })
  expect(await kit.data('owner', 'POST', trace, { NetProtocolId: g.net, Seconds: 300 })).toMatchObject({ Code: 0 })
  await come(1, 150)
  await come(151, 100)
  await come(1, 5, g.net + 1000)
  await expect.poll(async () => (await shown()).Frames.length).toBe(200)
  const all = await shown()
  expect([all.Left, all.Missed, all.Frames[0]!.Meaning, all.Frames.at(-1)!.N]).toEqual([300, 2, 'frame 51', 250])
  expect((await shown(249)).Frames).toMatchObject([{ N: 250, Meaning: 'frame 250' }])
  for (const who of ['viewer', 'stranger'])
    expect(await kit.call(who, 'GET', `${frames}?NetProtocolId=${g.net}`)).toMatchObject({ StatusCode: who === 'viewer' ? 403 : 404 })
  clock.now += 1000
  await kit.data('owner', 'POST', trace, { NetProtocolId: g.net, Seconds: 0 })
  expect(await shown()).toMatchObject({ Left: 0 })
  expect((await shown()).Frames).toHaveLength(200)
  clock.now += 16 * 60_000
  expect(await shown()).toMatchObject({ Frames: [] })
  for (const Seconds of [-1, 601])
    expect(await kit.call('owner', 'POST', trace, { NetProtocolId: g.net, Seconds })).toMatchObject({ StatusCode: 400 })
  expect(await plant.history(g.Id)).toEqual(expect.arrayContaining([expect.objectContaining({ CmdType: 'trace', Code: 0 })]))
})

it('a certificate is trusted by its own permission, and the history says which one', async () => {
  const { kit } = plant
  const g = await plant.equip(1)
  const asked = { NetProtocolId: g.net, Thumbprint: 'AB'.repeat(20) }
  const { report, heard } = await plant.connect(g)
  await report('state', { Online: 1, Capabilities: ['browse', 'trace'] })
  expect(await kit.data('owner', 'POST', trust, asked)).toMatchObject({ Code: 3 })
  await report('state', { Online: 1, Capabilities: ['trust'] })
  await expect.poll(async () => (await plant.row(g.Id)).Capabilities).toContain('trust')
  expect(await kit.data('owner', 'POST', trust, asked)).toMatchObject({ Code: 0 })
  expect(heard.find(({ kind }) => kind === 'trust')!.message.Data).toEqual({ CommType: 0, ChannelId: g.net, Thumbprint: asked.Thumbprint })
  const [row] = (await plant.history(g.Id)).filter(({ CmdType, Code }) => CmdType === 'trust' && Code === 0)
  expect(JSON.stringify(row)).toContain(asked.Thumbprint)
  expect(await kit.call('viewer', 'POST', trust, asked)).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('stranger', 'POST', trust, asked)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('owner', 'POST', trust, { ...asked, Thumbprint: '../../key' })).toMatchObject({ StatusCode: 400 })
})

it('the channels of a gateway say how they do; many who look are one question, which no history has', async () => {
  const { kit, clock } = plant
  const g = await plant.equip(1)
  const state = { CommType: 0, ChannelId: g.net, State: 2, Since: 5, Why: 'no cable', Asked: 0, Failed: 0, PerSecond: 0 }
  const caller = { Port: 9000, Transport: 'tcp', From: '10.0.0.9', Said: '44545530', Count: 3 }
  const answers: object[] = [
    { Channels: [state], Callers: [caller] },
    { Channels: [{ State: 'fine' }], Callers: 7 },
  ]
  const { report, heard } = await plant.connect(g, (kind) => ({
    Code: 0,
    Msg: '',
    ...(kind === 'channels' ? { Data: answers.shift()! } : {}),
  }))
  const ask = (who: string) => kit.call(who, 'GET', `/Project/Protocol/ChannelState?GatewayId=${g.Id}`)
  await report('state', { Online: 1, Capabilities: ['config'] })
  expect(await ask('owner')).toMatchObject({ Data: { Code: 3, Channels: [], Callers: [] } })
  await report('state', { Online: 1, Capabilities: ['channels'] })
  await expect.poll(async () => (await plant.row(g.Id)).Capabilities).toContain('channels')
  for (const answer of await Promise.all([ask('owner'), ask('owner')]))
    expect(answer).toMatchObject({ Data: { Code: 0, Channels: [state], Callers: [caller] } })
  expect(heard.filter(({ kind }) => kind === 'channels')).toHaveLength(1)
  expect(await ask('stranger')).toMatchObject({ StatusCode: 404 })
  // A gateway may answer with anything.
  clock.now += 2000
  expect(await ask('owner')).toMatchObject({ Data: { Code: 0, Channels: [], Callers: [] } })
  expect((await plant.history(g.Id)).map(({ CmdType }) => CmdType)).not.toContain('channels')
})
