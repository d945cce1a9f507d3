import { afterAll, beforeAll, expect, it } from 'vitest'
import { descriptionTemplates } from '../../../../contract/described/templates.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { selfParse, type Tried } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
const { path } = selfParse
let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

const [registers, lengthField, delimiter] = descriptionTemplates
let count = 0
const add = ({ Frame, Requests } = registers!, as = 'owner') =>
  kit.call<Row>(as, 'POST', path, { CustomName: `Vendor ${++count}`, Frame, Requests })
const attempt = (body: object, as = 'owner') => kit.call<Tried>(as, 'POST', `${path}/Test`, body)

it('a description is refused by field, and one that is sound is stored and changed', async () => {
  const [read, write] = registers!.Requests
  const wrong = await kit.call('owner', 'POST', path, {
    CustomName: 'Wrong',
    Frame: { By: 'delimiter', Start: '02' },
    Requests: [
      { ...read, Send: '{addr} 0x', Answer: '01 {value}', Fields: [] },
      { ...read, Send: '{addr} {crc}', Fields: [read!.Fields[0], read!.Fields[0], { ...read!.Fields[0], Key: 'far', At: 1023 }] },
      { ...write, Send: '01 02', Answer: '01' },
    ],
  })
  expect(wrong.StatusCode).toBe(400)
  expect(Object.keys(wrong.Details?.Fields ?? {}).sort()).toEqual([
    ...['Frame.End', 'Requests.0.Answer', 'Requests.0.Send', 'Requests.1.Answer', 'Requests.1.Fields.1.Key', 'Requests.1.Send'],
    'Requests.2.Send',
  ])
  const { Data } = await add()
  const change = await kit.call<Row>('owner', 'PUT', path, { Id: Data.Id, Frame: { ...registers!.Frame, SilenceMs: 100 } })
  expect(change.Data).toMatchObject({ Frame: { SilenceMs: 100 }, Requests: registers!.Requests })
  expect((await kit.call('owner', 'PUT', path, { Id: Data.Id, Frame: { By: 'length' } })).Details?.Fields).toHaveProperty(['Frame.Length'])
  expect((await kit.call('owner', 'PUT', path, { Id: Data.Id, Requests: [] })).StatusCode).toBe(400)
  expect(await kit.data('owner', 'DELETE', '/Protocol/BatchCustom', { Ids: [Data.Id] })).toEqual({ Removed: 1 })
  expect((await kit.call('owner', 'GET', `${path}?Id=${Data.Id}`)).StatusCode).toBe(404)
})

it('ready descriptions read their own samples, and say what they send', async () => {
  const results = await Promise.all(
    descriptionTemplates.map(async ({ Frame, Requests, Sample }) => (await attempt({ Frame, Requests, Payload: Sample, Value: 25 })).Data),
  )
  expect(
    results.map(({ Sent, Frames, Rest }) => [Sent.map(({ Hex }) => Hex), Frames.map(({ Fault, Readings }) => Fault ?? Readings), Rest]),
  ).toEqual([
    [['01 03 00 00 00 02 C4 0B', '01 06 00 10 00 FA 08 4C'], [[{ Key: 'temperature', Value: 25 }]], ''],
    [['AA 55 02 01 10 13'], [[{ Key: 'flow', Value: 60 }]], ''],
    [['02 01 30 31 03'], [[{ Key: 'level', Value: 12.34 }]], ''],
  ])
})

it('a saved description is tried by its Id: noise, a wrong checksum, an answer to nobody and half a frame are named', async () => {
  const { Data } = await add(lengthField)
  const Payload = ['00 AA 55 04 01 10 02 58 6F', 'AA 55 04 01 10 02 58 00', 'AA 55 02 01 77 7A', 'AA 55 04 01'].join('\n')
  const { Data: tried } = await attempt({ Id: Data.Id, Payload })
  expect(tried.Frames.map(({ Fault, Request }) => [Fault, Request])).toEqual([
    [null, 1],
    ['checksum', null],
    ['unknown', null],
  ])
  expect(tried.Rest).toBe('AA 55 04 01')
  // The frame of another device is not an answer.
  expect((await attempt({ Id: Data.Id, Payload, Unit: 2 })).Data.Frames[0]).toMatchObject({ Fault: 'unknown' })
  const { Frame, Requests } = delimiter!
  expect((await attempt({ Frame, Requests, Payload: '02 01 31 1F 34 1B 03' })).Data.Frames).toMatchObject([
    { Fault: null, Readings: [{ Key: 'level', Value: null }] },
  ])
  expect((await attempt({ Id: Data.Id, Payload: 'xy' })).Details?.Fields).toHaveProperty('Payload')
  expect((await attempt({ Payload: '' })).Details?.Fields).toMatchObject({ Frame: expect.anything(), Requests: expect.anything() })
  const { Data: writes } = await attempt({ Frame: registers!.Frame, Requests: registers!.Requests, Value: 7000 })
  expect(writes.Sent[1]).toMatchObject({ Hex: '', Fault: '必须在 0 到 6553.5 之间。' })
})

it('a stranger finds nothing, and who may only look changes and tries nothing', async () => {
  const { Data } = await add()
  expect((await attempt({ Id: Data.Id }, 'stranger')).StatusCode).toBe(404)
  expect((await kit.call('stranger', 'DELETE', '/Protocol/BatchCustom', { Ids: [Data.Id] })).StatusCode).toBe(404)
  for (const refused of [await add(registers, 'viewer'), await attempt({ Id: Data.Id }, 'viewer')]) expect(refused.StatusCode).toBe(403)
})
