import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '../../../../contract/languages.ts'
import { rejections } from '../../../../contract/telemetry.ts'
import { hasWord, word } from '../../../../server/http/words.ts'
import { deviceCalls } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { type Plant, startPlant } from './harness.ts'
import type { Stages } from './why.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const ask = (id: number) => plant.kit.data<Stages>('owner', 'GET', `${deviceCalls.whyNoData.path}?Id=${id}`)
const reasons = async (id: number) => (await ask(id)).map((s) => s.Reason)

test('from the first day to a device that delivers, each stage says where it is stuck', async () => {
  const g = await plant.equip(0)
  expect(await reasons(g.device)).toEqual(['neverConnected', 'noPoints', 'neverHeard', 'nothingRejected', 'noPoints', 'noLimits'])
  const made = await plant.kit.data<{ Id: number }>('owner', 'POST', point.path, { DeviceId: g.device, ParaName: 'level', Address: '0' })
  expect(await reasons(g.device)).toEqual(['neverConnected', 'neverPushed', 'neverHeard', 'nothingRejected', 'never', 'noLimits'])
  const { report, client } = await plant.connect(g)
  await report('state', { Online: 1 })
  await plant.kit.data('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })
  await report('heartbeat', { Devices: [{ DeviceId: g.device, Status: 2, OkCount: 0, ErrCount: 9 }] })
  await expect.poll(() => reasons(g.device)).toEqual(['online', 'inSync', 'noAnswer', 'nothingRejected', 'never', 'noLimits'])
  await report('heartbeat', { Devices: [{ DeviceId: g.device, Status: 1, OkCount: 5, ErrCount: 9 }] })
  plant.stored.set(made.Id, plant.clock.now)
  plant.latest.set(made.Id, { Time: plant.clock.now, Value: 1, Quality: 0 })
  await plant.kit.data('owner', 'PUT', point.path, { Id: made.Id, AlarmHigh: 5 })
  await expect.poll(() => reasons(g.device)).toEqual(['online', 'inSync', 'answers', 'nothingRejected', 'recent', 'watched'])
  expect((await ask(g.device)).every((s) => s.Ok)).toBe(true)

  plant.latest.set(made.Id, { Time: plant.clock.now, Value: null, Quality: 2 })
  plant.stored.set(made.Id, plant.clock.now - 3_600_000)
  await report('heartbeat', { Unknown: 1 })
  await plant.kit.data('owner', 'PUT', point.path, { Id: made.Id, Address: '9' })
  client.stream.destroy()
  await expect
    .poll(() => reasons(g.device), { timeout: 60_000 })
    .toEqual(['offline', 'changed', 'offline', 'unknownField', 'stale', 'badQuality'])
})

test('a push that failed says with which code, in the language of the call', async () => {
  const g = await plant.equip(1)
  await plant.kit.data('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })
  const [, config] = await ask(g.device)
  expect(config).toMatchObject({ Ok: false, Reason: 'failed', Values: { Code: 2, Result: word('en', 'result.2') } })
})

test('a device without a channel, and points that are live only, are reported', async () => {
  const g = await plant.equip(1, { IsStore: 1 })
  await plant.kit.db.rows(sql`update device set "NetProtocolId" = null where "Id" = ${g.device}`)
  expect((await reasons(g.device)).slice(2, 5)).toEqual(['noChannel', 'nothingRejected', 'liveOnly'])
})

test('foreign devices do not exist', async () => {
  const g = await plant.equip(0)
  expect(await plant.kit.call('stranger', 'GET', `${deviceCalls.whyNoData.path}?Id=${g.device}`)).toMatchObject({ StatusCode: 404 })
})

test('every reason has words in every language, with the same values in them', () => {
  const stages: Record<string, readonly string[]> = {
    gateway: ['neverConnected', 'offline', 'online'],
    config: ['noPoints', 'pushing', 'failed', 'neverPushed', 'changed', 'inSync'],
    transport: ['noChannel', 'neverHeard', 'offline', 'noAnswer', 'errors', 'answers'],
    parse: ['nothingRejected', ...rejections],
    store: ['noPoints', 'liveOnly', 'never', 'stale', 'recent'],
    rule: ['badQuality', 'watched', 'noLimits'],
  }
  const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  for (const [name, keys] of Object.entries(stages))
    for (const key of keys) {
      expect([key, hasWord(`why.${name}.${key}`)]).toEqual([key, true])
      const texts = languages.map((l) => word(l, `why.${name}.${key}`))
      expect(new Set(texts).size).toBe(4)
      for (const text of texts) expect(values(text)).toEqual(values(texts[0]!))
    }
})
