// What one company does with thousands of points holds up nobody else. The server is a process of its own, so that the lateness of its
// event loop is its own.
import { beforeAll, expect, test } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { ownServer } from '../faults/own-server.ts'

const own = ownServer()
const make = async (path: string, body: object) => (await own.door.data('POST', path, body)).Id
const upload = async (path: string, content: string) => {
  const body = new FormData()
  body.set('file', new File([content], 'points'))
  const headers = { authorization: `Bearer ${own.door.admin}`, 'accept-language': 'en' }
  return (await (await fetch(`${own.process.origin}/api${path}`, { method: 'POST', headers, body })).json()) as Wrapper
}
/** A sheet of points for a model. */
const importPoints = async (model: string, count: number) => {
  const rows = Array.from({ length: count }, (_, i) => `${model},P${i},${2 * i}`)
  expect(await upload('/ProModel/ModelPara/Import', ['Model,Point name,Address', ...rows].join('\n'))).toMatchObject({ Succeeded: true })
}
/** By how much the event loop was late at worst, in ms. Reading the figure starts a new measurement. */
const lateness = async () => 1000 * (await own.figure('nodejs_eventloop_lag_max_seconds'))
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

let model: number
let point: number
let pump: number
beforeAll(async () => {
  await own.door.ensureCompany()
  const { gateway, device } = await own.door.newGateway('LARGEGATEWAY1', 1)
  pump = device
  model = await make('/ProModel/ProModel', { ModelName: 'Large' })
  await importPoints('Large', 2000)
  await own.door.data('POST', '/ProModel/ProModel/Publish', { Id: model })
  await own.door.data('POST', '/Project/Device/BatchAdd', { GatewayId: gateway, NameRule: 'Large {1..12}', ModelId: model, Step: 1 })
  point = await make('/Project/DevPara', { DeviceId: device, ParaName: 'Own', Address: '9' })
})

test('a change on a gateway with 24,000 points lets other calls pass while its configuration is compared', async () => {
  // What the additions asked for has passed.
  await pause(2500)
  await lateness()
  await own.door.data('PUT', '/Project/DevPara', { Id: point, CollectPeriod: 2000 })
  await pause(1500)
  // 270 ms before, with 30,000. A crowded machine is late by itself.
  expect(await lateness()).toBeLessThan(120)
})

test('a call copies at most 100,000 points of models', async () => {
  await own.query(`
    insert into model_para ("EnterpriseId", "ModelId", "ParaName", "Address")
    select "EnterpriseId", "Id", 'C' || n, n from pro_model, generate_series(1, 98001) n where "Id" = ${model}`)
  const answer = await own.door.call(own.door.admin, 'POST', '/ProModel/ProModel/Copy', { Ids: [model] })
  expect(answer).toMatchObject({ StatusCode: 400, Details: { Fields: { Ids: [expect.stringContaining('100000')] } } })
})

test('a gateway file with a million devices is refused before it is parsed, and an object in place of a text is none', async () => {
  const read = (slaves: string) => upload(`/Project/DevPara/Layout?DeviceId=${pump}`, `{"master":{"slaves":[${slaves}]}}`)
  await lateness()
  expect(await read(`${'{},'.repeat(1_300_000)}{}`)).toMatchObject({ Details: { Fault: 'tooLarge' } })
  // 1.3 s before.
  expect(await lateness()).toBeLessThan(200)
  const none = '{"toString":1}'
  expect(await read(`{"deviceName":${none},"timeseries":[{"tag":${none},"type":${none}}]}`)).toMatchObject({ Succeeded: true })
})
