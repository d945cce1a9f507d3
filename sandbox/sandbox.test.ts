import { afterAll, expect, it } from 'vitest'
import { checksum } from '../contract/parsing/checksum.ts'
import type { ScriptFault } from '../contract/parsing/script.ts'
import { forbiddenNames, hostileScripts } from './hostile.ts'
import { hashOfScript, type Message, openSandbox, type Script } from './sandbox.ts'

let clock = Date.UTC(2026, 0, 1)
const off: [number, string][] = []
const sandbox = openSandbox({ now: () => clock, off: ({ tenant }, { reason }) => off.push([tenant, reason]) })
afterAll(() => sandbox.close())

const script = (body: string, tenant = 1): Script => {
  const code = /function parse|parse =/.test(body) ? body : `function parse(topic, payload, meta) { ${body} }`
  return { tenant, code, hash: hashOfScript(code) }
}
const message = (payload: string | Uint8Array, more: Partial<Message> = {}): Message => ({
  ...{ input: 'json', topic: 'plant/line-1', payload: Buffer.from(payload), meta: { time: clock, gateway: 'F1', device: '' } },
  ...more,
})
const good = (tenant = 2) => script('return { Items: [{ V: { key: payload.v } }] }', tenant)
const run = (body: string, of = message('{}')) => sandbox.parse(script(body), of)

it('a message becomes readings, events and lines, with times, devices and qualities', async () => {
  const of = message('{"t":1767225600,"list":[{"id":"Pump 1","v":4.5},{"id":7,"v":true}]}')
  const code = script(`
    const Items = payload.list.map(({ id, v }) => ({ Device: id, T: payload.t * 1000, V: { value: v, none: null }, Q: id === 7 ? 1 : 0 }))
    console.log('seen', Items.length, topic, meta.gateway)
    return { Items, Events: ['door open', { Text: 'low battery', Level: 2 }] }`)
  const outcome = await sandbox.test(code, of)
  expect(outcome).toMatchObject({ lines: ['seen 2 plant/line-1 F1'], wrong: [] })
  expect(outcome.readings).toEqual([
    { device: 'Pump 1', key: 'value', time: 1767225600000, value: 4.5 },
    { device: '7', key: 'value', time: 1767225600000, value: 1, quality: 1 },
  ])
  expect(outcome.events).toEqual([
    { Text: 'door open', Level: 0 },
    { Text: 'low battery', Level: 2 },
  ])
  expect(await sandbox.parse(code, of)).toMatchObject({ readings: outcome.readings, lines: [] })
  expect(
    await run('return { Items: [{ T: "2026-01-01 00:00:01", V: { a: "12", b: "x", "": 1 } }, { T: {}, V: { c: 1 } }] }'),
  ).toMatchObject({
    readings: [{ key: 'a', value: 12, time: Date.UTC(2026, 0, 1, 0, 0, 1) }],
    wrong: [{ reason: 'notANumber', text: 'x' }, { reason: 'noName' }, { reason: 'noTime' }],
  })
})

it('bytes are read in every order, as BCD and with their checksums; a write goes out as text or bytes', async () => {
  const frame = Buffer.from('0103000000 0A'.replace(' ', ''), 'hex')
  const outcome = await sandbox.parse(
    script(`return { Items: [{ V: {
      u16: read.u16(payload, 4), swapped: read.u16(payload, 4, 'DCBA'), cdab: read.u32(fromHex('0000 41C8'), 0, 'CDAB') === 0x41c80000,
      f32: read.f32(fromHex('41C80000'), 0), i64: read.i64(fromHex('FFFFFFFFFFFFFFFE'), 0), bcd: read.bcd(fromHex('123456'), 0, 3), low: read.bcd(fromHex('123456'), 0, 3, 'DCBA'),
      modbus: crc.crc16Modbus(payload), text: read.text(fromHex('C3A9')) === 'é', bit: read.bit(5, 2), date: new Date(86400000).getUTCDate() } }] }`),
    message(frame, { input: 'bytes' }),
  )
  expect(outcome.fault).toBeUndefined()
  expect(Object.fromEntries(outcome.readings.map(({ key, value }) => [key, value]))).toEqual({
    ...{ u16: 10, swapped: 2560, cdab: 1, f32: 25, i64: -2, bcd: 123456, low: 563412, modbus: 0xcdc5, text: 1, bit: 1, date: 2 },
  })
  expect(checksum('crc16Ccitt', Buffer.from('123456789'))).toBe(0x29b1)
  expect(checksum('crc32', Buffer.from('123456789'))).toBe(0xcbf43926)
  expect(
    checksum(
      'crc16Hj212',
      Buffer.from('QN=20160801085857223;ST=32;CN=1062;PW=100000;MN=010000A8900016F000169DC0;Flag=5;CP=&&RtdInterval=30&&'),
    ),
  ).toBe(0x1c80)
  const both = script(
    'function parse() {} function encode({ Device, Key, Value }) { return { topic: "down/" + Device, payload: Key === "hex" ? new Uint8Array([1, 255]) : { [Key]: Value } } }',
  )
  const write = { Device: 'p1', Key: 'speed', Value: 4 }
  expect((await sandbox.encode(both, write)).encoded).toEqual({ topic: 'down/p1', payload: '{"speed":4}' })
  expect((await sandbox.encode(both, { ...write, Key: 'hex' })).encoded?.payload).toEqual({ hex: '01ff' })
  expect((await sandbox.encode(good(), write)).fault?.reason).toBe('noFunction')
})

it('an error has its line and column, and a text compiles or not before it is saved', async () => {
  const reasons = async (code: string) => (await sandbox.compile({ tenant: 1, code, hash: hashOfScript(code) })) as ScriptFault | undefined
  expect(await reasons('function parse() { return null }')).toBeUndefined()
  expect(await reasons('function parse({\n  return 1 }')).toMatchObject({ reason: 'syntax', line: 2 })
  expect(await reasons('const a = 1')).toMatchObject({ reason: 'noFunction', text: 'parse' })
  expect(await reasons('const parse = () => null')).toBeUndefined()
  expect((await sandbox.test(script('\n  return payload.a.b'), message('{}'))).fault).toMatchObject({
    reason: 'thrown',
    line: 2,
    column: expect.any(Number),
  })
  expect(await run('return 1', message('{'))).toMatchObject({ fault: { reason: 'notJson' } })
})

it('there is no clock, no chance, no file, no network and nothing of another script', async () => {
  const code = `const found = ${JSON.stringify(forbiddenNames)}.filter((name) => typeof globalThis[name] !== 'undefined')
    if (found.length) throw new Error(found.join())
    let clocks = 0
    for (const look of [() => new Date(), () => Date(), () => Date.now(), () => new (new Date(0).constructor)(), () => Reflect.construct(Date, [])]) try { look(); clocks++ } catch {}
    return { Items: [{ V: { found: found.length, clocks, random: typeof Math.random === 'function', global: typeof globalThis.left === 'number' } }] }`
  const leave = script(
    'globalThis.left = 1; Array.prototype.left = 1; const own = Reflect.construct; let of; Reflect.construct = (is) => { of = is; return own(is, [0]) }; new Date(5); return { Items: [{ V: { caught: of !== undefined } }] }',
    3,
  )
  expect((await sandbox.parse(leave, message('{}'))).readings[0]?.value).toBe(0)
  for (const tenant of [3, 4])
    expect((await sandbox.parse(script(code, tenant), message('{}'))).readings.map(({ key, value }) => [key, value])).toEqual([
      ['found', 0],
      ['clocks', 0],
      ['random', 0],
      ['global', 0],
    ])
})

it(`${hostileScripts.length} hostile scripts end within 250 ms each, and the next tenant's frame is read right after`, async () => {
  await sandbox.parse(good(), message('{"v":1}'))
  const slow: [string, number][] = []
  for (const [i, body] of hostileScripts.entries()) {
    const [outcome, next] = await Promise.all([
      sandbox.parse(script(body, 10), message('{}')),
      sandbox.parse(good(), message(`{"v":${i}}`)),
    ])
    expect([body, next.readings[0]?.value]).toEqual([body, i])
    expect([body, outcome.readings.filter(({ key }) => key !== 'key')]).toEqual([body, []])
    slow.push([body, outcome.ms])
    // Those that end the thread switch their tenant off.
    clock += 60_001
  }
  // Of the processor: the machine of a test may be busy.
  expect(slow.filter(([, ms]) => ms > 250)).toEqual([])
})

it('three errors in a row switch a script off for a minute; what is mended runs at once, and a bad message is no error of the script', async () => {
  off.length = 0
  const wrong = script('if (payload.v > 9) throw new Error("nine"); return { Items: [{ V: { key: payload.v } }] }', 20)
  const parse = async (v: number | string) => (await sandbox.parse(wrong, message(typeof v === 'string' ? v : `{"v":${v}}`))).fault?.reason
  expect([await parse(10), await parse(10), await parse(1), await parse(10), await parse('{'), await parse('{'), await parse(10)]).toEqual([
    ...['thrown', 'thrown', undefined, 'thrown', 'notJson', 'notJson', 'thrown'],
  ])
  expect([off.length, await parse(10), off]).toEqual([0, 'thrown', [[20, 'thrown']]])
  expect([await parse(1), (await sandbox.parse(good(20), message('{"v":1}'))).fault]).toEqual(['off', undefined])
  clock += 60_001
  expect(await parse(1)).toBeUndefined()
})

it('a tenant whose scripts loop delays others by one call, not by its queue', async () => {
  const loops = Array.from({ length: 10 }, (_, i) => sandbox.parse(script(`for (;;) ${i};`, 30), message('{}')))
  const frames = await Promise.all(Array.from({ length: 200 }, (_, v) => sandbox.parse(good(31), message(`{"v":${v}}`))))
  expect(frames.map(({ readings }) => readings[0]?.value)).toEqual(frames.map((_, i) => i))
  const first = await Promise.race([Promise.all(loops).then(() => 'loops'), new Promise((done) => setTimeout(done, 0, 'frames'))])
  expect(first).toBe('frames')
  expect(new Set((await Promise.all(loops)).map(({ fault }) => fault?.reason))).toEqual(new Set(['timeout']))
})

it('a full queue refuses, and only the tenant that filled it', async () => {
  const many = Array.from({ length: 3000 }, () => sandbox.parse(good(40), message('{"v":1}')))
  const other = await sandbox.parse(good(41), message('{"v":2}'))
  expect(other.readings[0]?.value).toBe(2)
  const reasons = (await Promise.all(many)).map(({ fault }) => fault?.reason)
  expect([reasons.includes('busy'), reasons.filter((reason) => reason === undefined).length >= 2000]).toEqual([true, true])
})
