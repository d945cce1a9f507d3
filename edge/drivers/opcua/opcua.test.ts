import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataType, StatusCodes, Variant } from 'node-opcua'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpcServer, startLine, startOpcServer } from '../../testing/opcua-server.ts'
import { channelRow, pointRow, readAll } from '../../testing/rows.ts'
import type { Arrived, DriverFault, Frame, Opening, PointRow } from '../driver.ts'
import { opcua } from './driver.ts'
import { readable } from './frames.ts'

const folder = mkdtempSync(join(tmpdir(), 'opcua-'))
let server: OpcServer
beforeAll(async () => {
  server = await startOpcServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const at = (name: string) => `nsu=urn:plant;s=${name}`
const driverOf = (Settings: Record<string, string> = {}, more: Partial<Opening> = {}) => {
  const settings = { Url: `opc.tcp://127.0.0.1:${server.port}`, SecurityMode: 'None', ...Settings }
  const driver = opcua({
    channel: channelRow(0, { ProtocolType: 60, Settings: settings }),
    devices: [],
    now: Date.now,
    changed: () => {},
    folder,
    ...more,
  })
  closing.push(() => driver.close())
  return driver
}
const read = (driver: ReturnType<typeof driverOf>, ...points: PointRow[]) => readAll(driver, points)

test('reads numbers of every type, elements of arrays, and says what is none', async () => {
  const held: [name: string, type: DataType, value: unknown, read: unknown[], isArray?: boolean][] = [
    ['bool', DataType.Boolean, true, [1, 0]],
    ['sbyte', DataType.SByte, -5, [-5, 0]],
    ['uint32', DataType.UInt32, 4_000_000_000, [4_000_000_000, 0]],
    ['int64', DataType.Int64, [0xffffffff, 0xfffffffe], [-2, 0]],
    ['uint64', DataType.UInt64, [0x10000000, 0], [2 ** 60, 1]],
    ['float', DataType.Float, Math.fround(0.1), [0.1, 0]],
    ['double', DataType.Double, 1.25, [1.25, 0]],
    ['nan', DataType.Double, Number.NaN, [null, 3]],
    ['text', DataType.String, '21.5 °C', [21.5, 0]],
    ['name', DataType.String, 'pump', [null, 3]],
    ['time', DataType.DateTime, new Date(), [null, 3]],
  ]
  held.forEach(([name, type, value]) => void server.add(`t.${name}`, type, value))
  server.add('t.array', DataType.Int16, [10, 20, 30], true)
  const driver = driverOf()
  await driver.connect()
  const points = held.map(([name], i) => pointRow(i + 1, at(`t.${name}`)))
  expect(await read(driver, ...points)).toEqual(held.map(([, , , expected]) => expected))
  const elements = [0, 2, 3].map((i) => pointRow(50 + i, at(`t.array[${i}]`)))
  const more = [pointRow(60, at('t.array')), pointRow(61, 'nsu=urn:other;s=x'), pointRow(62, 'ns=99;i=1'), pointRow(63, 'i=2259')]
  expect(await read(driver, ...elements, ...more)).toEqual([
    [10, 0],
    [30, 0],
    [null, 4],
    [null, 3],
    [null, 4],
    [null, 4],
    [0, 0],
  ])
})

test('status codes are qualities', async () => {
  server.add('status', DataType.Double, 7)
  const driver = driverOf()
  await driver.connect()
  const quality = async (status: typeof StatusCodes.Good) => {
    server.set('status', DataType.Double, 7, status)
    return (await read(driver, pointRow(1, at('status'))))[0]
  }
  expect(await quality(StatusCodes.Good)).toEqual([7, 0])
  expect(await quality(StatusCodes.UncertainLastUsableValue)).toEqual([7, 1])
  expect(await quality(StatusCodes.BadNoCommunication)).toEqual([null, 2])
  expect(await quality(StatusCodes.BadSensorFailure)).toEqual([null, 3])
})

test('reads more nodes than the server takes at once', async () => {
  for (let n = 0; n < 130; n++) server.add(`many${n}`, DataType.Double, n)
  const driver = driverOf()
  await driver.connect()
  const points = Array.from({ length: 130 }, (_, n) => pointRow(n + 1, at(`many${n}`)))
  expect(await read(driver, ...points)).toEqual(points.map((_, n) => [n, 0]))
})

test('writes in the type of the node, an element of an array alone, and refuses what does not fit', async () => {
  server.add('w.byte', DataType.Byte, 0)
  server.add('w.bool', DataType.Boolean, false)
  server.add('w.int64', DataType.Int64, [0, 0])
  server.add('w.float', DataType.Float, 0)
  server.add('w.array', DataType.Int32, [1, 2, 3], true)
  const driver = driverOf()
  await driver.connect()
  const write = (name: string, value: number) => driver.write(pointRow(1, at(name)), value)
  const held = (name: string) => server.variable(name).readValue().value.value
  await write('w.byte', 255)
  await write('w.bool', 1)
  await write('w.int64', -2)
  await write('w.float', 1.5)
  await write('w.array[1]', 20)
  expect(['w.byte', 'w.bool', 'w.float'].map(held)).toEqual([255, true, 1.5])
  expect([...held('w.int64')]).toEqual([0xffffffff, 0xfffffffe])
  expect([...held('w.array')]).toEqual([1, 20, 3])
  await expect(write('w.byte', 256)).rejects.toThrow(RangeError)
  await expect(write('w.bool', 2)).rejects.toThrow(RangeError)
  await expect(write('w.none', 1)).rejects.toMatchObject({ kind: 'address' })
  await expect(write('w.array', 1)).rejects.toMatchObject({ kind: 'address' })
})

test('values that change come by themselves with the time of their source, each present one once after a lost connection', async () => {
  for (let n = 1; n <= 70; n++) server.add(`c${n}`, DataType.Double, n)
  const line = await startLine(server.port)
  closing.push(line.close)
  let lost = 0
  const driver = driverOf({ Url: `opc.tcp://127.0.0.1:${line.port}` }, { changed: () => void lost++ })
  const points = Array.from({ length: 71 }, (_, n) => pointRow(n + 1, at(`c${n + 1}`), { CollectType: 2, CollectPeriod: 50 }))
  expect(points.every((point) => driver.listens!(point))).toBe(true)
  expect(driver.listens!(pointRow(1, at('c1')))).toBe(false)
  const arrived: Arrived[] = []
  const listen = async () => {
    arrived.length = 0
    await driver.connect()
    await driver.listen!(points, (some) => void arrived.push(...some))
    await expect.poll(() => new Set(arrived.map(({ point }) => point.Id)).size).toBe(71)
  }
  await listen()
  const present = arrived.map(({ point, reading }) => [point.Id, reading.value, reading.quality]).toSorted((a, b) => a[0]! - b[0]!)
  expect(present).toEqual([...Array.from({ length: 70 }, (_, n) => [n + 1, n + 1, 0]), [71, null, 4]])
  const before = Date.now()
  server.set('c5', DataType.Double, 55)
  await expect.poll(() => arrived.findLast(({ point }) => point.Id === 5)?.reading.value).toBe(55)
  expect(Math.abs(arrived.findLast(({ point }) => point.Id === 5)!.reading.time! - before)).toBeLessThan(1000)
  line.cut()
  await expect.poll(() => driver.connected).toBe(false)
  expect(lost).toBe(1)
  await listen()
  expect(arrived.filter(({ point }) => point.Id === 5).map(({ reading }) => reading.value)).toEqual([55])
})

const secured = { SecurityMode: 'SignAndEncrypt', SecurityPolicy: 'Basic256Sha256' }
test('an unknown certificate leaves the channel closed with its thumbprint, until somebody trusts it', async () => {
  server.add('secret', DataType.Double, 42)
  const driver = driverOf(secured)
  const fault = await driver.connect().then(
    () => undefined,
    (error: DriverFault) => error,
  )
  const [, thumbprint] = /certificate ([0-9A-F]{40}) of this server/.exec(fault?.message ?? '') ?? []
  expect(fault?.thumbprint).toBe(thumbprint)
  expect(driver.connected).toBe(false)
  expect(await driver.trust!('00'.repeat(20))).toBe(false)
  expect(await driver.trust!('../../../etc/passwd')).toBe(false)
  expect(await driver.trust!(thumbprint!.toLowerCase().replace(/(..)(?=.)/g, '$1:'))).toBe(true)
  await driver.connect()
  expect(await read(driver, pointRow(1, at('secret')))).toEqual([[42, 0]])
  expect(readdirSync(join(folder, 'opcua')).toSorted()).toEqual(['own', 'seen', 'trusted'])
  expect(readFileSync(join(folder, 'opcua/own/key.pem'), 'utf8')).toContain('PRIVATE KEY')
})

test('a server that has shown many certificates keeps out no other', async () => {
  const own = mkdtempSync(join(tmpdir(), 'opcua-seen-'))
  closing.push(() => rmSync(own, { recursive: true }))
  const seen = join(own, 'opcua', 'seen')
  mkdirSync(seen, { recursive: true })
  for (let n = 0; n < 50; n++) writeFileSync(join(seen, `${String(n).padStart(40, '0')}.der`), 'another')
  const driver = driverOf(secured, { folder: own })
  const { thumbprint } = await driver.connect().then(
    () => ({ thumbprint: undefined }),
    (error: DriverFault) => error,
  )
  expect([await driver.trust!(thumbprint!), readdirSync(seen).length]).toEqual([true, 50])
})

test.each([
  ['Sign', 'Basic256Sha256'],
  ['SignAndEncrypt', 'Basic256Sha256'],
  ['Sign', 'Aes256_Sha256_RsaPss'],
  ['SignAndEncrypt', 'Aes256_Sha256_RsaPss'],
])('with %s and %s a user signs in; a wrong password is a reason, and no password is traced', async (SecurityMode, SecurityPolicy) => {
  const user = { SecurityMode, SecurityPolicy, SignIn: 'user', User: 'operator', UserPassword: 'operator-password' }
  const driver = driverOf(user)
  const frames: Frame[] = []
  driver.trace!((frame) => void frames.push(frame))
  await driver.connect()
  expect(await read(driver, pointRow(1, at('secret')))).toEqual([[42, 0]])
  expect(frames.length).toBeGreaterThan(8)
  for (const { bytes } of frames) expect(bytes.includes('operator-password')).toBe(false)
  const wrong = driverOf({ ...user, UserPassword: 'another-password' })
  const why = await wrong.connect().catch((error: Error) => error)
  expect(why).toMatchObject({ kind: 'down', message: expect.stringMatching(/BadUserAccessDenied|BadIdentityTokenRejected/) })
  expect(String(why)).not.toContain('another-password')
})

test('what the server does not offer, and settings that do not fit, are reasons', async () => {
  await expect(driverOf({ SecurityMode: 'Sign', SecurityPolicy: 'Aes128_Sha256_RsaOaep' }).connect()).rejects.toThrow(
    /does not offer Sign with Aes128_Sha256_RsaOaep, but None None, Sign Basic256Sha256/,
  )
  await expect(driverOf({ SignIn: 'user' }).connect()).rejects.toThrow('needs a user')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const UserKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const certificate = driverOf({ SignIn: 'certificate', UserCertificate: 'none', UserKey })
  await expect(certificate.connect()).rejects.toThrow('the certificate to sign in with, or its key, is none')
})

test('signs in with a certificate, whose key may have lost its line breaks in a form', async () => {
  const [pem, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(folder, 'opcua/own', name), 'utf8'))
  const driver = driverOf({ ...secured, SignIn: 'certificate', UserCertificate: pem!, UserKey: key!.replaceAll('\n', ' ') })
  await driver.connect()
  expect(await read(driver, pointRow(1, at('secret')))).toEqual([[42, 0]])
})

test('walks the objects of the server, with units and what can be written', async () => {
  const { own, plant } = server
  const tank = own.addObject({ browseName: 'Tank', componentOf: plant, nodeId: 's=Tank' })
  own.addAnalogDataItem({
    ...{ browseName: 'Level', componentOf: tank, nodeId: 's=Tank.Level', dataType: 'Double', engineeringUnitsRange: { low: 0, high: 100 } },
    ...{ engineeringUnits: { displayName: { text: '%' } }, value: new Variant({ dataType: DataType.Double, value: 50 }) },
  })
  const driver = driverOf()
  await driver.connect()
  const top = await driver.browse!()
  const plantNode = top.find(({ name }) => name === 'Plant')!
  expect(plantNode).toMatchObject({ hasMore: true, id: expect.stringMatching(/^nsu=urn:plant;i=/) })
  expect(await driver.browse!(plantNode.id)).toContainEqual({ id: at('Tank'), name: 'Tank', hasMore: true })
  expect(await driver.browse!(at('Tank'))).toEqual([
    { id: at('Tank.Level'), name: 'Level', hasMore: true, address: at('Tank.Level'), isWritable: true, unit: '%' },
  ])
  await expect(driver.browse!('nsu=urn:other;i=1')).rejects.toMatchObject({ kind: 'address' })
})

test('nothing is written to a home directory', () => {
  expect(existsSync(join(homedir(), '.config', 'node-opcua-default'))).toBe(false)
})

test('bytes of any kind have a meaning', () => {
  for (const text of ['', 'M', 'MSG', 'MSGF', 'HELF1234', 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'])
    expect(readable(Buffer.from(text), false, []).meaning.length).toBeGreaterThan(3)
})
